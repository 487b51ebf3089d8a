/* Registers behind a bus; here 8-bit register numbers with 8-bit or big-endian 16-bit values over I2C. */
#ifndef _LINUX_REGMAP_H
#define _LINUX_REGMAP_H

#include "device.h"

struct regmap;
struct i2c_client;
enum regcache_type { REGCACHE_NONE, REGCACHE_RBTREE, REGCACHE_FLAT, REGCACHE_MAPLE };
enum regmap_endian { REGMAP_ENDIAN_DEFAULT, REGMAP_ENDIAN_BIG, REGMAP_ENDIAN_LITTLE, REGMAP_ENDIAN_NATIVE };
struct regmap_range {
    unsigned range_min, range_max;
};
struct regmap_config {
    const char *name;
    int reg_bits, reg_stride, val_bits;
    bool (*writeable_reg)(struct device *dev, unsigned reg);
    bool (*readable_reg)(struct device *dev, unsigned reg);
    bool (*volatile_reg)(struct device *dev, unsigned reg);
    unsigned max_register;
    enum regcache_type cache_type;
    enum regmap_endian reg_format_endian, val_format_endian;
};
struct regmap *devm_regmap_init_i2c(struct i2c_client *client, const struct regmap_config *config);
struct regmap *regmap_init_i2c(struct i2c_client *client, const struct regmap_config *config);
void regmap_exit(struct regmap *map);
int regmap_read(struct regmap *map, unsigned reg, unsigned *to);
int regmap_write(struct regmap *map, unsigned reg, unsigned value);
int regmap_bulk_read(struct regmap *map, unsigned reg, void *to, size_t n);
int regmap_bulk_write(struct regmap *map, unsigned reg, const void *from, size_t n);
int regmap_update_bits(struct regmap *map, unsigned reg, unsigned mask, unsigned value);
static inline int regmap_set_bits(struct regmap *map, unsigned reg, unsigned bits) { return regmap_update_bits(map, reg, bits, bits); }
static inline int regmap_clear_bits(struct regmap *map, unsigned reg, unsigned bits) { return regmap_update_bits(map, reg, bits, 0); }
#define regmap_read_poll_timeout(map, reg, value, condition, every_us, timeout_us) \
    ({ int read_ = 0; int waited_ = lk_poll_until(read_ = regmap_read(map, reg, &(value)), read_ || (condition), every_us, timeout_us); \
       read_ ? read_ : waited_; })

#endif

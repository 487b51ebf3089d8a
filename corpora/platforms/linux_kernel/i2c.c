/* I2C transfers, SMBus, regmap over I2C. */
#include "bus.h"

static device_model *at_address(u16 address)
{
    for (device_model *one = lk_devices; one; one = one->next)
        if (one->i2c && one->client.addr == address)
            return one;
    return NULL;
}
static int transfer(u16 address, const u8 *write, size_t write_n, u8 *read, size_t read_n)
{
    device_model *one = at_address(address);
    lk_may_sleep("an I2C transfer");
    int64_t until = fb_now() + 25000 * (int64_t)(1 + write_n + read_n); /* 400 kHz; the caller sleeps meanwhile */
    while (fb_now() < until && fb_self() && !lk_atomic())
        fb_wait(NULL, until);
    return one && one->bus ? one->bus->transfer(write, write_n, read, read_n) : -ENXIO;
}
int i2c_transfer(struct i2c_adapter *bus, struct i2c_msg *messages, int n)
{
    (void)bus;
    for (int i = 0; i < n; i++) {
        struct i2c_msg *m = &messages[i];
        bool pair = !(m->flags & I2C_M_RD) && i + 1 < n && messages[i + 1].flags & I2C_M_RD && messages[i + 1].addr == m->addr;
        int error = m->flags & I2C_M_RD ? transfer(m->addr, NULL, 0, m->buf, m->len)
                    : pair ? transfer(m->addr, m->buf, m->len, messages[i + 1].buf, messages[i + 1].len)
                           : transfer(m->addr, m->buf, m->len, NULL, 0);
        if (error)
            return error;
        i += pair;
    }
    return n;
}
int i2c_master_send(const struct i2c_client *client, const char *from, int n)
{
    int error = transfer(client->addr, (const u8 *)from, (size_t)n, NULL, 0);
    return error ? error : n;
}
int i2c_master_recv(const struct i2c_client *client, char *to, int n)
{
    int error = transfer(client->addr, NULL, 0, (u8 *)to, (size_t)n);
    return error ? error : n;
}
static int read_from(const struct i2c_client *client, u8 command, u8 *to, size_t n)
{
    return transfer(client->addr, &command, 1, to, n);
}
s32 i2c_smbus_read_byte(const struct i2c_client *client)
{
    u8 value;
    int error = transfer(client->addr, NULL, 0, &value, 1);
    return error ? error : value;
}
s32 i2c_smbus_write_byte(const struct i2c_client *client, u8 value) { return transfer(client->addr, &value, 1, NULL, 0); }
s32 i2c_smbus_read_byte_data(const struct i2c_client *client, u8 command)
{
    u8 value;
    int error = read_from(client, command, &value, 1);
    return error ? error : value;
}
s32 i2c_smbus_write_byte_data(const struct i2c_client *client, u8 command, u8 value)
{
    return transfer(client->addr, (u8[]){command, value}, 2, NULL, 0);
}
s32 i2c_smbus_read_word_data(const struct i2c_client *client, u8 command)
{
    u8 value[2];
    int error = read_from(client, command, value, 2);
    return error ? error : value[0] | value[1] << 8;
}
s32 i2c_smbus_write_word_data(const struct i2c_client *client, u8 command, u16 value)
{
    return transfer(client->addr, (u8[]){command, (u8)value, (u8)(value >> 8)}, 3, NULL, 0);
}
s32 i2c_smbus_read_word_swapped(const struct i2c_client *client, u8 command)
{
    s32 value = i2c_smbus_read_word_data(client, command);
    return value < 0 ? value : (s32)swab16((u16)value);
}
s32 i2c_smbus_write_word_swapped(const struct i2c_client *client, u8 command, u16 value)
{
    return i2c_smbus_write_word_data(client, command, swab16(value));
}
s32 i2c_smbus_read_i2c_block_data(const struct i2c_client *client, u8 command, u8 n, u8 *to)
{
    n = min_t(u8, n, I2C_SMBUS_BLOCK_MAX);
    int error = read_from(client, command, to, n);
    return error ? error : n;
}
s32 i2c_smbus_write_i2c_block_data(const struct i2c_client *client, u8 command, u8 n, const u8 *from)
{
    u8 all[I2C_SMBUS_BLOCK_MAX + 1] = {command};
    n = min_t(u8, n, I2C_SMBUS_BLOCK_MAX);
    memcpy(all + 1, from, n);
    return transfer(client->addr, all, (size_t)n + 1, NULL, 0);
}
u32 i2c_get_functionality(struct i2c_adapter *bus)
{
    (void)bus;
    return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}
int i2c_check_functionality(struct i2c_adapter *bus, u32 wanted) { return (i2c_get_functionality(bus) & wanted) == wanted; }
const struct i2c_device_id *i2c_client_get_device_id(const struct i2c_client *client)
{
    const struct i2c_driver *driver = client->dev.driver ? to_i2c_driver(client->dev.driver) : NULL;
    for (const struct i2c_device_id *id = driver ? driver->id_table : NULL; id && id->name[0]; id++)
        if (!strcmp(id->name, client->name))
            return id;
    return NULL;
}
const void *i2c_get_match_data(const struct i2c_client *client)
{
    const void *data = device_get_match_data(&client->dev);
    const struct i2c_device_id *id = data ? NULL : i2c_client_get_device_id(client);
    return data ? data : id ? (const void *)id->driver_data : NULL;
}

struct regmap {
    struct i2c_client *client;
    size_t bytes; /* of a value */
    bool little;
};
struct regmap *regmap_init_i2c(struct i2c_client *client, const struct regmap_config *config)
{
    if (config->reg_bits != 8 || (config->val_bits != 8 && config->val_bits != 16))
        return ERR_PTR(-EINVAL);
    if (lk_refuses(LK_REGMAP, client->name))
        return ERR_PTR(-ENOMEM);
    struct regmap *map = calloc(1, sizeof *map);
    *map = (struct regmap){client, (size_t)config->val_bits / 8, config->val_format_endian == REGMAP_ENDIAN_LITTLE};
    lk_hold(LK_REGMAP, map, client->name);
    return map;
}
void regmap_exit(struct regmap *map)
{
    if (!lk_let_go(LK_REGMAP, map))
        fb_fault("double_release", "regmap_exit of a map that is not there");
}
static void exit_managed(struct device *dev, void *map)
{
    (void)dev;
    regmap_exit(map);
}
struct regmap *devm_regmap_init_i2c(struct i2c_client *client, const struct regmap_config *config)
{
    struct regmap *map = regmap_init_i2c(client, config);
    if (!IS_ERR(map))
        lk_devres_add(&client->dev, exit_managed, map, NULL);
    return map;
}
int regmap_bulk_read(struct regmap *map, unsigned reg, void *to, size_t n)
{
    u8 *raw = to;
    int error = read_from(map->client, (u8)reg, raw, n * map->bytes);
    for (size_t i = 0; !error && map->bytes == 2 && i < n; i++)
        ((u16 *)to)[i] = map->little ? get_unaligned_le16(raw + 2 * i) : get_unaligned_be16(raw + 2 * i);
    return error;
}
int regmap_read(struct regmap *map, unsigned reg, unsigned *to)
{
    u16 value = 0;
    u8 byte = 0;
    int error = map->bytes == 2 ? regmap_bulk_read(map, reg, &value, 1) : regmap_bulk_read(map, reg, &byte, 1);
    if (!error)
        *to = map->bytes == 2 ? value : byte;
    return error;
}
int regmap_write(struct regmap *map, unsigned reg, unsigned value)
{
    u8 all[3] = {(u8)reg, (u8)value};
    if (map->bytes == 2)
        (map->little ? put_unaligned_le16 : put_unaligned_be16)((u16)value, all + 1);
    return transfer(map->client->addr, all, 1 + map->bytes, NULL, 0);
}
int regmap_bulk_write(struct regmap *map, unsigned reg, const void *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int error = regmap_write(map, reg + (unsigned)i, map->bytes == 2 ? ((const u16 *)from)[i] : ((const u8 *)from)[i]);
        if (error)
            return error;
    }
    return 0;
}
int regmap_update_bits(struct regmap *map, unsigned reg, unsigned mask, unsigned value)
{
    unsigned now;
    int error = regmap_read(map, reg, &now);
    if (error || (now & mask) == (value & mask))
        return error;
    return regmap_write(map, reg, (now & ~mask) | (value & mask));
}

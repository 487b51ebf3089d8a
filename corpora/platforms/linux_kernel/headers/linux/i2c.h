/* I2C clients. */
#ifndef _LINUX_I2C_H
#define _LINUX_I2C_H

#include "device.h"
#include "module.h"

#define I2C_NAME_SIZE 20
#define I2C_M_RD 0x0001
#define I2C_M_TEN 0x0010
#define I2C_SMBUS_BLOCK_MAX 32
#define I2C_FUNC_I2C 0x00000001u
#define I2C_FUNC_SMBUS_BYTE 0x00060000u
#define I2C_FUNC_SMBUS_BYTE_DATA 0x00180000u
#define I2C_FUNC_SMBUS_READ_BYTE_DATA 0x00080000u
#define I2C_FUNC_SMBUS_WRITE_BYTE_DATA 0x00100000u
#define I2C_FUNC_SMBUS_WORD_DATA 0x00600000u
#define I2C_FUNC_SMBUS_READ_WORD_DATA 0x00200000u
#define I2C_FUNC_SMBUS_I2C_BLOCK 0x0C000000u
#define I2C_FUNC_SMBUS_READ_I2C_BLOCK 0x04000000u
#define I2C_FUNC_SMBUS_EMUL 0x0EFF0008u
struct i2c_msg {
    u16 addr;
    u16 flags;
    u16 len;
    u8 *buf;
};
struct i2c_adapter {
    struct module *owner;
    struct device dev;
    int nr;
    char name[48];
};
struct i2c_client {
    unsigned short flags;
    unsigned short addr;
    char name[I2C_NAME_SIZE];
    struct i2c_adapter *adapter;
    struct device dev;
    int irq;
};
struct i2c_driver {
    unsigned int class;
    int (*probe)(struct i2c_client *client);
    void (*remove)(struct i2c_client *client);
    void (*shutdown)(struct i2c_client *client);
    struct device_driver driver;
    const struct i2c_device_id *id_table;
};
#define to_i2c_client(at) container_of(at, struct i2c_client, dev)
#define to_i2c_driver(at) container_of(at, struct i2c_driver, driver)
static inline void *i2c_get_clientdata(const struct i2c_client *client) { return dev_get_drvdata(&client->dev); }
static inline void i2c_set_clientdata(struct i2c_client *client, void *data) { dev_set_drvdata(&client->dev, data); }
int lk_i2c_register_driver(struct module *owner, struct i2c_driver *driver);
#define i2c_add_driver(driver) lk_i2c_register_driver(THIS_MODULE, driver)
void i2c_del_driver(struct i2c_driver *driver);
#define module_i2c_driver(driver) module_driver(driver, i2c_add_driver, i2c_del_driver)
const struct i2c_device_id *i2c_client_get_device_id(const struct i2c_client *client);
const void *i2c_get_match_data(const struct i2c_client *client);
u32 i2c_get_functionality(struct i2c_adapter *adapter);
int i2c_check_functionality(struct i2c_adapter *adapter, u32 wanted);
int i2c_transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int n);
int i2c_master_send(const struct i2c_client *client, const char *from, int n);
int i2c_master_recv(const struct i2c_client *client, char *to, int n);
s32 i2c_smbus_read_byte(const struct i2c_client *client);
s32 i2c_smbus_write_byte(const struct i2c_client *client, u8 value);
s32 i2c_smbus_read_byte_data(const struct i2c_client *client, u8 command);
s32 i2c_smbus_write_byte_data(const struct i2c_client *client, u8 command, u8 value);
s32 i2c_smbus_read_word_data(const struct i2c_client *client, u8 command);
s32 i2c_smbus_write_word_data(const struct i2c_client *client, u8 command, u16 value);
s32 i2c_smbus_read_word_swapped(const struct i2c_client *client, u8 command);
s32 i2c_smbus_write_word_swapped(const struct i2c_client *client, u8 command, u16 value);
s32 i2c_smbus_read_i2c_block_data(const struct i2c_client *client, u8 command, u8 n, u8 *to);
s32 i2c_smbus_write_i2c_block_data(const struct i2c_client *client, u8 command, u8 n, const u8 *from);

#endif

/* Another right answer: waits with a zero-length probe before each message, compares page by page, goto for the lock. */
#include <zephyr/kernel.h>
#include <zephyr/device.h>
#include <zephyr/devicetree.h>
#include <zephyr/drivers/i2c.h>
#include <zephyr/sys/byteorder.h>
#include <string.h>

#define EE_NODE DT_NODELABEL(eeprom0)
#define EE_BYTES 8192U
#define EE_PAGE 32U

static const struct device *const bus = DEVICE_DT_GET(DT_BUS(EE_NODE));
static const uint16_t addr7 = DT_REG_ADDR(EE_NODE);
K_SEM_DEFINE(ee_sem, 1, 1);

static int patient_read(uint16_t where, uint8_t *to, size_t n)
{
    uint8_t a[2];
    int rc;
    int64_t start = k_uptime_get();

    sys_put_be16(where, a);
    for (;;) {
        rc = i2c_write_read(bus, addr7, a, 2, to, n);
        if (rc != -EIO) {
            return rc;
        }
        if (k_uptime_get() - start > 20) {
            return -ETIMEDOUT;
        }
        k_sleep(K_MSEC(1));
    }
}

static int patient_write(const uint8_t *buf, size_t n)
{
    int64_t start = k_uptime_get();
    int rc = i2c_write(bus, buf, n, addr7);

    while (rc == -EIO && k_uptime_get() - start <= 20) {
        k_sleep(K_MSEC(1));
        rc = i2c_write(bus, buf, n, addr7);
    }
    return rc == -EIO ? -ETIMEDOUT : rc;
}

static int bad(uint16_t address, const void *data, size_t length)
{
    if (!data) {
        return -EINVAL;
    }
    if ((size_t)address >= EE_BYTES || length > EE_BYTES - address) {
        return -EINVAL;
    }
    if (!device_is_ready(bus)) {
        return -ENODEV;
    }
    return 0;
}

int eeprom_read(uint16_t address, uint8_t *data, size_t length)
{
    int rc;

    if (!length) {
        return 0;
    }
    rc = bad(address, data, length);
    if (rc) {
        return rc;
    }
    k_sem_take(&ee_sem, K_FOREVER);
    rc = patient_read(address, data, length);
    k_sem_give(&ee_sem);
    return rc;
}

int eeprom_write(uint16_t address, const uint8_t *data, size_t length)
{
    uint8_t old[EE_PAGE], out[2 + EE_PAGE];
    size_t done = 0;
    int rc;

    if (!length) {
        return 0;
    }
    rc = bad(address, data, length);
    if (rc) {
        return rc;
    }
    k_sem_take(&ee_sem, K_FOREVER);
    while (done < length) {
        uint16_t at = address + done;
        size_t chunk = EE_PAGE - (at & (EE_PAGE - 1));

        if (chunk > length - done) {
            chunk = length - done;
        }
        rc = patient_read(at, old, chunk);
        if (rc) {
            goto out;
        }
        if (memcmp(old, data + done, chunk) != 0) {
            sys_put_be16(at, out);
            memcpy(out + 2, data + done, chunk);
            rc = patient_write(out, chunk + 2);
            if (rc) {
                goto out;
            }
        }
        done += chunk;
    }
    rc = patient_read(address, old, 1);
out:
    k_sem_give(&ee_sem);
    return rc;
}

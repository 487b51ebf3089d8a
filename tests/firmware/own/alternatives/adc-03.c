/* Another right answer: nine single reads, the channel by its parts, a switch for the states. */
#include <zephyr/kernel.h>
#include <zephyr/device.h>
#include <zephyr/devicetree.h>
#include <zephyr/drivers/adc.h>
#include <stdlib.h>

enum battery_state { BATTERY_OK, BATTERY_LOW, BATTERY_EMPTY };

static const struct adc_dt_spec spec = ADC_DT_SPEC_GET(DT_PATH(zephyr_user));
static K_SEM_DEFINE(guard, 1, 1);
static atomic_t st = ATOMIC_INIT(BATTERY_OK);

static int cmp(const void *a, const void *b)
{
    return (int)*(const int16_t *)a - (int)*(const int16_t *)b;
}

int battery_init(void)
{
    if (!device_is_ready(spec.dev)) {
        return -ENODEV;
    }
    return adc_channel_setup(spec.dev, &spec.channel_cfg);
}

static int nine(int16_t *out)
{
    for (int i = 0; i < 9; i++) {
        struct adc_sequence seq = {
            .channels = BIT(spec.channel_id),
            .buffer = &out[i],
            .buffer_size = sizeof(out[i]),
            .resolution = 12,
        };
        int rc = adc_read(spec.dev, &seq);

        if (rc) {
            return rc;
        }
    }
    return 0;
}

int battery_measure(int32_t *millivolts)
{
    int16_t raw[9];
    int32_t mv;
    int rc;

    k_sem_take(&guard, K_FOREVER);
    rc = nine(raw);
    if (rc) {
        k_sem_give(&guard);
        return rc;
    }
    qsort(raw, 9, sizeof(raw[0]), cmp);
    mv = raw[4];
    rc = adc_raw_to_millivolts(adc_ref_internal(spec.dev), ADC_GAIN_1_6, 12, &mv);
    if (rc) {
        k_sem_give(&guard);
        return rc;
    }
    mv *= 2;
    *millivolts = mv;
    switch (atomic_get(&st)) {
    case BATTERY_OK:
        if (mv < 3200) {
            atomic_set(&st, BATTERY_EMPTY);
        } else if (mv < 3500) {
            atomic_set(&st, BATTERY_LOW);
        }
        break;
    case BATTERY_LOW:
        if (mv < 3200) {
            atomic_set(&st, BATTERY_EMPTY);
        } else if (mv >= 3600) {
            atomic_set(&st, BATTERY_OK);
        }
        break;
    default:
        if (mv >= 3600) {
            atomic_set(&st, BATTERY_OK);
        } else if (mv >= 3400) {
            atomic_set(&st, BATTERY_LOW);
        }
        break;
    }
    k_sem_give(&guard);
    return 0;
}

enum battery_state battery_state(void)
{
    return (enum battery_state)atomic_get(&st);
}

/* Advertising: what is put into the two packets, and that it ends with a connection. */
#include <stdio.h>
#include <string.h>

#include <zephyr/bluetooth/bluetooth.h>

#include "ble.h"

#define AD_BYTES 31

typedef struct {
    uint8_t bytes[2][AD_BYTES]; /* advertising data, scan response */
    size_t length[2];
} advertisement;

static advertisement current;
static bool advertising, connectable, resumes;
static char name[31] = CONFIG_BT_DEVICE_NAME;

bool fb_ble_advertising(void)
{
    return advertising;
}

int bt_set_name(const char *wanted)
{
    if (strlen(wanted) >= sizeof name)
        return -ENOMEM;
    snprintf(name, sizeof name, "%s", wanted);
    return 0;
}

const char *bt_get_name(void)
{
    return name;
}

/* Put a list together as it goes over the air; false if it is longer than a legacy advertisement. */
static bool encode(advertisement *to, int part, const struct bt_data *data, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = to->length[part];
        if (at + 2 + data[i].data_len > AD_BYTES)
            return false;
        to->bytes[part][at] = (uint8_t)(data[i].data_len + 1);
        to->bytes[part][at + 1] = data[i].type;
        memcpy(&to->bytes[part][at + 2], data[i].data, data[i].data_len);
        to->length[part] = at + 2 + data[i].data_len;
    }
    return true;
}

static int set_data(uint32_t options, const struct bt_data *ad, size_t ad_len, const struct bt_data *sd, size_t sd_len)
{
    advertisement wanted = {0};
    const struct bt_data named = BT_DATA(BT_DATA_NAME_COMPLETE, name, (uint8_t)strlen(name));
    int part = options & BT_LE_ADV_OPT_FORCE_NAME_IN_AD ? 0 : 1;
    if (!encode(&wanted, 0, ad, ad_len) || !encode(&wanted, 1, sd, sd_len) ||
        ((options & BT_LE_ADV_OPT_USE_NAME) && !encode(&wanted, part, &named, 1)))
        return -EINVAL;
    current = wanted;
    return 0;
}

bool fb_ble_advertised(uint8_t type, const void *data, size_t length, bool in_scan_response)
{
    const uint8_t *bytes = current.bytes[in_scan_response];
    for (size_t at = 0; at + 1 < current.length[in_scan_response]; at += bytes[at] + 1u)
        if (bytes[at + 1] == type && bytes[at] == length + 1 && !memcmp(&bytes[at + 2], data, length))
            return true;
    return false;
}

int bt_le_adv_start(const struct bt_le_adv_param *param, const struct bt_data *ad, size_t ad_len,
                    const struct bt_data *sd, size_t sd_len)
{
    int ret = 0;
    bool wants_connection = param->options & BT_LE_ADV_OPT_CONNECTABLE;
    if (!fb_ble_enabled())
        ret = -EAGAIN;
    else if (advertising)
        ret = -EALREADY;
    else if (param->interval_min > param->interval_max || param->interval_min < 0x20 || param->interval_max > 0x4000)
        ret = -EINVAL;
    else if (wants_connection && !fb_ble_slot_free())
        ret = -ENOMEM;
    else
        ret = set_data(param->options, ad, ad_len, sd, sd_len);
    fb_trace("ble", "advertise: %d", ret);
    if (ret)
        return ret;
    advertising = true;
    connectable = wants_connection;
    resumes = wants_connection && !(param->options & BT_LE_ADV_OPT_ONE_TIME);
    fb_spend(FB_US(300));
    return 0;
}

int bt_le_adv_update_data(const struct bt_data *ad, size_t ad_len, const struct bt_data *sd, size_t sd_len)
{
    return advertising ? set_data(0, ad, ad_len, sd, sd_len) : -EAGAIN;
}

int bt_le_adv_stop(void)
{
    advertising = resumes = false;
    fb_trace("ble", "advertise stop");
    return 0;
}

bool fb_adv_taken(void)
{
    bool taken = advertising && connectable;
    if (taken)
        advertising = false;
    return taken;
}

/* What the host does by itself unless the advertiser was meant for one connection. */
void fb_adv_resume(void)
{
    if (!resumes || advertising || !fb_ble_slot_free())
        return;
    advertising = true;
    fb_trace("ble", "advertise: 0");
}

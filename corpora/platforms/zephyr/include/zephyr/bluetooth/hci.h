#ifndef ZEPHYR_BLUETOOTH_HCI_H
#define ZEPHYR_BLUETOOTH_HCI_H

#include <stdint.h>
#include <zephyr/bluetooth/addr.h>
#include <zephyr/bluetooth/hci_types.h>

static inline const char *bt_hci_err_to_str(uint8_t hci_err)
{
    return hci_err == BT_HCI_ERR_SUCCESS ? "BT_HCI_ERR_SUCCESS" : "BT_HCI_ERR";
}

#endif

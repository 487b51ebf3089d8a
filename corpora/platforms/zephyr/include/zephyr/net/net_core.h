#ifndef ZEPHYR_NET_NET_CORE_H
#define ZEPHYR_NET_NET_CORE_H

#include <zephyr/net/net_if.h>
#include <zephyr/net/net_ip.h>

#endif

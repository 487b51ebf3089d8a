#ifndef ZEPHYR_NET_NET_IF_H
#define ZEPHYR_NET_NET_IF_H

#include <stdbool.h>
#include <zephyr/net/net_ip.h>

/* One interface, which is up and has its address. */
struct net_if {
    int index;
};

struct net_if *net_if_get_default(void);

static inline bool net_if_is_up(struct net_if *iface)
{
    return iface != NULL;
}

static inline int net_if_up(struct net_if *iface)
{
    return iface ? 0 : -1;
}

#endif

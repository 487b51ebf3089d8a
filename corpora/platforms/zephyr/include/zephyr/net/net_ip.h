#ifndef ZEPHYR_NET_NET_IP_H
#define ZEPHYR_NET_NET_IP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <zephyr/sys/byteorder.h>
#include <zephyr/toolchain.h>

#define PF_UNSPEC 0
#define PF_INET 1
#define PF_INET6 2
#define AF_UNSPEC PF_UNSPEC
#define AF_INET PF_INET
#define AF_INET6 PF_INET6

enum net_ip_protocol {
    IPPROTO_IP = 0,
    IPPROTO_ICMP = 1,
    IPPROTO_TCP = 6,
    IPPROTO_UDP = 17,
    IPPROTO_IPV6 = 41,
};

enum net_sock_type {
    SOCK_STREAM = 1,
    SOCK_DGRAM,
    SOCK_RAW,
};

#define ntohs(x) sys_be16_to_cpu(x)
#define ntohl(x) sys_be32_to_cpu(x)
#define htons(x) sys_cpu_to_be16(x)
#define htonl(x) sys_cpu_to_be32(x)

typedef unsigned short int sa_family_t;
typedef unsigned int socklen_t;
typedef uint16_t in_port_t;
typedef uint32_t in_addr_t;

struct in_addr {
    union {
        uint8_t s4_addr[4];
        uint16_t s4_addr16[2];
        uint32_t s4_addr32[1];
        uint32_t s_addr;
    };
};

struct in6_addr {
    union {
        uint8_t s6_addr[16];
        uint16_t s6_addr16[8];
        uint32_t s6_addr32[4];
    };
};

struct sockaddr_in {
    sa_family_t sin_family;
    uint16_t sin_port;
    struct in_addr sin_addr;
};

struct sockaddr_in6 {
    sa_family_t sin6_family;
    uint16_t sin6_port;
    struct in6_addr sin6_addr;
    uint8_t sin6_scope_id;
};

struct sockaddr {
    sa_family_t sa_family;
    char data[sizeof(struct sockaddr_in6) - sizeof(sa_family_t)];
};

struct sockaddr_storage {
    sa_family_t ss_family;
    char data[sizeof(struct sockaddr_in6) - sizeof(sa_family_t)];
} __attribute__((aligned(4)));

#define INADDR_ANY 0
#define INADDR_ANY_INIT {{{0, 0, 0, 0}}}
#define INADDR_LOOPBACK_INIT {{{127, 0, 0, 1}}}
#define INET_ADDRSTRLEN 16
#define INET6_ADDRSTRLEN 46
#define NET_IPV4_ADDR_LEN INET_ADDRSTRLEN

#define net_sin(address) ((struct sockaddr_in *)(address))
#define net_sin6(address) ((struct sockaddr_in6 *)(address))

int net_addr_pton(sa_family_t family, const char *src, void *dst);
char *net_addr_ntop(sa_family_t family, const void *src, char *dst, size_t size);

static inline bool net_ipv4_addr_cmp(const struct in_addr *addr1, const struct in_addr *addr2)
{
    return addr1->s_addr == addr2->s_addr;
}

#endif

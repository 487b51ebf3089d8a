/* The socket calls that look and set: poll, options, names and addresses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zephyr/net/net_if.h>
#include <zephyr/net/socket.h>

#include "net.h"
#include "sockets.h"

static short events_of(int fd, short wanted)
{
    fb_socket *one = fb_socket_of(fd);
    if (!one)
        return ZSOCK_POLLNVAL;
    short events = 0;
    if ((wanted & ZSOCK_POLLIN) && fb_socket_readable(one))
        events |= ZSOCK_POLLIN;
    if ((wanted & ZSOCK_POLLOUT) && (one->type == SOCK_DGRAM || one->state == FB_CONNECTED || one->error))
        events |= ZSOCK_POLLOUT;
    if (one->broken || (one->error && one->state != FB_CONNECTED))
        events |= ZSOCK_POLLERR;
    if (one->ended)
        events |= ZSOCK_POLLHUP;
    return events;
}

int zsock_poll(struct zsock_pollfd *fds, int nfds, int timeout)
{
    int64_t until = timeout < 0 ? FB_FOREVER : fb_now() + FB_MS(timeout);
    fb_spend(FB_US(20));
    if (nfds < 0 || nfds > CONFIG_ZVFS_POLL_MAX)
        return fb_socket_fails(EINVAL);
    for (;;) {
        int ready = 0;
        for (int i = 0; i < nfds; i++) {
            fds[i].revents = fds[i].fd < 0 ? 0 : events_of(fds[i].fd, fds[i].events);
            ready += fds[i].revents != 0;
        }
        if (ready || timeout == 0 || fb_net_wait(until))
            return ready;
    }
}

static int64_t *timeout_of(fb_socket *one, int optname)
{
    return optname == SO_RCVTIMEO ? &one->receive_ns : &one->send_ns;
}

int zsock_setsockopt(int sock, int level, int optname, const void *optval, socklen_t optlen)
{
    fb_socket *one = fb_socket_of(sock);
    if (!one)
        return -1;
    if (level == SOL_SOCKET && (optname == SO_RCVTIMEO || optname == SO_SNDTIMEO)) {
        const struct timeval *value = optval;
        if (optlen != sizeof *value)
            return fb_socket_fails(EINVAL);
        *timeout_of(one, optname) = FB_S(value->tv_sec) + FB_US(value->tv_usec);
        return 0;
    }
    if (level == SOL_SOCKET || level == IPPROTO_TCP || level == IPPROTO_IP)
        return 0;
    return fb_socket_fails(ENOPROTOOPT);
}

int zsock_getsockopt(int sock, int level, int optname, void *optval, socklen_t *optlen)
{
    fb_socket *one = fb_socket_of(sock);
    if (!one)
        return -1;
    if (level != SOL_SOCKET || *optlen < sizeof(int))
        return fb_socket_fails(ENOPROTOOPT);
    int value = 0;
    if (optname == SO_ERROR) {
        value = one->error;
        one->error = 0;
    } else if (optname == SO_TYPE) {
        value = one->type;
    } else if (optname == SO_PROTOCOL) {
        value = one->type == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP;
    }
    memcpy(optval, &value, sizeof value);
    *optlen = sizeof value;
    return 0;
}

int zsock_fcntl(int sock, int cmd, int flags)
{
    fb_socket *one = fb_socket_of(sock);
    if (!one)
        return -1;
    if (cmd == ZVFS_F_GETFL)
        return one->nonblocking ? ZVFS_O_NONBLOCK : 0;
    if (cmd != ZVFS_F_SETFL)
        return fb_socket_fails(EINVAL);
    one->nonblocking = flags & ZVFS_O_NONBLOCK;
    return 0;
}

static int put_name(uint32_t address, uint16_t port, struct sockaddr *addr, socklen_t *addrlen)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(port)};
    name.sin_addr.s_addr = htonl(address);
    memcpy(addr, &name, *addrlen < sizeof name ? *addrlen : sizeof name);
    *addrlen = sizeof name;
    return 0;
}

int zsock_getpeername(int sock, struct sockaddr *addr, socklen_t *addrlen)
{
    fb_socket *one = fb_socket_of(sock);
    if (!one)
        return -1;
    if (one->state != FB_CONNECTED)
        return fb_socket_fails(ENOTCONN);
    return put_name(one->peer, one->peer_port, addr, addrlen);
}

int zsock_getsockname(int sock, struct sockaddr *addr, socklen_t *addrlen)
{
    fb_socket *one = fb_socket_of(sock);
    return one ? put_name(FB_IP(192, 0, 2, 1), one->port, addr, addrlen) : -1;
}

int net_addr_pton(sa_family_t family, const char *src, void *dst)
{
    unsigned part[4];
    char more;
    if (family != AF_INET || sscanf(src, "%3u.%3u.%3u.%3u%c", &part[0], &part[1], &part[2], &part[3], &more) != 4)
        return -EINVAL;
    for (int i = 0; i < 4; i++) {
        if (part[i] > 255)
            return -EINVAL;
        ((struct in_addr *)dst)->s4_addr[i] = (uint8_t)part[i];
    }
    return 0;
}

char *net_addr_ntop(sa_family_t family, const void *src, char *dst, size_t size)
{
    const uint8_t *part = ((const struct in_addr *)src)->s4_addr;
    if (family != AF_INET || size < INET_ADDRSTRLEN)
        return NULL;
    snprintf(dst, size, "%u.%u.%u.%u", part[0], part[1], part[2], part[3]);
    return dst;
}

int zsock_inet_pton(sa_family_t family, const char *src, void *dst)
{
    if (family != AF_INET && family != AF_INET6)
        return fb_socket_fails(EAFNOSUPPORT);
    return net_addr_pton(family, src, dst) == 0;
}

char *zsock_inet_ntop(sa_family_t family, const void *src, char *dst, size_t size)
{
    char *text = net_addr_ntop(family, src, dst, size);
    if (!text)
        errno = family == AF_INET ? ENOSPC : EAFNOSUPPORT;
    return text;
}

/* Addresses in digits only: there is no name server. */
int zsock_getaddrinfo(const char *host, const char *service, const struct zsock_addrinfo *hints,
                      struct zsock_addrinfo **res)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    if (hints && hints->ai_family != AF_UNSPEC && hints->ai_family != AF_INET)
        return DNS_EAI_FAMILY;
    if (!host || net_addr_pton(AF_INET, host, &address.sin_addr))
        return DNS_EAI_NONAME;
    address.sin_port = htons((uint16_t)(service ? strtoul(service, NULL, 10) : 0));
    struct zsock_addrinfo *found = calloc(1, sizeof *found);
    found->ai_family = AF_INET;
    found->ai_socktype = hints && hints->ai_socktype ? hints->ai_socktype : SOCK_STREAM;
    found->ai_protocol = found->ai_socktype == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP;
    found->ai_addrlen = sizeof address;
    found->ai_addr = &found->_ai_addr;
    memcpy(&found->_ai_addr, &address, sizeof address);
    *res = found;
    return 0;
}

void zsock_freeaddrinfo(struct zsock_addrinfo *ai)
{
    free(ai);
}

const char *zsock_gai_strerror(int errcode)
{
    return errcode == DNS_EAI_NONAME ? "no such name" : "not supported";
}

struct net_if *net_if_get_default(void)
{
    static struct net_if only = {.index = 1};
    return &only;
}

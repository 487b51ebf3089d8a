/* The BSD socket calls by which data move. A call that waits looks at its socket again whenever anything has changed.
 */
#include <stdlib.h>
#include <string.h>

#include <zephyr/net/socket.h>

#include "injection.h"
#include "net.h"
#include "sockets.h"

#define FIRST_FD 3
#define FIRST_PORT 49152
#define CONNECT_TIMEOUT FB_S(5)
#define CALL_NS FB_US(20)

static fb_socket sockets[CONFIG_ZVFS_OPEN_MAX];
static int open_now, most_open;
static uint16_t next_port = FIRST_PORT;
static injection socket_fault, send_fault;

int fb_sockets_open(void)
{
    return open_now;
}

int fb_sockets_most_open(void)
{
    return most_open;
}

void fb_net_fail_socket(unsigned skip, unsigned count, int error)
{
    socket_fault = (injection){skip, count, error};
}

void fb_net_fail_send(unsigned skip, unsigned count, int error)
{
    send_fault = (injection){skip, count, error};
}

int fb_socket_fails(int error)
{
    errno = error;
    return -1;
}

fb_socket *fb_socket_of(int fd)
{
    if (fb_in_isr())
        fb_fault("blocking_in_isr", "a socket call was made in an interrupt");
    if (fd < FIRST_FD || fd >= FIRST_FD + CONFIG_ZVFS_OPEN_MAX || !sockets[fd - FIRST_FD].open) {
        errno = EBADF;
        return NULL;
    }
    return &sockets[fd - FIRST_FD];
}

fb_socket *fb_socket_of_port(uint16_t port)
{
    for (fb_socket *one = sockets; one < sockets + CONFIG_ZVFS_OPEN_MAX; one++)
        if (one->open && one->type == SOCK_DGRAM && one->port == port)
            return one;
    return NULL;
}

int zsock_socket(int family, int type, int proto)
{
    bool matches = type == SOCK_STREAM ? proto == 0 || proto == IPPROTO_TCP
                                       : type == SOCK_DGRAM && (proto == 0 || proto == IPPROTO_UDP);
    fb_spend(CALL_NS);
    if (family != AF_INET)
        return fb_socket_fails(EAFNOSUPPORT);
    if (!matches)
        return fb_socket_fails(EPROTONOSUPPORT);
    int error = injected(&socket_fault);
    if (error)
        return fb_socket_fails(error);
    for (int i = 0; i < CONFIG_ZVFS_OPEN_MAX; i++) {
        if (sockets[i].open)
            continue;
        sockets[i] = (fb_socket){.open = true, .type = type};
        open_now++;
        if (open_now > most_open)
            most_open = open_now;
        fb_trace("net", "socket %d: %s", FIRST_FD + i, type == SOCK_STREAM ? "tcp" : "udp");
        return FIRST_FD + i;
    }
    fb_trace("net", "socket: no descriptor left");
    return fb_socket_fails(ENFILE);
}

int zsock_close(int sock)
{
    fb_socket *one = fb_socket_of(sock);
    if (!one)
        return -1;
    fb_trace("net", "close %d", sock);
    if (one->stream)
        fb_stream_client_closes(one->stream);
    while (one->first) {
        fb_packet *packet = one->first;
        one->first = packet->next;
        free(packet);
    }
    one->open = false;
    open_now--;
    fb_net_activity();
    fb_spend(CALL_NS);
    return 0;
}

int zsock_shutdown(int sock, int how)
{
    fb_socket *one = fb_socket_of(sock);
    if (!one)
        return -1;
    if (one->state != FB_CONNECTED)
        return fb_socket_fails(ENOTCONN);
    if (how == ZSOCK_SHUT_RD || how == ZSOCK_SHUT_RDWR)
        one->ended = true;
    if (how == ZSOCK_SHUT_WR || how == ZSOCK_SHUT_RDWR)
        one->shut = true;
    fb_net_activity();
    return 0;
}

static int read_address(const struct sockaddr *addr, socklen_t length, uint32_t *address, uint16_t *port)
{
    const struct sockaddr_in *in = (const struct sockaddr_in *)addr;
    if (!addr || length < sizeof *in)
        return EINVAL;
    if (in->sin_family != AF_INET)
        return EAFNOSUPPORT;
    *address = ntohl(in->sin_addr.s_addr);
    *port = ntohs(in->sin_port);
    return 0;
}

/* The socket, and the address given for it; NULL, and errno, if either is wrong. */
static fb_socket *with_address(int sock, const struct sockaddr *addr, socklen_t addrlen, uint32_t *address,
                               uint16_t *port)
{
    fb_socket *one = fb_socket_of(sock);
    int error = one ? read_address(addr, addrlen, address, port) : 0;
    if (!error)
        return one;
    errno = error;
    return NULL;
}

int zsock_bind(int sock, const struct sockaddr *addr, socklen_t addrlen)
{
    uint32_t address;
    uint16_t port;
    fb_socket *one = with_address(sock, addr, addrlen, &address, &port);
    if (!one)
        return -1;
    if (port && fb_socket_of_port(port))
        return fb_socket_fails(EADDRINUSE);
    one->port = port ? port : next_port++;
    return 0;
}

typedef struct {
    fb_socket *socket;
    fb_stream *stream;
    int error;
} handshake;

static void handshake_ends(void *arg)
{
    handshake *one = arg;
    if (one->stream->socket == one->socket && one->socket->state == FB_CONNECTING) {
        one->socket->state = one->error ? FB_IDLE : FB_CONNECTED;
        one->socket->error = one->error;
        if (one->error) {
            one->socket->stream = NULL;
            one->stream->socket = NULL;
        }
    }
    free(one);
    fb_net_activity();
}

static int begin_connect(fb_socket *one, uint32_t address, uint16_t port)
{
    fb_server *server = fb_net_find(address, port);
    handshake *pending = malloc(sizeof *pending);
    *pending = (handshake){.socket = one, .stream = fb_stream_open(one, server), .error = ETIMEDOUT};
    if (server)
        pending->error = server->connect ? server->connect(pending->stream) : 0;
    fb_trace("net", "connect %u to %u.%u.%u.%u:%u: %d", fb_stream_number(pending->stream), address >> 24,
             address >> 16 & 255, address >> 8 & 255, address & 255, port, pending->error);
    one->state = FB_CONNECTING;
    one->stream = pending->stream;
    one->peer = address;
    one->peer_port = port;
    fb_at(fb_now() + (pending->error == ETIMEDOUT ? CONNECT_TIMEOUT : 2 * FB_NET_DELAY), handshake_ends, pending);
    return EINPROGRESS;
}

int zsock_connect(int sock, const struct sockaddr *addr, socklen_t addrlen)
{
    uint32_t address;
    uint16_t port;
    fb_socket *one = with_address(sock, addr, addrlen, &address, &port);
    if (!one)
        return -1;
    if (one->type == SOCK_DGRAM) {
        one->peer = address;
        one->peer_port = port;
        one->state = FB_CONNECTED;
        if (!one->port)
            one->port = next_port++;
        return 0;
    }
    if (one->state != FB_IDLE)
        return fb_socket_fails(one->state == FB_CONNECTED ? EISCONN : EALREADY);
    int error = begin_connect(one, address, port);
    if (one->nonblocking)
        return fb_socket_fails(error);
    while (one->open && one->state == FB_CONNECTING)
        fb_net_wait(FB_FOREVER);
    if (one->error) {
        error = one->error;
        one->error = 0;
        return fb_socket_fails(error);
    }
    return 0;
}

static ssize_t send_stream(fb_socket *one, const void *buf, size_t len)
{
    if (one->state != FB_CONNECTED)
        return fb_socket_fails(ENOTCONN);
    if (one->broken || one->shut) {
        one->error = 0;
        return fb_socket_fails(one->broken ? ECONNRESET : EPIPE);
    }
    size_t taken = one->stream->most && len > one->stream->most ? one->stream->most : len;
    fb_stream_client_sends(one->stream, buf, taken);
    fb_trace("net", "send %u: %zu of %zu", fb_stream_number(one->stream), taken, len);
    return (ssize_t)taken;
}

static ssize_t send_datagram(fb_socket *one, const void *buf, size_t len, const struct sockaddr *to, socklen_t to_size)
{
    uint32_t address = one->peer;
    uint16_t port = one->peer_port;
    if (!to && one->state != FB_CONNECTED)
        return fb_socket_fails(EDESTADDRREQ);
    int error = to ? read_address(to, to_size, &address, &port) : 0;
    if (!error && len > 1472)
        error = EMSGSIZE;
    if (error)
        return fb_socket_fails(error);
    if (!one->port)
        one->port = next_port++;
    fb_datagram_client_sends(one, address, port, buf, len);
    fb_trace("net", "datagram to %u.%u.%u.%u:%u: %zu", address >> 24, address >> 16 & 255, address >> 8 & 255,
             address & 255, port, len);
    return (ssize_t)len;
}

ssize_t zsock_sendto(int sock, const void *buf, size_t len, int flags, const struct sockaddr *dest_addr,
                     socklen_t addrlen)
{
    (void)flags;
    fb_socket *one = fb_socket_of(sock);
    if (!one)
        return -1;
    fb_spend(CALL_NS);
    int error = injected(&send_fault);
    if (error)
        return fb_socket_fails(error);
    return one->type == SOCK_STREAM ? send_stream(one, buf, len) : send_datagram(one, buf, len, dest_addr, addrlen);
}

ssize_t zsock_send(int sock, const void *buf, size_t len, int flags)
{
    return zsock_sendto(sock, buf, len, flags, NULL, 0);
}

ssize_t zsock_sendmsg(int sock, const struct msghdr *msg, int flags)
{
    uint8_t whole[1500];
    size_t length = 0;
    for (size_t i = 0; i < msg->msg_iovlen; i++) {
        if (msg->msg_iov[i].iov_len > sizeof whole - length)
            return fb_socket_fails(EMSGSIZE);
        memcpy(whole + length, msg->msg_iov[i].iov_base, msg->msg_iov[i].iov_len);
        length += msg->msg_iov[i].iov_len;
    }
    return zsock_sendto(sock, whole, length, flags, msg->msg_name, msg->msg_namelen);
}

static size_t take(fb_socket *one, uint8_t *to, size_t room, bool peek)
{
    size_t got = 0;
    fb_packet **at = &one->first;
    while (*at && got < room) {
        fb_packet *packet = *at;
        size_t part = packet->length - packet->used < room - got ? packet->length - packet->used : room - got;
        memcpy(to + got, packet->data + packet->used, part);
        got += part;
        if (one->type == SOCK_DGRAM || (!peek && packet->used + part == packet->length)) {
            if (!peek) {
                *at = packet->next;
                free(packet);
            }
            if (one->type == SOCK_DGRAM)
                break;
        } else if (peek) {
            at = &packet->next;
        } else {
            packet->used += part;
        }
    }
    return got;
}

static size_t available(const fb_socket *one)
{
    size_t total = 0;
    for (const fb_packet *packet = one->first; packet; packet = packet->next)
        total += packet->length - packet->used;
    return total;
}

bool fb_socket_readable(const fb_socket *one)
{
    return one->first || (one->type == SOCK_STREAM && (one->ended || one->broken));
}

static int await(fb_socket *one, size_t wanted, int flags)
{
    int64_t until = one->receive_ns ? fb_now() + one->receive_ns : FB_FOREVER;
    for (;;) {
        bool whole = !(flags & ZSOCK_MSG_WAITALL) || one->type == SOCK_DGRAM || available(one) >= wanted ||
                     one->ended || one->broken;
        if (!one->open)
            return EBADF;
        if (fb_socket_readable(one) && whole)
            return 0;
        if (one->nonblocking || (flags & ZSOCK_MSG_DONTWAIT) || fb_net_wait(until))
            return fb_socket_readable(one) ? 0 : EAGAIN;
    }
}

ssize_t zsock_recvfrom(int sock, void *buf, size_t max_len, int flags, struct sockaddr *src_addr, socklen_t *addrlen)
{
    fb_socket *one = fb_socket_of(sock);
    if (!one)
        return -1;
    fb_spend(CALL_NS);
    if (one->type == SOCK_STREAM && one->state != FB_CONNECTED)
        return fb_socket_fails(ENOTCONN);
    if (!max_len && one->type == SOCK_STREAM)
        return 0;
    int error = await(one, max_len, flags);
    if (error)
        return fb_socket_fails(error);
    if (!one->first && one->broken)
        return fb_socket_fails(ECONNRESET);
    if (!one->first)
        return 0;
    if (one->type == SOCK_DGRAM && src_addr && addrlen) {
        struct sockaddr_in from = {.sin_family = AF_INET, .sin_port = htons(one->first->from_port)};
        from.sin_addr.s_addr = htonl(one->first->from);
        memcpy(src_addr, &from, *addrlen < sizeof from ? *addrlen : sizeof from);
        *addrlen = sizeof from;
    }
    size_t length = one->first->length;
    size_t got = take(one, buf, max_len, flags & ZSOCK_MSG_PEEK);
    return (ssize_t)(one->type == SOCK_DGRAM && (flags & ZSOCK_MSG_TRUNC) ? length : got);
}

ssize_t zsock_recv(int sock, void *buf, size_t max_len, int flags)
{
    return zsock_recvfrom(sock, buf, max_len, flags, NULL, NULL);
}

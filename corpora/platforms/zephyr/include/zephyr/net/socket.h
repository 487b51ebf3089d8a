#ifndef ZEPHYR_NET_SOCKET_H
#define ZEPHYR_NET_SOCKET_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/types.h>

#include <zephyr/kernel.h>
#include <zephyr/net/net_ip.h>

struct zsock_pollfd {
    int fd;
    short events;
    short revents;
};

struct iovec {
    void *iov_base;
    size_t iov_len;
};

struct msghdr {
    void *msg_name;
    socklen_t msg_namelen;
    struct iovec *msg_iov;
    size_t msg_iovlen;
    void *msg_control;
    size_t msg_controllen;
    int msg_flags;
};

struct zsock_addrinfo {
    struct zsock_addrinfo *ai_next;
    int ai_flags;
    int ai_family;
    int ai_socktype;
    int ai_protocol;
    int ai_eflags;
    socklen_t ai_addrlen;
    struct sockaddr *ai_addr;
    char *ai_canonname;
    struct sockaddr _ai_addr;
    char _ai_canonname[32];
};

#define ZSOCK_POLLIN 1
#define ZSOCK_POLLPRI 2
#define ZSOCK_POLLOUT 4
#define ZSOCK_POLLERR 8
#define ZSOCK_POLLHUP 0x10
#define ZSOCK_POLLNVAL 0x20

#define ZSOCK_MSG_PEEK 0x02
#define ZSOCK_MSG_TRUNC 0x20
#define ZSOCK_MSG_DONTWAIT 0x40
#define ZSOCK_MSG_WAITALL 0x100
#define ZSOCK_MSG_NOSIGNAL 0

#define ZSOCK_SHUT_RD 0
#define ZSOCK_SHUT_WR 1
#define ZSOCK_SHUT_RDWR 2

#define ZVFS_F_GETFL 3
#define ZVFS_F_SETFL 4
#define ZVFS_O_NONBLOCK 0x4000
#define ZSOCK_F_GETFL ZVFS_F_GETFL
#define ZSOCK_F_SETFL ZVFS_F_SETFL

#define SOL_SOCKET 1
#define SO_DEBUG 1
#define SO_REUSEADDR 2
#define SO_TYPE 3
#define SO_ERROR 4
#define SO_BROADCAST 6
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_KEEPALIVE 9
#define SO_LINGER 13
#define SO_REUSEPORT 15
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SO_BINDTODEVICE 25
#define SO_PROTOCOL 38
#define TCP_NODELAY 1
#define TCP_KEEPIDLE 2
#define TCP_KEEPINTVL 3
#define TCP_KEEPCNT 4

#define DNS_EAI_NONAME -2
#define DNS_EAI_FAMILY -6

/* The names without the prefix, which CONFIG_NET_SOCKETS_POSIX_NAMES gave and POSIX gives. */
#define POLLIN ZSOCK_POLLIN
#define POLLOUT ZSOCK_POLLOUT
#define POLLERR ZSOCK_POLLERR
#define POLLHUP ZSOCK_POLLHUP
#define POLLNVAL ZSOCK_POLLNVAL
#define MSG_PEEK ZSOCK_MSG_PEEK
#define MSG_DONTWAIT ZSOCK_MSG_DONTWAIT
#define MSG_WAITALL ZSOCK_MSG_WAITALL
#define SHUT_RD ZSOCK_SHUT_RD
#define SHUT_WR ZSOCK_SHUT_WR
#define SHUT_RDWR ZSOCK_SHUT_RDWR

int zsock_socket(int family, int type, int proto);
int zsock_close(int sock);
int zsock_shutdown(int sock, int how);
int zsock_bind(int sock, const struct sockaddr *addr, socklen_t addrlen);
int zsock_connect(int sock, const struct sockaddr *addr, socklen_t addrlen);
ssize_t zsock_send(int sock, const void *buf, size_t len, int flags);
ssize_t zsock_sendto(int sock, const void *buf, size_t len, int flags, const struct sockaddr *dest_addr,
                     socklen_t addrlen);
ssize_t zsock_sendmsg(int sock, const struct msghdr *msg, int flags);
ssize_t zsock_recv(int sock, void *buf, size_t max_len, int flags);
ssize_t zsock_recvfrom(int sock, void *buf, size_t max_len, int flags, struct sockaddr *src_addr, socklen_t *addrlen);
int zsock_poll(struct zsock_pollfd *fds, int nfds, int timeout);
int zsock_getsockopt(int sock, int level, int optname, void *optval, socklen_t *optlen);
int zsock_setsockopt(int sock, int level, int optname, const void *optval, socklen_t optlen);
int zsock_fcntl(int sock, int cmd, int flags);
int zsock_getpeername(int sock, struct sockaddr *addr, socklen_t *addrlen);
int zsock_getsockname(int sock, struct sockaddr *addr, socklen_t *addrlen);
int zsock_inet_pton(sa_family_t family, const char *src, void *dst);
char *zsock_inet_ntop(sa_family_t family, const void *src, char *dst, size_t size);
int zsock_getaddrinfo(const char *host, const char *service, const struct zsock_addrinfo *hints,
                      struct zsock_addrinfo **res);
void zsock_freeaddrinfo(struct zsock_addrinfo *ai);
const char *zsock_gai_strerror(int errcode);

#endif

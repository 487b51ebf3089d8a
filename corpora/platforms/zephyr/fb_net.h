/* What a scenario does with the network: servers that it plays. One way takes FB_NET_DELAY.
 *
 * Traced as kind "net": socket, connect, close and what passes. Server functions are called outside any thread, at the
 * time when the bytes have arrived at the server. */
#ifndef FB_NET_H
#define FB_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FB_NET_DELAY FB_MS(10)
#define FB_IP(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))

typedef struct fb_stream fb_stream; /* one TCP connection, as the server sees it */

typedef struct fb_server {
    uint32_t address;
    uint16_t port;
    /* TCP. `connect` gives 0 to accept, else the client's errno: ECONNREFUSED at once, ETIMEDOUT after 5 s. NULL: accept. */
    int (*connect)(fb_stream *stream);
    void (*receive)(fb_stream *stream, const uint8_t *data, size_t length);
    void (*closed)(fb_stream *stream); /* by the client */
    /* UDP */
    void (*datagram)(uint16_t from_port, const uint8_t *data, size_t length);
    struct fb_server *next;
} fb_server;

void fb_net_serve(fb_server *server);

unsigned fb_stream_number(const fb_stream *stream); /* 0 for the first connection of the run */
/* Send to the client, leaving the server `after` ns from now; pieces stay in order. */
void fb_stream_send(fb_stream *stream, int64_t after, const void *data, size_t length);
void fb_stream_close(fb_stream *stream, int64_t after); /* the server says that it will send no more */
void fb_stream_reset(fb_stream *stream, int64_t after);
/* Each further send of the client takes at most `most` bytes; 0: all. */
void fb_stream_take(fb_stream *stream, size_t most);

/* A datagram to the client's port, from any address. */
void fb_net_datagram(uint32_t from, uint16_t from_port, uint16_t to_port, int64_t after, const void *data, size_t length);

int fb_sockets_open(void);
int fb_sockets_most_open(void);
void fb_net_fail_socket(unsigned skip, unsigned count, int error);
void fb_net_fail_send(unsigned skip, unsigned count, int error);

#endif

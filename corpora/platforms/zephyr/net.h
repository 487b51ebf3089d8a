/* What the socket calls and the scripted servers share: the sockets, and what is on its way to them. */
#ifndef FB_NET_MODEL_H
#define FB_NET_MODEL_H

#include "fb_net.h"
#include "sim.h"

typedef struct fb_packet {
    struct fb_packet *next;
    uint32_t from;
    uint16_t from_port;
    size_t length, used;
    uint8_t data[];
} fb_packet;

typedef struct fb_socket {
    bool open, nonblocking;
    int type;
    enum { FB_IDLE, FB_CONNECTING, FB_CONNECTED } state;
    int error; /* pending, as SO_ERROR gives it */
    bool ended, broken, shut;
    uint16_t port, peer_port;
    uint32_t peer;
    int64_t receive_ns, send_ns; /* 0: wait without end */
    fb_packet *first;
    fb_stream *stream;
} fb_socket;

struct fb_stream {
    unsigned number;
    fb_server *server;
    fb_socket *socket; /* NULL once the client has closed it */
    size_t most;
    bool over; /* the server has closed or reset it: what the client still sends is answered with a reset */
    int64_t in_order; /* nothing arrives at the client before this */
};

fb_server *fb_net_find(uint32_t address, uint16_t port);
void fb_net_activity(void); /* something changed that a call may wait for */
int fb_net_wait(int64_t until);
fb_stream *fb_stream_open(fb_socket *socket, fb_server *server);
void fb_stream_client_sends(fb_stream *stream, const void *data, size_t length);
void fb_stream_client_closes(fb_stream *stream);
void fb_datagram_client_sends(fb_socket *socket, uint32_t to, uint16_t to_port, const void *data, size_t length);
fb_socket *fb_socket_of_port(uint16_t port);

#endif

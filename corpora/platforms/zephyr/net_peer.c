/* The servers that a scenario plays, and the wire between them and the sockets. */
#include "net.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static fb_server *servers;
static fb_queue waiting = FB_QUEUE_INIT;
static unsigned streams;

typedef struct {
    fb_stream *stream;
    fb_server *server;
    enum { DATA_IN, CLOSE_IN, RESET_IN, DATA_OUT, CLOSE_OUT, DATAGRAM_IN, DATAGRAM_OUT } what;
    uint16_t port;
    fb_packet *packet;
} delivery;

void fb_net_serve(fb_server *server)
{
    server->next = servers;
    servers = server;
}

fb_server *fb_net_find(uint32_t address, uint16_t port)
{
    for (fb_server *one = servers; one; one = one->next)
        if (one->address == address && one->port == port)
            return one;
    return NULL;
}

void fb_net_activity(void)
{
    fb_wake_all(&waiting);
}

int fb_net_wait(int64_t until)
{
    return fb_wait(&waiting, until);
}

static fb_packet *packet_of(const void *data, size_t length, uint32_t from, uint16_t from_port)
{
    fb_packet *packet = malloc(sizeof *packet + length);
    *packet = (fb_packet){.from = from, .from_port = from_port, .length = length};
    if (length)
        memcpy(packet->data, data, length);
    return packet;
}

static void append(fb_socket *socket, fb_packet *packet)
{
    fb_packet **end = &socket->first;
    while (*end)
        end = &(*end)->next;
    *end = packet;
}

/* A datagram socket that is connected gets nothing from elsewhere. */
static bool takes_from(const fb_socket *socket, uint32_t address, uint16_t port)
{
    return socket->state != FB_CONNECTED || (socket->peer == address && socket->peer_port == port);
}

static void arrive(void *arg)
{
    delivery *one = arg;
    fb_socket *socket = one->stream ? one->stream->socket : fb_socket_of_port(one->port);
    switch (one->what) {
    case DATAGRAM_IN:
        if (socket && !takes_from(socket, one->packet->from, one->packet->from_port))
            break;
        /* fall through */
    case DATA_IN:
        if (socket && !socket->broken) {
            append(socket, one->packet);
            one->packet = NULL;
        }
        break;
    case CLOSE_IN:
        one->stream->over = true;
        if (socket)
            socket->ended = true;
        break;
    case RESET_IN:
        one->stream->over = true;
        if (socket && !socket->broken) {
            socket->broken = true;
            socket->error = ECONNRESET;
        }
        break;
    case DATA_OUT:
        if (one->stream->over)
            fb_stream_reset(one->stream, 0);
        else if (one->server->receive)
            one->server->receive(one->stream, one->packet->data, one->packet->length);
        break;
    case CLOSE_OUT:
        if (one->server->closed)
            one->server->closed(one->stream);
        break;
    case DATAGRAM_OUT:
        if (one->server && one->server->datagram)
            one->server->datagram(one->port, one->packet->data, one->packet->length);
        break;
    }
    free(one->packet);
    free(one);
    fb_net_activity();
}

static void post(delivery what, int64_t when)
{
    delivery *one = malloc(sizeof *one);
    *one = what;
    fb_at(when, arrive, one);
}

static int64_t client_time(fb_stream *stream, int64_t after)
{
    int64_t when = fb_now() + after + FB_NET_DELAY;
    if (when < stream->in_order)
        when = stream->in_order;
    stream->in_order = when;
    return when;
}

unsigned fb_stream_number(const fb_stream *stream)
{
    return stream->number;
}

void fb_stream_send(fb_stream *stream, int64_t after, const void *data, size_t length)
{
    post((delivery){.stream = stream, .what = DATA_IN, .packet = packet_of(data, length, 0, 0)},
         client_time(stream, after));
}

void fb_stream_close(fb_stream *stream, int64_t after)
{
    post((delivery){.stream = stream, .what = CLOSE_IN}, client_time(stream, after));
}

void fb_stream_reset(fb_stream *stream, int64_t after)
{
    post((delivery){.stream = stream, .what = RESET_IN}, client_time(stream, after));
}

void fb_stream_take(fb_stream *stream, size_t most)
{
    stream->most = most;
}

fb_stream *fb_stream_open(fb_socket *socket, fb_server *server)
{
    fb_stream *stream = calloc(1, sizeof *stream);
    stream->number = streams++;
    stream->server = server;
    stream->socket = socket;
    return stream;
}

void fb_stream_client_sends(fb_stream *stream, const void *data, size_t length)
{
    post(
        (delivery){
            .stream = stream, .server = stream->server, .what = DATA_OUT, .packet = packet_of(data, length, 0, 0)},
        fb_now() + FB_NET_DELAY);
}

void fb_stream_client_closes(fb_stream *stream)
{
    stream->socket = NULL;
    post((delivery){.stream = stream, .server = stream->server, .what = CLOSE_OUT}, fb_now() + FB_NET_DELAY);
}

void fb_datagram_client_sends(fb_socket *socket, uint32_t to, uint16_t to_port, const void *data, size_t length)
{
    post((delivery){.server = fb_net_find(to, to_port),
                    .what = DATAGRAM_OUT,
                    .port = socket->port,
                    .packet = packet_of(data, length, 0, 0)},
         fb_now() + FB_NET_DELAY);
}

void fb_net_datagram(uint32_t from, uint16_t from_port, uint16_t to_port, int64_t after, const void *data,
                     size_t length)
{
    post((delivery){.what = DATAGRAM_IN, .port = to_port, .packet = packet_of(data, length, from, from_port)},
         fb_now() + after + FB_NET_DELAY);
}

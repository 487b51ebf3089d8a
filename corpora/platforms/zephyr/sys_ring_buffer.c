/* Ring buffers of bytes. */
#include "fb_zephyr.h"

#include <zephyr/sys/ring_buffer.h>

void ring_buf_init(struct ring_buf *buf, uint32_t size, uint8_t *data)
{
    *buf = (struct ring_buf){.buffer = data, .size = size};
}

void ring_buf_reset(struct ring_buf *buf)
{
    buf->put_head = buf->put_tail = buf->get_head = buf->get_tail = 0;
}

uint32_t ring_buf_size_get(const struct ring_buf *buf)
{
    return buf->put_tail - buf->get_head;
}

bool ring_buf_is_empty(const struct ring_buf *buf)
{
    return ring_buf_size_get(buf) == 0;
}

uint32_t ring_buf_space_get(const struct ring_buf *buf)
{
    return buf->size - (buf->put_head - buf->get_tail);
}

uint32_t ring_buf_capacity_get(const struct ring_buf *buf)
{
    return buf->size;
}

static uint32_t claim(struct ring_buf *buf, volatile uint32_t *head, uint32_t most, uint8_t **data, uint32_t size)
{
    uint32_t at = *head % buf->size, run = buf->size - at;
    uint32_t length = MIN(MIN(size, most), run);
    *data = buf->buffer + at;
    *head += length;
    return length;
}

static int finish(volatile uint32_t *head, volatile uint32_t *tail, uint32_t size)
{
    if (size > *head - *tail)
        return -EINVAL;
    *tail += size;
    *head = *tail;
    return 0;
}

uint32_t ring_buf_put_claim(struct ring_buf *buf, uint8_t **data, uint32_t size)
{
    return claim(buf, &buf->put_head, ring_buf_space_get(buf), data, size);
}

int ring_buf_put_finish(struct ring_buf *buf, uint32_t size)
{
    return finish(&buf->put_head, &buf->put_tail, size);
}

uint32_t ring_buf_get_claim(struct ring_buf *buf, uint8_t **data, uint32_t size)
{
    return claim(buf, &buf->get_head, ring_buf_size_get(buf), data, size);
}

int ring_buf_get_finish(struct ring_buf *buf, uint32_t size)
{
    return finish(&buf->get_head, &buf->get_tail, size);
}

uint32_t ring_buf_put(struct ring_buf *buf, const uint8_t *data, uint32_t size)
{
    uint32_t length = MIN(size, ring_buf_space_get(buf));
    for (uint32_t i = 0; i < length; i++)
        buf->buffer[(buf->put_tail + i) % buf->size] = data[i];
    buf->put_head = buf->put_tail += length;
    return length;
}

uint32_t ring_buf_peek(struct ring_buf *buf, uint8_t *data, uint32_t size)
{
    uint32_t length = MIN(size, ring_buf_size_get(buf));
    for (uint32_t i = 0; i < length && data; i++)
        data[i] = buf->buffer[(buf->get_head + i) % buf->size];
    return length;
}

uint32_t ring_buf_get(struct ring_buf *buf, uint8_t *data, uint32_t size)
{
    uint32_t length = ring_buf_peek(buf, data, size);
    buf->get_head = buf->get_tail += length;
    return length;
}

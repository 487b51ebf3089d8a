#ifndef ZEPHYR_SYS_RING_BUFFER_H
#define ZEPHYR_SYS_RING_BUFFER_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <zephyr/sys/util.h>

/* One producer and one consumer need no lock; put and get count in whole numbers that only wrap in the index. */
struct ring_buf {
    uint8_t *buffer;
    uint32_t size;
    volatile uint32_t put_head, put_tail, get_head, get_tail;
};
#define RING_BUF_INIT(buf, size8) {.buffer = (buf), .size = (size8)}
#define RING_BUF_DECLARE(name, size8) \
    static uint8_t _ring_buffer_data_##name[size8]; \
    struct ring_buf name = RING_BUF_INIT(_ring_buffer_data_##name, size8)
void ring_buf_init(struct ring_buf *buf, uint32_t size, uint8_t *data);
void ring_buf_reset(struct ring_buf *buf);
bool ring_buf_is_empty(const struct ring_buf *buf);
uint32_t ring_buf_space_get(const struct ring_buf *buf);
uint32_t ring_buf_capacity_get(const struct ring_buf *buf);
uint32_t ring_buf_size_get(const struct ring_buf *buf);
uint32_t ring_buf_put_claim(struct ring_buf *buf, uint8_t **data, uint32_t size);
int ring_buf_put_finish(struct ring_buf *buf, uint32_t size);
uint32_t ring_buf_put(struct ring_buf *buf, const uint8_t *data, uint32_t size);
uint32_t ring_buf_get_claim(struct ring_buf *buf, uint8_t **data, uint32_t size);
int ring_buf_get_finish(struct ring_buf *buf, uint32_t size);
uint32_t ring_buf_get(struct ring_buf *buf, uint8_t *data, uint32_t size);
uint32_t ring_buf_peek(struct ring_buf *buf, uint8_t *data, uint32_t size);

#endif

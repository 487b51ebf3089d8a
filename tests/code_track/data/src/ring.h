#ifndef RING_H
#define RING_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RING_SIZE 64u
#define RING_NEXT(index) (((index) + 1u) % RING_SIZE)

typedef void (*ring_hook_t)(uint8_t byte, void *user);

struct ring {
    uint8_t bytes[RING_SIZE];
    size_t head;
    size_t tail;
    uint32_t lost;
    ring_hook_t on_full;
    void *user;
};

bool ring_put(struct ring *ring, uint8_t byte);
bool ring_get(struct ring *ring, uint8_t *byte);
size_t ring_drain(struct ring *ring, uint8_t *out, size_t room);
uint16_t ring_checksum(const struct ring *ring);
#endif

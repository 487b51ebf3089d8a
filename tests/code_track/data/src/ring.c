#include "ring.h"
#include <string.h>

static uint32_t total_lost;

/* Put one byte at the head of the ring. A full ring keeps its content, counts the byte as lost and tells its hook. */
bool ring_put(struct ring *ring, uint8_t byte)
{
    size_t next = RING_NEXT(ring->head);
    if (next == ring->tail) {
        ring->lost++;
        total_lost++;
        if (ring->on_full != NULL) {
            ring->on_full(byte, ring->user);
        }
        return false;
    }
    ring->bytes[ring->head] = byte;
    ring->head = next;
    return true;
}

/* Take the oldest byte out of the ring; false when there is none. */
bool ring_get(struct ring *ring, uint8_t *byte)
{
    if (ring->head == ring->tail) {
        return false;
    }
    *byte = ring->bytes[ring->tail];
    ring->tail = RING_NEXT(ring->tail);
    return true;
}

size_t ring_drain(struct ring *ring, uint8_t *out, size_t room)
{
    size_t taken = 0;
    while (taken < room && ring_get(ring, &out[taken])) {
        taken++;
    }
    if (taken < room) {
        memset(&out[taken], 0, room - taken);
    }
    return taken;
}

uint16_t ring_checksum(const struct ring *ring)
{
    uint16_t sum = 0xFFFFu;
    for (size_t at = ring->tail; at != ring->head; at = RING_NEXT(at)) {
        sum ^= (uint16_t)(ring->bytes[at] << 8);
        for (int bit = 0; bit < 8; bit++) {
            if (sum & 0x8000u) {
                sum = (uint16_t)((sum << 1) ^ 0x1021u);
            } else {
                sum = (uint16_t)(sum << 1);
            }
        }
    }
    return sum;
}

uint32_t ring_total_lost(void)
{
    return total_lost;
}

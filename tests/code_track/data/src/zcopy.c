#include "ring.h"
#include <string.h>

size_t ring_drain_again(struct ring *ring, uint8_t *out, size_t room)
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

uint32_t scale(uint32_t value, uint32_t by)
{
    uint64_t wide = (uint64_t)value * by;
    if (wide > UINT32_MAX) {
        return UINT32_MAX;
    }
    return (uint32_t)wide;
}

#include "../src/ring.h"
#include <assert.h>

void test_wraps(void)
{
    struct ring ring = {0};
    for (int i = 0; i < 100; i++) {
        ring_put(&ring, (uint8_t)i);
    }
    uint8_t byte = 0;
    assert(ring_get(&ring, &byte));
    assert(byte == 0);
}

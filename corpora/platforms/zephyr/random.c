/* Random numbers that no verdict depends on by chance: the same ones in each run. */
#include <zephyr/random/random.h>

uint64_t sys_rand64_get(void)
{
    static uint64_t state = 0x9e3779b97f4a7c15u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

uint32_t sys_rand32_get(void)
{
    return (uint32_t)(sys_rand64_get() >> 32);
}

uint16_t sys_rand16_get(void)
{
    return (uint16_t)sys_rand32_get();
}

uint8_t sys_rand8_get(void)
{
    return (uint8_t)sys_rand32_get();
}

void sys_rand_get(void *dst, size_t len)
{
    for (size_t i = 0; i < len; i++)
        ((uint8_t *)dst)[i] = sys_rand8_get();
}

int sys_csrand_get(void *dst, size_t len)
{
    sys_rand_get(dst, len);
    return 0;
}

/* Small numbers that are given out and taken back. */
#ifndef _LINUX_IDR_H
#define _LINUX_IDR_H

#include "kernel.h"
#include "slab.h"

struct ida {
    u64 used;
};
#define DEFINE_IDA(name) struct ida name = {0}
static inline void ida_init(struct ida *ida) { ida->used = 0; }
static inline int ida_alloc_range(struct ida *ida, unsigned least, unsigned most, gfp_t gfp)
{
    (void)gfp;
    for (unsigned n = least; n <= min(most, 63u); n++)
        if (!(ida->used >> n & 1)) {
            ida->used |= 1ULL << n;
            return (int)n;
        }
    return -ENOSPC;
}
#define ida_alloc(ida, gfp) ida_alloc_range(ida, 0, ~0u, gfp)
#define ida_alloc_min(ida, least, gfp) ida_alloc_range(ida, least, ~0u, gfp)
#define ida_alloc_max(ida, most, gfp) ida_alloc_range(ida, 0, most, gfp)
static inline void ida_free(struct ida *ida, unsigned n) { ida->used &= ~(1ULL << n); }
static inline void ida_destroy(struct ida *ida) { ida->used = 0; }

#endif

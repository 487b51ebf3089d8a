/* Memory of the modelled kernel and of its user space, protected page by page, so that a wrong access ends the run and
 * says what was touched. */
#define _GNU_SOURCE
#include "blocks.h"

#include "sim.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096u
#define ALIGNED 8u
#define POISON 0xa5
#define USER_BYTES (32u << 20)
#define MOST_AREAS 32768u

static lk_block *blocks;
static char *user;
static size_t user_used, areas;
static struct {
    char *start;
    size_t bytes;
} area[MOST_AREAS];

static char *map(size_t bytes, int protection)
{
    char *at = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        fb_panic("the model of the kernel has no memory left");
    return at;
}

void *lk_block_new(size_t bytes, const char *kind)
{
    size_t room = (bytes + ALIGNED - 1) & ~(size_t)(ALIGNED - 1);
    size_t mapped = ((room + PAGE - 1) & ~(size_t)(PAGE - 1)) + PAGE;
    lk_block *block = calloc(1, sizeof *block);
    block->pages = map(mapped, PROT_READ | PROT_WRITE);
    mprotect(block->pages + mapped - PAGE, PAGE, PROT_NONE);
    block->mapped = mapped;
    block->start = block->pages + mapped - PAGE - room;
    block->bytes = bytes;
    block->kind = kind;
    memset(block->pages, POISON, mapped - PAGE);
    block->next = blocks;
    blocks = block;
    return block->start;
}

lk_block *lk_block_at(const void *inside)
{
    for (lk_block *one = blocks; one; one = one->next)
        if ((const char *)inside >= one->pages && (const char *)inside < one->pages + one->mapped)
            return one;
    return NULL;
}

bool lk_block_retire(lk_block *block)
{
    bool whole = true;
    for (char *at = block->start + block->bytes; at < block->pages + block->mapped - PAGE; at++)
        whole &= (unsigned char)*at == POISON;
    for (char *at = block->pages; at < block->start; at++)
        whole &= (unsigned char)*at == POISON;
    block->freed = true;
    mprotect(block->pages, block->mapped, PROT_NONE);
    return whole;
}

void *lk_user_new(size_t bytes)
{
    if (!user)
        user = map(USER_BYTES, PROT_NONE);
    if (areas == MOST_AREAS || bytes > USER_BYTES - user_used)
        fb_panic("the scenario uses too much user memory");
    area[areas].start = user + user_used;
    area[areas].bytes = bytes;
    user_used += bytes + 64; /* a hole, so that no two areas touch */
    return area[areas++].start;
}

size_t lk_user_room(const void *at)
{
    const char *from = at;
    for (size_t i = areas; i-- > 0;) /* the newest is asked for most */
        if (from >= area[i].start && from < area[i].start + area[i].bytes)
            return (size_t)(area[i].start + area[i].bytes - from);
    return 0;
}

void lk_user_copy(void *to, const void *from, size_t n)
{
    mprotect(user, USER_BYTES, PROT_READ | PROT_WRITE);
    memcpy(to, from, n);
    mprotect(user, USER_BYTES, PROT_NONE);
}

static void crashed(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    const char *at = info->si_addr;
    const lk_block *block = lk_block_at(at);
    if (user && at >= user && at < user + USER_BYTES)
        fb_panic("oops: the kernel dereferenced a pointer to user memory");
    if (block && block->freed)
        fb_panic("oops: use after free of %s (%zu bytes)", block->kind, block->bytes);
    if (block)
        fb_panic("oops: access beyond the end of %s (%zu bytes)", block->kind, block->bytes);
    if ((size_t)at < PAGE)
        fb_panic("oops: NULL pointer dereference");
    if ((size_t)at >= (size_t)-PAGE)
        fb_panic("oops: an error pointer was dereferenced");
    fb_panic("oops: invalid memory access or stack overflow");
}

void lk_blocks_begin(void)
{
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

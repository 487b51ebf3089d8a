/* The clock and the events: a binary heap of slots, first by time, then by the order in which they were made. */
#include "core.h"

#include <stdlib.h>

struct fb_core fb_core = {.end = FB_S(10)};

typedef struct {
    int64_t when;
    uint64_t order;
    void (*fn)(void *);
    void *arg;
    uint32_t generation;
    uint32_t place; /* in the heap, from 1; 0: free */
} slot;

static slot *slots;
static uint32_t *heap; /* heap[1] is due first */
static uint32_t *free_slots;
static uint32_t slot_count, slot_room, heap_count, free_count;
static uint64_t made;

int64_t fb_now(void)
{
    return fb_core.now;
}

void fb_attend(void)
{
    fb_core.quiet_until = 0;
}

void fb_end_at(int64_t when)
{
    fb_core.end = when > fb_core.now ? when : fb_core.now;
    fb_attend();
}

int64_t fb_next_event(void)
{
    return heap_count ? slots[heap[1]].when : FB_FOREVER;
}

int64_t fb_next_due(void)
{
    int64_t next = fb_next_event();
    return next < fb_core.end ? next : fb_core.end;
}

static bool before(uint32_t a, uint32_t b)
{
    const slot *x = &slots[a], *y = &slots[b];
    return x->when != y->when ? x->when < y->when : x->order < y->order;
}

static void put(uint32_t place, uint32_t index)
{
    heap[place] = index;
    slots[index].place = place;
}

static void sift(uint32_t place)
{
    uint32_t index = heap[place];
    for (; place > 1 && before(index, heap[place / 2]); place /= 2)
        put(place, heap[place / 2]);
    for (uint32_t child; (child = place * 2) <= heap_count; place = child) {
        if (child < heap_count && before(heap[child + 1], heap[child]))
            child++;
        if (!before(heap[child], index))
            break;
        put(place, heap[child]);
    }
    put(place, index);
}

static void take_out(uint32_t index)
{
    uint32_t place = slots[index].place;
    slots[index].place = 0;
    slots[index].generation++;
    free_slots[free_count++] = index;
    uint32_t last = heap[heap_count--];
    if (last != index) {
        heap[place] = last;
        sift(place);
    }
}

/* A handle is slot and generation, so that the handle of a past event is known to be void. */
static fb_event *handle_of(uint32_t index)
{
    return (fb_event *)(((uintptr_t)slots[index].generation << 24 | index) + 1);
}

static bool find(const fb_event *event, uint32_t *index)
{
    uintptr_t value = (uintptr_t)event - 1;
    *index = value & 0xffffff;
    return event && *index < slot_count && slots[*index].place && slots[*index].generation == (uint32_t)(value >> 24);
}

fb_event *fb_at(int64_t when, void (*fn)(void *), void *arg)
{
    if (!free_count) {
        if (slot_count == slot_room) {
            slot_room = slot_room ? slot_room * 2 : 64;
            slots = realloc(slots, slot_room * sizeof *slots);
            heap = realloc(heap, (slot_room + 1) * sizeof *heap);
            free_slots = realloc(free_slots, slot_room * sizeof *free_slots);
        }
        slots[slot_count] = (slot){0};
        free_slots[free_count++] = slot_count++;
    }
    uint32_t index = free_slots[--free_count];
    slots[index] = (slot){.when = when > fb_core.now ? when : fb_core.now,
                          .order = made++,
                          .fn = fn,
                          .arg = arg,
                          .generation = slots[index].generation};
    put(++heap_count, index);
    sift(heap_count);
    if (when < fb_core.quiet_until)
        fb_core.quiet_until = when;
    return handle_of(index);
}

void fb_cancel(fb_event *event)
{
    uint32_t index;
    if (find(event, &index))
        take_out(index);
}

bool fb_pending(const fb_event *event)
{
    uint32_t index;
    return find(event, &index);
}

bool fb_event_step(int64_t until)
{
    if (!heap_count || slots[heap[1]].when > until)
        return false;
    uint32_t index = heap[1];
    void (*fn)(void *) = slots[index].fn;
    void *arg = slots[index].arg;
    if (slots[index].when > fb_core.now)
        fb_core.now = slots[index].when;
    take_out(index);
    if (++fb_core.events > FB_MOST_EVENTS) {
        fb_core.limit = "too many events of the hardware";
        fb_finish();
    }
    fb_core.in_event = true;
    fn(arg);
    fb_core.in_event = false;
    return true;
}

void fb_spend(int64_t ns)
{
    if (fb_core.phase != FB_RUN)
        return;
    if (fb_core.in_event)
        fb_panic("the platform called the candidate outside an interrupt");
    for (int64_t left = ns;;) {
        int64_t until = left < fb_core.end - fb_core.now ? fb_core.now + left : fb_core.end;
        int64_t from = fb_core.now;
        bool acted = fb_event_step(until);
        if (!acted)
            fb_core.now = until;
        left -= fb_core.now - from;
        if (fb_core.now >= fb_core.end && fb_next_event() > fb_core.end)
            fb_finish();
        fb_take_interrupts();
        fb_give_way();
        if (!acted)
            break;
    }
    fb_core.quiet_until = fb_next_due();
}

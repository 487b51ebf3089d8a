/* /dev/gpiochipN, uAPI version 2: requests of lines, values, edge events with debouncing left to the program. */
#include "lu.h"

#include <fcntl.h>
#include <linux/gpio.h>

enum { LINES = 64, EVENTS = 64 };

struct lu_gpio {
    const char *path;
    unsigned count;
    int outside[LINES], driven[LINES]; /* driven -1: no output */
    struct request *requests[LINES];
};
typedef struct request {
    lu_gpio *chip;
    unsigned offsets[GPIO_V2_LINES_MAX], count;
    uint64_t flags;
    struct gpio_v2_line_event events[EVENTS];
    unsigned used, sequence, line_sequence[LINES];
} request;

static int level_of(const lu_gpio *chip, unsigned line) { return chip->driven[line] >= 0 ? chip->driven[line] : chip->outside[line]; }
static bool low_active(const request *r) { return r->flags & GPIO_V2_LINE_FLAG_ACTIVE_LOW; }

static void set(request *r, const struct gpio_v2_line_values *values)
{
    for (unsigned i = 0; i < r->count; i++)
        if (values->mask >> i & 1)
            r->chip->driven[r->offsets[i]] = (int)(values->bits >> i & 1) ^ low_active(r);
    fb_trace("gpio", "%s set", r->chip->path);
}
static int request_ioctl(void *self, unsigned long command, void *argument)
{
    request *r = self;
    struct gpio_v2_line_values *values = argument;
    if (command == GPIO_V2_LINE_GET_VALUES_IOCTL) {
        values->bits = 0;
        for (unsigned i = 0; i < r->count; i++)
            if (values->mask >> i & 1 && level_of(r->chip, r->offsets[i]) ^ low_active(r))
                values->bits |= 1ull << i;
        return 0;
    }
    if (command == GPIO_V2_LINE_SET_VALUES_IOCTL) {
        if (!(r->flags & GPIO_V2_LINE_FLAG_OUTPUT))
            return -EPERM;
        set(r, values);
        return 0;
    }
    if (command == GPIO_V2_LINE_SET_CONFIG_IOCTL) {
        r->flags = ((struct gpio_v2_line_config *)argument)->flags;
        return 0;
    }
    return -ENOTTY;
}
static long request_read(void *self, void *to, size_t n)
{
    request *r = self;
    if (n < sizeof r->events[0])
        return -EINVAL;
    if (!r->used)
        return LU_BLOCK;
    unsigned count = (unsigned)(n / sizeof r->events[0]) < r->used ? (unsigned)(n / sizeof r->events[0]) : r->used;
    memcpy(to, r->events, count * sizeof r->events[0]);
    memmove(r->events, r->events + count, (r->used -= count) * sizeof r->events[0]);
    return (long)(count * sizeof r->events[0]);
}
static unsigned request_events(void *self) { return ((request *)self)->used ? POLLIN : 0; }
static void request_close(void *self)
{
    request *r = self;
    for (unsigned i = 0; i < r->count; i++) {
        r->chip->requests[r->offsets[i]] = NULL;
        r->chip->driven[r->offsets[i]] = -1;
    }
    free(r);
}
static int ask(lu_gpio *chip, struct gpio_v2_line_request *wanted)
{
    uint64_t flags = wanted->config.flags;
    bool in = flags & GPIO_V2_LINE_FLAG_INPUT, out = flags & GPIO_V2_LINE_FLAG_OUTPUT;
    bool edges = flags & (GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING);
    if (!wanted->num_lines || wanted->num_lines > GPIO_V2_LINES_MAX || (in && out) || (edges && !in))
        return -EINVAL;
    for (unsigned i = 0; i < wanted->num_lines; i++)
        if (wanted->offsets[i] >= chip->count || chip->requests[wanted->offsets[i]])
            return wanted->offsets[i] >= chip->count ? -EINVAL : -EBUSY;
    request *r = calloc(1, sizeof *r);
    r->chip = chip;
    r->count = wanted->num_lines;
    r->flags = flags;
    for (unsigned i = 0; i < r->count; i++) {
        r->offsets[i] = wanted->offsets[i];
        chip->requests[r->offsets[i]] = r;
    }
    if (out) {
        struct gpio_v2_line_values values = {.mask = ~0ull};
        for (unsigned i = 0; i < wanted->config.num_attrs && i < GPIO_V2_LINE_NUM_ATTRS_MAX; i++)
            if (wanted->config.attrs[i].attr.id == GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES)
                values.bits = wanted->config.attrs[i].attr.values & wanted->config.attrs[i].mask;
        set(r, &values);
    }
    wanted->fd = lu_new_fd(&(lu_device){.path = "gpio lines", .self = r, .read = request_read, .ioctl = request_ioctl,
                                       .events = request_events, .close = request_close});
    return 0;
}
static int chip_ioctl(void *self, unsigned long command, void *argument)
{
    lu_gpio *chip = self;
    if (command == GPIO_V2_GET_LINE_IOCTL)
        return ask(chip, argument);
    if (command == GPIO_GET_CHIPINFO_IOCTL) {
        struct gpiochip_info *info = argument;
        *info = (struct gpiochip_info){.name = "gpiochip", .label = "model", .lines = chip->count};
        return 0;
    }
    if (command == GPIO_V2_GET_LINEINFO_IOCTL) {
        struct gpio_v2_line_info *info = argument;
        return info->offset < chip->count ? 0 : -EINVAL;
    }
    return -ENOTTY;
}
lu_gpio *lu_gpio_chip(const char *path, unsigned lines)
{
    lu_gpio *chip = calloc(1, sizeof *chip);
    chip->path = path;
    chip->count = lines < LINES ? lines : LINES;
    for (unsigned i = 0; i < LINES; i++)
        chip->driven[i] = -1;
    lu_add(&(lu_device){.path = path, .self = chip, .ioctl = chip_ioctl});
    return chip;
}
void lu_gpio_drive(lu_gpio *chip, unsigned line, int level)
{
    if (chip->outside[line] == level)
        return;
    chip->outside[line] = level;
    request *r = chip->requests[line];
    if (!r)
        return;
    bool rising = level ^ low_active(r);
    if (!(r->flags & (rising ? GPIO_V2_LINE_FLAG_EDGE_RISING : GPIO_V2_LINE_FLAG_EDGE_FALLING)) || r->used == EVENTS)
        return;
    clockid_t clock = r->flags & GPIO_V2_LINE_FLAG_EVENT_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    r->events[r->used++] = (struct gpio_v2_line_event){
        .timestamp_ns = (uint64_t)lu_clock(clock), .id = rising ? GPIO_V2_LINE_EVENT_RISING_EDGE : GPIO_V2_LINE_EVENT_FALLING_EDGE,
        .offset = line, .seqno = ++r->sequence, .line_seqno = ++r->line_sequence[line]};
    lu_changed();
}
int lu_gpio_level(const lu_gpio *chip, unsigned line) { return chip->driven[line]; }

/* Errors that a scenario asks for: after `skip` more calls, `count` give `error`. */
#ifndef FB_INJECTION_H
#define FB_INJECTION_H

typedef struct {
    unsigned skip, count;
    int error;
} injection;

/* What this call gives: 0, or the error. */
static inline int injected(injection *one)
{
    if (one->skip) {
        one->skip--;
        return 0;
    }
    if (!one->count)
        return 0;
    one->count--;
    return one->error;
}

#endif

/* Pipes: a ring of bytes. */
#include "fb_zephyr.h"

void k_pipe_init(struct k_pipe *pipe, unsigned char *buffer, size_t size)
{
    *pipe = (struct k_pipe){.magic = FB_MAGIC_PIPE, .buffer = buffer, .size = size, .open = true};
}

size_t k_pipe_read_avail(struct k_pipe *pipe)
{
    return pipe->used;
}

size_t k_pipe_write_avail(struct k_pipe *pipe)
{
    return pipe->size - pipe->used;
}

static size_t write_some(struct k_pipe *pipe, const uint8_t *data, size_t length)
{
    size_t done = 0;
    for (; done < length && pipe->used < pipe->size; done++)
        pipe->buffer[(pipe->head + pipe->used++) % pipe->size] = data[done];
    if (done)
        while (fb_unpend(&pipe->readers, 0))
            ;
    return done;
}

static size_t read_some(struct k_pipe *pipe, uint8_t *data, size_t length)
{
    size_t done = 0;
    for (; done < length && pipe->used; done++, pipe->used--) {
        data[done] = pipe->buffer[pipe->head];
        pipe->head = (pipe->head + 1) % pipe->size;
    }
    if (done)
        while (fb_unpend(&pipe->writers, 0))
            ;
    return done;
}

/* Until at least `least` bytes went through; returns how many did, or what stopped it when none did. */
static int transfer(struct k_pipe *pipe, uint8_t *read, const uint8_t *write, size_t length, size_t least,
                    k_timeout_t timeout, const char *call)
{
    if (!fb_initialised(pipe->magic, FB_MAGIC_PIPE, call))
        return -EINVAL;
    int64_t until = fb_deadline(timeout);
    for (size_t done = 0;;) {
        done += read ? read_some(pipe, read + done, length - done) : write_some(pipe, write + done, length - done);
        if (done >= least) {
            fb_reschedule();
            return (int)done;
        }
        if (!pipe->open)
            return done ? (int)done : -EPIPE;
        if (K_TIMEOUT_EQ(timeout, K_NO_WAIT) || !fb_may_block(call))
            return done ? (int)done : -EAGAIN;
        if (fb_wait(read ? &pipe->readers : &pipe->writers, until) < 0)
            return done ? (int)done : -EAGAIN;
    }
}

int k_pipe_write(struct k_pipe *pipe, const uint8_t *data, size_t len, k_timeout_t timeout)
{
    return transfer(pipe, NULL, data, len, len, timeout, "k_pipe_write");
}

int k_pipe_read(struct k_pipe *pipe, uint8_t *data, size_t len, k_timeout_t timeout)
{
    return transfer(pipe, data, NULL, len, len, timeout, "k_pipe_read");
}

static int old_result(int result, size_t *bytes, size_t least)
{
    *bytes = result > 0 ? (size_t)result : 0;
    return *bytes >= least ? 0 : result == -EINVAL ? -EINVAL : -EIO;
}

int k_pipe_put(struct k_pipe *pipe, const void *data, size_t bytes_to_write, size_t *bytes_written, size_t min_xfer,
               k_timeout_t timeout)
{
    int result = transfer(pipe, NULL, data, bytes_to_write, min_xfer, timeout, "k_pipe_put");
    return old_result(result, bytes_written, min_xfer);
}

int k_pipe_get(struct k_pipe *pipe, void *data, size_t bytes_to_read, size_t *bytes_read, size_t min_xfer,
               k_timeout_t timeout)
{
    int result = transfer(pipe, data, NULL, bytes_to_read, min_xfer, timeout, "k_pipe_get");
    return old_result(result, bytes_read, min_xfer);
}

static void wake_all(struct k_pipe *pipe, int result)
{
    while (fb_unpend(&pipe->readers, result) || fb_unpend(&pipe->writers, result))
        ;
    fb_reschedule();
}

void k_pipe_reset(struct k_pipe *pipe)
{
    pipe->used = 0;
    wake_all(pipe, -ECANCELED);
}

void k_pipe_close(struct k_pipe *pipe)
{
    pipe->open = false;
    wake_all(pipe, -EPIPE);
}

/* Stream and message buffers: bytes from one writer to one reader. */
#include "rtos.h"
#include "stream_buffer.h"

#include <stdlib.h>
#include <string.h>

#define STREAM_MAGIC 0x5354524du
#define LENGTH_BYTES sizeof(uint32_t) /* before each message, as on a 32-bit target */

struct StreamBufferDef_t {
    uint32_t magic;
    bool messages;
    size_t size, used, first, trigger;
    uint8_t *bytes;
    fb_queue readers, writers;
    void *memory;
    const void *buffer, *storage;
};

static bool is_stream(StreamBufferHandle_t stream, const char *call)
{
    return fb_rtos_is(stream, STREAM_MAGIC, call, "stream or message buffer that exists");
}

static StreamBufferHandle_t make(size_t size, size_t trigger, BaseType_t messages, uint8_t *bytes)
{
    StreamBufferHandle_t stream = calloc(1, sizeof *stream);
    *stream = (struct StreamBufferDef_t){.magic = STREAM_MAGIC,
                                         .messages = messages != pdFALSE,
                                         .size = size,
                                         .trigger = trigger ? trigger : 1,
                                         .bytes = bytes};
    return stream;
}

static bool sound(size_t size, size_t trigger, const char *call)
{
    if (size > 0 && trigger <= size)
        return true;
    fb_fault("invalid_argument", "%s is called with %zu bytes and a trigger level of %zu", call, size, trigger);
    return false;
}

StreamBufferHandle_t xStreamBufferGenericCreate(size_t size, size_t trigger, BaseType_t messages)
{
    static const char call[] = "xStreamBufferCreate";
    if (!fb_rtos_enter(call) || !sound(size, trigger, call))
        return NULL;
    uint8_t *memory = pvPortMalloc(sizeof(StaticStreamBuffer_t) + size + 1);
    if (!memory)
        return NULL;
    StreamBufferHandle_t stream = make(size, trigger, messages, memory + sizeof(StaticStreamBuffer_t));
    stream->memory = memory;
    return stream;
}

/* One byte of the given storage stays unused, as in the kernel. */
StreamBufferHandle_t xStreamBufferGenericCreateStatic(size_t size, size_t trigger, BaseType_t messages,
                                                      uint8_t *const storage, StaticStreamBuffer_t *const buffer)
{
    static const char call[] = "xStreamBufferCreateStatic";
    if (!fb_rtos_enter(call) || !sound(size - 1, trigger, call) || !fb_rtos_claim(storage, call) || !fb_rtos_claim(buffer, call))
        return NULL;
    StreamBufferHandle_t stream = make(size - 1, trigger, messages, storage);
    stream->buffer = buffer;
    stream->storage = storage;
    return stream;
}

void vStreamBufferDelete(StreamBufferHandle_t stream)
{
    if (!fb_rtos_enter("vStreamBufferDelete") || !is_stream(stream, "vStreamBufferDelete"))
        return;
    stream->magic = 0;
    vPortFree(stream->memory);
    fb_rtos_release(stream->buffer);
    fb_rtos_release(stream->storage);
}

static void put(StreamBufferHandle_t stream, const void *data, size_t length)
{
    for (size_t i = 0; i < length; i++)
        stream->bytes[(stream->first + stream->used + i) % stream->size] = ((const uint8_t *)data)[i];
    stream->used += length;
}

static void look(StreamBufferHandle_t stream, void *data, size_t length)
{
    for (size_t i = 0; i < length; i++)
        ((uint8_t *)data)[i] = stream->bytes[(stream->first + i) % stream->size];
}

static void drop(StreamBufferHandle_t stream, size_t length)
{
    stream->first = (stream->first + length) % stream->size;
    stream->used -= length;
}

/* Write what fits: all or nothing of a message. */
static size_t write_some(StreamBufferHandle_t stream, const void *data, size_t length, BaseType_t *woken)
{
    size_t space = stream->size - stream->used;
    if (stream->messages) {
        if (space < length + LENGTH_BYTES)
            return 0;
        put(stream, &(uint32_t){(uint32_t)length}, LENGTH_BYTES);
    } else if (length > space) {
        length = space;
    }
    put(stream, data, length);
    if (stream->used >= stream->trigger)
        fb_rtos_wake(&stream->readers, woken);
    return length;
}

static size_t read_some(StreamBufferHandle_t stream, void *data, size_t room, BaseType_t *woken)
{
    if (stream->used == 0)
        return 0;
    size_t length = stream->used;
    if (stream->messages) {
        uint32_t next;
        look(stream, &next, LENGTH_BYTES);
        length = next;
        if (length > room)
            return 0;
        drop(stream, LENGTH_BYTES);
    } else if (length > room) {
        length = room;
    }
    look(stream, data, length);
    drop(stream, length);
    fb_rtos_wake(&stream->writers, woken);
    return length;
}

static bool alone(const fb_queue *queue, const char *call)
{
    if (fb_first(queue))
        fb_fault("second_user", "%s is called while another task waits in it; a buffer has one writer and one reader",
                 call);
    return !fb_first(queue);
}

size_t xStreamBufferSend(StreamBufferHandle_t stream, const void *data, size_t length, TickType_t ticks)
{
    static const char call[] = "xStreamBufferSend";
    if (!fb_rtos_enter(call) || !is_stream(stream, call))
        return 0;
    size_t needed = stream->messages ? length + LENGTH_BYTES : length;
    if (needed > stream->size) {
        if (stream->messages)
            return 0;
        needed = stream->size;
    }
    int64_t until = fb_rtos_deadline(ticks);
    while (ticks && stream->size - stream->used < needed)
        if (!alone(&stream->writers, call) || !fb_rtos_block(&stream->writers, until, call))
            break;
    size_t written = write_some(stream, data, length, NULL);
    fb_rtos_leave();
    return written;
}

size_t xStreamBufferReceive(StreamBufferHandle_t stream, void *data, size_t room, TickType_t ticks)
{
    static const char call[] = "xStreamBufferReceive";
    if (!fb_rtos_enter(call) || !is_stream(stream, call))
        return 0;
    if (ticks && stream->used == 0 && alone(&stream->readers, call))
        fb_rtos_block(&stream->readers, fb_rtos_deadline(ticks), call);
    size_t length = read_some(stream, data, room, NULL);
    fb_rtos_leave();
    return length;
}

size_t xStreamBufferSendFromISR(StreamBufferHandle_t stream, const void *data, size_t length, BaseType_t *const woken)
{
    fb_rtos_enter_from_isr("xStreamBufferSendFromISR");
    return is_stream(stream, "xStreamBufferSendFromISR") ? write_some(stream, data, length, woken) : 0;
}

size_t xStreamBufferReceiveFromISR(StreamBufferHandle_t stream, void *data, size_t room, BaseType_t *const woken)
{
    fb_rtos_enter_from_isr("xStreamBufferReceiveFromISR");
    return is_stream(stream, "xStreamBufferReceiveFromISR") ? read_some(stream, data, room, woken) : 0;
}

size_t xStreamBufferNextMessageLengthBytes(StreamBufferHandle_t stream)
{
    uint32_t next = 0;
    if (is_stream(stream, "xStreamBufferNextMessageLengthBytes") && stream->messages && stream->used)
        look(stream, &next, LENGTH_BYTES);
    return next;
}

BaseType_t xStreamBufferReset(StreamBufferHandle_t stream)
{
    if (!is_stream(stream, "xStreamBufferReset") || fb_first(&stream->readers) || fb_first(&stream->writers))
        return pdFAIL;
    stream->used = stream->first = 0;
    return pdPASS;
}

BaseType_t xStreamBufferSetTriggerLevel(StreamBufferHandle_t stream, size_t trigger)
{
    if (!is_stream(stream, "xStreamBufferSetTriggerLevel") || trigger > stream->size)
        return pdFALSE;
    stream->trigger = trigger ? trigger : 1;
    return pdTRUE;
}

size_t xStreamBufferBytesAvailable(StreamBufferHandle_t stream)
{
    return is_stream(stream, "xStreamBufferBytesAvailable") ? stream->used : 0;
}

size_t xStreamBufferSpacesAvailable(StreamBufferHandle_t stream)
{
    return is_stream(stream, "xStreamBufferSpacesAvailable") ? stream->size - stream->used : 0;
}

BaseType_t xStreamBufferIsEmpty(StreamBufferHandle_t stream)
{
    return xStreamBufferBytesAvailable(stream) == 0 ? pdTRUE : pdFALSE;
}

BaseType_t xStreamBufferIsFull(StreamBufferHandle_t stream)
{
    size_t space = xStreamBufferSpacesAvailable(stream);
    return space <= (stream && stream->messages ? LENGTH_BYTES : 0) ? pdTRUE : pdFALSE;
}

/* Message buffers: stream buffers that keep the bounds of messages. */
#ifndef FREERTOS_MESSAGE_BUFFER_H
#define FREERTOS_MESSAGE_BUFFER_H

#include "stream_buffer.h"

typedef StreamBufferHandle_t MessageBufferHandle_t;

#define xMessageBufferCreate(size) xStreamBufferGenericCreate(size, 0, pdTRUE)
#define xMessageBufferCreateStatic(size, storage, buffer)                                                             \
    xStreamBufferGenericCreateStatic(size, 0, pdTRUE, storage, buffer)
#define xMessageBufferSend(buffer, data, length, ticks) xStreamBufferSend(buffer, data, length, ticks)
#define xMessageBufferSendFromISR(buffer, data, length, woken) xStreamBufferSendFromISR(buffer, data, length, woken)
#define xMessageBufferReceive(buffer, data, length, ticks) xStreamBufferReceive(buffer, data, length, ticks)
#define xMessageBufferReceiveFromISR(buffer, data, length, woken)                                                     \
    xStreamBufferReceiveFromISR(buffer, data, length, woken)
#define vMessageBufferDelete(buffer) vStreamBufferDelete(buffer)
#define xMessageBufferIsEmpty(buffer) xStreamBufferIsEmpty(buffer)
#define xMessageBufferIsFull(buffer) xStreamBufferIsFull(buffer)
#define xMessageBufferReset(buffer) xStreamBufferReset(buffer)
#define xMessageBufferSpaceAvailable(buffer) xStreamBufferSpacesAvailable(buffer)
#define xMessageBufferSpacesAvailable(buffer) xStreamBufferSpacesAvailable(buffer)
#define xMessageBufferNextLengthBytes(buffer) xStreamBufferNextMessageLengthBytes(buffer)

#endif

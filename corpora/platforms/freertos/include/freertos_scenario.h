/* What a scenario can set up and ask of the FreeRTOS model. */
#ifndef FREERTOS_SCENARIO_H
#define FREERTOS_SCENARIO_H

#include <stddef.h>

/* The heap has this many bytes, at most configTOTAL_HEAP_SIZE. Call it in scenario(). */
void freertos_heap(size_t bytes);
size_t freertos_allocations(void);
size_t freertos_frees(void);

/* There is no kernel heap (configSUPPORT_DYNAMIC_ALLOCATION 0): every allocation fails, and the idle and the timer
 * service task take their memory from vApplicationGetIdleTaskMemory and vApplicationGetTimerTaskMemory; without these,
 * which would not link on the target, the start of the scheduler is a fault. */
void freertos_static_only(void);

/* A task of the rest of the project; call it in scenario(). It runs once the candidate has started the scheduler. */
void freertos_task(const char *name, unsigned priority, void (*entry)(void *), void *argument);

#endif

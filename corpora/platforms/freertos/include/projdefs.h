/* Results and conversions that every part of the API uses. */
#ifndef PROJDEFS_H
#define PROJDEFS_H

typedef void (*TaskFunction_t)(void *);

#define pdFALSE ((BaseType_t)0)
#define pdTRUE ((BaseType_t)1)
#define pdPASS pdTRUE
#define pdFAIL pdFALSE
#define pdFALSE_UNSIGNED ((UBaseType_t)0)
#define pdTRUE_UNSIGNED ((UBaseType_t)1)
#define errQUEUE_EMPTY ((BaseType_t)0)
#define errQUEUE_FULL ((BaseType_t)0)
#define errCOULD_NOT_ALLOCATE_REQUIRED_MEMORY (-1)
#define errQUEUE_BLOCKED (-4)
#define errQUEUE_YIELD (-5)

#define pdMS_TO_TICKS(ms) ((TickType_t)(((uint64_t)(ms) * (uint64_t)configTICK_RATE_HZ) / (uint64_t)1000U))
#define pdTICKS_TO_MS(ticks) ((TickType_t)(((uint64_t)(ticks) * (uint64_t)1000U) / (uint64_t)configTICK_RATE_HZ))

#endif

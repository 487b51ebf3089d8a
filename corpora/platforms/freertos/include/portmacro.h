/* The port's types and macros: a Cortex-M with configMAX_SYSCALL_INTERRUPT_PRIORITY, or Espressif's port. */
#ifndef PORTMACRO_H
#define PORTMACRO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int BaseType_t;
typedef unsigned int UBaseType_t;
typedef uint32_t TickType_t;

#define portMAX_DELAY ((TickType_t)0xffffffffUL)
#define portTICK_TYPE_IS_ATOMIC 1
#define portBYTE_ALIGNMENT 8
#define portSTACK_GROWTH (-1)
#define portTICK_PERIOD_MS ((TickType_t)1000 / configTICK_RATE_HZ)
#define portTICK_RATE_MS portTICK_PERIOD_MS
#define portINLINE inline
#define portFORCE_INLINE inline __attribute__((always_inline))
#define portNOP() __asm__ volatile("nop")
#define portMEMORY_BARRIER() __asm__ volatile("" ::: "memory")
#define portDONT_DISCARD __attribute__((used))

void vPortYield(void);
void vPortEnterCritical(void);
void vPortExitCritical(void);
void vPortYieldFromISR(BaseType_t xSwitchRequired);
UBaseType_t uxPortSetInterruptMask(void);
void vPortClearInterruptMask(UBaseType_t uxMask);
BaseType_t xPortIsInsideInterrupt(void);

#define portYIELD() vPortYield()
#define portSET_INTERRUPT_MASK_FROM_ISR() uxPortSetInterruptMask()
#define portCLEAR_INTERRUPT_MASK_FROM_ISR(mask) vPortClearInterruptMask(mask)

#ifdef ESP_PLATFORM
typedef uint8_t portSTACK_TYPE;
typedef uint8_t StackType_t;
typedef struct {
    uint32_t owner, count;
} portMUX_TYPE;
typedef portMUX_TYPE spinlock_t;
#define portMUX_FREE_VAL 0xB33FFFFFU
#define portMUX_INITIALIZER_UNLOCKED {.owner = portMUX_FREE_VAL, .count = 0}
#define SPINLOCK_INITIALIZER portMUX_INITIALIZER_UNLOCKED
#define SPINLOCK_WAIT_FOREVER (-1)
#define portMUX_INITIALIZE(mux) ((mux)->owner = portMUX_FREE_VAL, (mux)->count = 0)
#define vPortCPUInitializeMutex(mux) portMUX_INITIALIZE(mux)
#define spinlock_initialize(mux) portMUX_INITIALIZE(mux)
#define portNUM_PROCESSORS 2
#define configNUM_CORES portNUM_PROCESSORS
#define tskNO_AFFINITY ((BaseType_t)0x7FFFFFFF)
void vPortEnterSpinlock(portMUX_TYPE *mux, const char *call);
void vPortExitSpinlock(portMUX_TYPE *mux, const char *call);
#define portENTER_CRITICAL(mux) vPortEnterSpinlock(mux, "portENTER_CRITICAL")
#define portEXIT_CRITICAL(mux) vPortExitSpinlock(mux, "portEXIT_CRITICAL")
#define portENTER_CRITICAL_ISR(mux) vPortEnterSpinlock(mux, "portENTER_CRITICAL_ISR")
#define portEXIT_CRITICAL_ISR(mux) vPortExitSpinlock(mux, "portEXIT_CRITICAL_ISR")
#define portENTER_CRITICAL_SAFE(mux) vPortEnterSpinlock(mux, "portENTER_CRITICAL_SAFE")
#define portEXIT_CRITICAL_SAFE(mux) vPortExitSpinlock(mux, "portEXIT_CRITICAL_SAFE")
#define portDISABLE_INTERRUPTS() ((void)uxPortSetInterruptMask())
#define portENABLE_INTERRUPTS() vPortClearInterruptMask(0)
#define portYIELD_FROM_ISR(...) vPortYieldFromISR(fbYIELD_ARGUMENT(__VA_ARGS__))
#define fbYIELD_ARGUMENT(...) (fbSECOND(0, ##__VA_ARGS__, pdTRUE))
#define fbSECOND(first, second, ...) (second)
#define portEND_SWITCHING_ISR(woken) vPortYieldFromISR(woken)
#define xPortInIsrContext() xPortIsInsideInterrupt()
#define xPortGetCoreID() 0
#else
typedef uint32_t portSTACK_TYPE;
typedef uint32_t StackType_t;
#define portENTER_CRITICAL() vPortEnterCritical()
#define portEXIT_CRITICAL() vPortExitCritical()
#define portDISABLE_INTERRUPTS() ((void)uxPortSetInterruptMask())
#define portENABLE_INTERRUPTS() vPortClearInterruptMask(0)
#define portYIELD_FROM_ISR(woken) vPortYieldFromISR(woken)
#define portEND_SWITCHING_ISR(woken) vPortYieldFromISR(woken)
#endif

#endif

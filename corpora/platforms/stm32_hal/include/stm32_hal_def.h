/* What every part of the HAL uses: results, locks, attributes, the tick, the core's functions. */
#ifndef STM32_HAL_DEF_H
#define STM32_HAL_DEF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stm32_irq.h"
#include "stm32_registers.h"

typedef enum { RESET = 0U, SET = !RESET } FlagStatus, ITStatus;
typedef enum { DISABLE = 0U, ENABLE = !DISABLE } FunctionalState;
typedef enum { SUCCESS = 0U, ERROR = !SUCCESS } ErrorStatus;
typedef enum { HAL_OK = 0x00U, HAL_ERROR = 0x01U, HAL_BUSY = 0x02U, HAL_TIMEOUT = 0x03U } HAL_StatusTypeDef;
typedef enum { HAL_UNLOCKED = 0x00U, HAL_LOCKED = 0x01U } HAL_LockTypeDef;
typedef enum { HAL_TICK_FREQ_10HZ = 100U, HAL_TICK_FREQ_100HZ = 10U, HAL_TICK_FREQ_1KHZ = 1U } HAL_TickFreqTypeDef;

#define HAL_MAX_DELAY 0xFFFFFFFFU
#define HAL_IS_BIT_SET(reg, bit) (((reg) & (bit)) == (bit))
#define HAL_IS_BIT_CLR(reg, bit) (((reg) & (bit)) == 0U)
#define __HAL_LINKDMA(handle, field, dma)                                                                             \
    do {                                                                                                              \
        (handle)->field = &(dma);                                                                                     \
        (dma).Parent = (handle);                                                                                      \
    } while (0U)
#define __HAL_RESET_HANDLE_STATE(handle) ((handle)->State = 0U)
#ifndef UNUSED
#define UNUSED(x) (void)(x)
#endif
#ifndef __weak
#define __weak __attribute__((weak))
#endif
#ifndef __packed
#define __packed __attribute__((__packed__))
#endif
#define __PACKED __attribute__((packed))
#define __ALIGNED(n) __attribute__((aligned(n)))
#define __ALIGN_BEGIN
#define __ALIGN_END __attribute__((aligned(4)))
#define __STATIC_INLINE static inline
#define __STATIC_FORCEINLINE static inline __attribute__((always_inline))
#define __INLINE inline
#define __NOINLINE __attribute__((noinline))
#define __RAM_FUNC
#define assert_param(expression) ((void)0)

#define TICK_INT_PRIORITY 15U
#define __NVIC_PRIO_BITS 4U
#define HSE_VALUE 8000000U
#define HSI_VALUE 16000000U

extern uint32_t SystemCoreClock;
extern volatile uint32_t uwTick;
HAL_StatusTypeDef HAL_Init(void);
HAL_StatusTypeDef HAL_DeInit(void);
void HAL_MspInit(void);
HAL_StatusTypeDef HAL_InitTick(uint32_t TickPriority);
void HAL_IncTick(void);
uint32_t HAL_GetTick(void);
void HAL_Delay(uint32_t Delay);
void HAL_SuspendTick(void);
void HAL_ResumeTick(void);
HAL_TickFreqTypeDef HAL_GetTickFreq(void);
void SystemCoreClockUpdate(void);

#define NVIC_PRIORITYGROUP_0 0x7U
#define NVIC_PRIORITYGROUP_1 0x6U
#define NVIC_PRIORITYGROUP_2 0x5U
#define NVIC_PRIORITYGROUP_3 0x4U
#define NVIC_PRIORITYGROUP_4 0x3U
#define SYSTICK_CLKSOURCE_HCLK 0x4U
#define SYSTICK_CLKSOURCE_HCLK_DIV8 0x0U
void HAL_NVIC_SetPriorityGrouping(uint32_t PriorityGroup);
void HAL_NVIC_SetPriority(IRQn_Type IRQn, uint32_t PreemptPriority, uint32_t SubPriority);
void HAL_NVIC_EnableIRQ(IRQn_Type IRQn);
void HAL_NVIC_DisableIRQ(IRQn_Type IRQn);
void HAL_NVIC_SetPendingIRQ(IRQn_Type IRQn);
void HAL_NVIC_ClearPendingIRQ(IRQn_Type IRQn);
uint32_t HAL_NVIC_GetPendingIRQ(IRQn_Type IRQn);
void HAL_NVIC_SystemReset(void);
uint32_t HAL_SYSTICK_Config(uint32_t TicksNumb);
void HAL_SYSTICK_CLKSourceConfig(uint32_t CLKSource);
#define NVIC_SetPriority(irqn, priority) HAL_NVIC_SetPriority(irqn, priority, 0)
#define NVIC_EnableIRQ(irqn) HAL_NVIC_EnableIRQ(irqn)
#define NVIC_DisableIRQ(irqn) HAL_NVIC_DisableIRQ(irqn)
#define NVIC_SetPendingIRQ(irqn) HAL_NVIC_SetPendingIRQ(irqn)
#define NVIC_ClearPendingIRQ(irqn) HAL_NVIC_ClearPendingIRQ(irqn)
#define NVIC_SystemReset() HAL_NVIC_SystemReset()

void __disable_irq(void);
void __enable_irq(void);
uint32_t __get_PRIMASK(void);
void __set_PRIMASK(uint32_t mask);
uint32_t __get_IPSR(void);
void __WFI(void);
void __WFE(void);
#define __SEV() ((void)0)
#define __NOP() __asm__ volatile("nop")
#define __DMB() __asm__ volatile("" ::: "memory")
#define __DSB() __asm__ volatile("" ::: "memory")
#define __ISB() __asm__ volatile("" ::: "memory")
#define __BKPT(n) ((void)(n))
#define __CLZ(x) ((x) ? (uint8_t)__builtin_clz(x) : 32U)
#define __REV(x) __builtin_bswap32(x)
#define __get_BASEPRI() 0U
#define PWR_MAINREGULATOR_ON 0x0U
#define PWR_LOWPOWERREGULATOR_ON 0x1U
#define PWR_SLEEPENTRY_WFI ((uint8_t)0x01)
#define PWR_SLEEPENTRY_WFE ((uint8_t)0x02)
void HAL_PWR_EnterSLEEPMode(uint32_t Regulator, uint8_t SLEEPEntry);

#endif

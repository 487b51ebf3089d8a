/* Cortex-M3 core peripherals and intrinsics under the names of CMSIS-Core. */
#ifndef CORTEX_M3_H
#define CORTEX_M3_H

#include <stdint.h>

#define __I volatile const
#define __O volatile
#define __IO volatile
#define __IM volatile const
#define __OM volatile
#define __IOM volatile
#define __STATIC_INLINE static inline
#define __STATIC_FORCEINLINE static inline __attribute__((always_inline))
#define __WEAK __attribute__((weak))
#define __NO_RETURN __attribute__((noreturn))
#define __PACKED __attribute__((packed))
#define __ALIGNED(bytes) __attribute__((aligned(bytes)))
#define __USED __attribute__((used))
#define __ASM __asm
#define __INLINE inline
#define __COMPILER_BARRIER() __asm volatile("" ::: "memory")
#define __NVIC_PRIO_BITS 3U

typedef struct {
    __IOM uint32_t ISER[8];
    uint32_t reserved0[24];
    __IOM uint32_t ICER[8];
    uint32_t reserved1[24];
    __IOM uint32_t ISPR[8];
    uint32_t reserved2[24];
    __IOM uint32_t ICPR[8];
    uint32_t reserved3[24];
    __IOM uint32_t IABR[8];
    uint32_t reserved4[56];
    __IOM uint8_t IP[240];
    uint32_t reserved5[644];
    __OM uint32_t STIR;
} NVIC_Type;

typedef struct {
    __IM uint32_t CPUID;
    __IOM uint32_t ICSR;
    __IOM uint32_t VTOR;
    __IOM uint32_t AIRCR;
    __IOM uint32_t SCR;
    __IOM uint32_t CCR;
    __IOM uint8_t SHP[12];
    __IOM uint32_t SHCSR;
    __IOM uint32_t CFSR;
    __IOM uint32_t HFSR;
    __IOM uint32_t DFSR;
    __IOM uint32_t MMFAR;
    __IOM uint32_t BFAR;
    __IOM uint32_t AFSR;
} SCB_Type;

typedef struct {
    __IOM uint32_t CTRL;
    __IOM uint32_t LOAD;
    __IOM uint32_t VAL;
    __IM uint32_t CALIB;
} SysTick_Type;

#define SCS_BASE 0xE000E000UL
#define SysTick ((SysTick_Type *)(SCS_BASE + 0x10UL))
#define NVIC ((NVIC_Type *)(SCS_BASE + 0x100UL))
#define SCB ((SCB_Type *)(SCS_BASE + 0xD00UL))

#define SCB_ICSR_NMIPENDSET_Msk (1UL << 31)
#define SCB_ICSR_PENDSVSET_Pos 28U
#define SCB_ICSR_PENDSVSET_Msk (1UL << 28)
#define SCB_ICSR_PENDSVCLR_Msk (1UL << 27)
#define SCB_ICSR_PENDSTSET_Msk (1UL << 26)
#define SCB_ICSR_PENDSTCLR_Msk (1UL << 25)
#define SCB_ICSR_VECTACTIVE_Msk 0x1FFUL
#define SCB_VTOR_TBLOFF_Pos 7U
#define SCB_VTOR_TBLOFF_Msk (0x1FFFFFFUL << 7)
#define SCB_AIRCR_VECTKEY_Pos 16U
#define SCB_AIRCR_VECTKEY_Msk (0xFFFFUL << 16)
#define SCB_AIRCR_PRIGROUP_Msk (7UL << 8)
#define SCB_AIRCR_SYSRESETREQ_Msk (1UL << 2)
#define SCB_SCR_SLEEPDEEP_Msk (1UL << 2)
#define SCB_SCR_SLEEPONEXIT_Msk (1UL << 1)
#define SCB_SCR_SEVONPEND_Msk (1UL << 4)
#define SCB_CCR_STKALIGN_Msk (1UL << 9)
#define SCB_CCR_DIV_0_TRP_Msk (1UL << 4)
#define SCB_CCR_UNALIGN_TRP_Msk (1UL << 3)
#define SCB_SHCSR_USGFAULTENA_Msk (1UL << 18)
#define SCB_SHCSR_BUSFAULTENA_Msk (1UL << 17)
#define SCB_SHCSR_MEMFAULTENA_Msk (1UL << 16)
#define SysTick_CTRL_COUNTFLAG_Msk (1UL << 16)
#define SysTick_CTRL_CLKSOURCE_Msk (1UL << 2)
#define SysTick_CTRL_TICKINT_Msk (1UL << 1)
#define SysTick_CTRL_ENABLE_Msk 1UL
#define SysTick_LOAD_RELOAD_Msk 0xFFFFFFUL
#define SysTick_VAL_CURRENT_Msk 0xFFFFFFUL

#define CORTEX_M3_READ(name, from) \
    __STATIC_FORCEINLINE uint32_t __get_##name(void) \
    { \
        uint32_t value; \
        __asm volatile("mrs %0, " from : "=r"(value)::"memory"); \
        return value; \
    }
#define CORTEX_M3_WRITE(name, to) \
    __STATIC_FORCEINLINE void __set_##name(uint32_t value) { __asm volatile("msr " to ", %0" ::"r"(value) : "memory"); }
CORTEX_M3_READ(PRIMASK, "primask")
CORTEX_M3_WRITE(PRIMASK, "primask")
CORTEX_M3_READ(BASEPRI, "basepri")
CORTEX_M3_WRITE(BASEPRI, "basepri")
CORTEX_M3_WRITE(BASEPRI_MAX, "basepri_max")
CORTEX_M3_READ(FAULTMASK, "faultmask")
CORTEX_M3_WRITE(FAULTMASK, "faultmask")
CORTEX_M3_READ(CONTROL, "control")
CORTEX_M3_READ(MSP, "msp")
CORTEX_M3_READ(PSP, "psp")
CORTEX_M3_WRITE(PSP, "psp")
CORTEX_M3_READ(IPSR, "ipsr")
CORTEX_M3_READ(xPSR, "xpsr")
CORTEX_M3_READ(APSR, "apsr")
#undef CORTEX_M3_READ
#undef CORTEX_M3_WRITE

__STATIC_FORCEINLINE void __set_MSP(uint32_t top) { __asm volatile("msr msp, %0" ::"r"(top)); }
__STATIC_FORCEINLINE void __ISB(void) { __asm volatile("isb 0xF" ::: "memory"); }
__STATIC_FORCEINLINE void __DSB(void) { __asm volatile("dsb 0xF" ::: "memory"); }
__STATIC_FORCEINLINE void __DMB(void) { __asm volatile("dmb 0xF" ::: "memory"); }
__STATIC_FORCEINLINE void __set_CONTROL(uint32_t control)
{
    __asm volatile("msr control, %0" ::"r"(control) : "memory");
    __ISB();
}
__STATIC_FORCEINLINE void __enable_irq(void) { __asm volatile("cpsie i" ::: "memory"); }
__STATIC_FORCEINLINE void __disable_irq(void) { __asm volatile("cpsid i" ::: "memory"); }
__STATIC_FORCEINLINE void __enable_fault_irq(void) { __asm volatile("cpsie f" ::: "memory"); }
__STATIC_FORCEINLINE void __disable_fault_irq(void) { __asm volatile("cpsid f" ::: "memory"); }
__STATIC_FORCEINLINE void __WFI(void) { __asm volatile("wfi" ::: "memory"); }
__STATIC_FORCEINLINE void __WFE(void) { __asm volatile("wfe" ::: "memory"); }
__STATIC_FORCEINLINE void __SEV(void) { __asm volatile("sev"); }
__STATIC_FORCEINLINE void __NOP(void) { __asm volatile("nop"); }
__STATIC_FORCEINLINE void __CLREX(void) { __asm volatile("clrex" ::: "memory"); }
#define __BKPT(value) __asm volatile("bkpt " #value)

__STATIC_FORCEINLINE uint32_t __REV(uint32_t value) { return __builtin_bswap32(value); }
__STATIC_FORCEINLINE uint32_t __REV16(uint32_t value)
{
    return (value >> 8 & 0x00FF00FFU) | (value << 8 & 0xFF00FF00U);
}
__STATIC_FORCEINLINE uint32_t __ROR(uint32_t value, uint32_t by)
{
    return by % 32U ? value >> by % 32U | value << (32U - by % 32U) : value;
}
__STATIC_FORCEINLINE uint8_t __CLZ(uint32_t value) { return value ? (uint8_t)__builtin_clz(value) : 32U; }
__STATIC_FORCEINLINE uint32_t __RBIT(uint32_t value)
{
    __asm("rbit %0, %0" : "+r"(value));
    return value;
}

__STATIC_FORCEINLINE uint32_t __LDREXW(volatile uint32_t *at)
{
    uint32_t value;
    __asm volatile("ldrex %0, %1" : "=r"(value) : "Q"(*at));
    return value;
}
__STATIC_FORCEINLINE uint32_t __STREXW(uint32_t value, volatile uint32_t *at)
{
    uint32_t failed;
    __asm volatile("strex %0, %2, %1" : "=&r"(failed), "=Q"(*at) : "r"(value));
    return failed;
}
__STATIC_FORCEINLINE uint8_t __LDREXB(volatile uint8_t *at)
{
    uint32_t value;
    __asm volatile("ldrexb %0, %1" : "=r"(value) : "Q"(*at));
    return (uint8_t)value;
}
__STATIC_FORCEINLINE uint32_t __STREXB(uint8_t value, volatile uint8_t *at)
{
    uint32_t failed;
    __asm volatile("strexb %0, %2, %1" : "=&r"(failed), "=Q"(*at) : "r"((uint32_t)value));
    return failed;
}

__STATIC_INLINE void NVIC_SetPriorityGrouping(uint32_t group)
{
    SCB->AIRCR = (0x5FAUL << SCB_AIRCR_VECTKEY_Pos) | (group & 7U) << 8;
}
__STATIC_INLINE uint32_t NVIC_GetPriorityGrouping(void) { return (SCB->AIRCR & SCB_AIRCR_PRIGROUP_Msk) >> 8; }
__STATIC_INLINE void NVIC_EnableIRQ(IRQn_Type irq)
{
    if ((int32_t)irq >= 0) {
        __COMPILER_BARRIER();
        NVIC->ISER[(uint32_t)irq >> 5] = 1UL << ((uint32_t)irq & 31UL);
        __COMPILER_BARRIER();
    }
}
__STATIC_INLINE uint32_t NVIC_GetEnableIRQ(IRQn_Type irq)
{
    return (int32_t)irq >= 0 ? NVIC->ISER[(uint32_t)irq >> 5] >> ((uint32_t)irq & 31UL) & 1UL : 0U;
}
__STATIC_INLINE void NVIC_DisableIRQ(IRQn_Type irq)
{
    if ((int32_t)irq >= 0) {
        NVIC->ICER[(uint32_t)irq >> 5] = 1UL << ((uint32_t)irq & 31UL);
        __DSB();
        __ISB();
    }
}
__STATIC_INLINE void NVIC_SetPendingIRQ(IRQn_Type irq)
{
    if ((int32_t)irq >= 0)
        NVIC->ISPR[(uint32_t)irq >> 5] = 1UL << ((uint32_t)irq & 31UL);
}
__STATIC_INLINE void NVIC_ClearPendingIRQ(IRQn_Type irq)
{
    if ((int32_t)irq >= 0)
        NVIC->ICPR[(uint32_t)irq >> 5] = 1UL << ((uint32_t)irq & 31UL);
}
__STATIC_INLINE uint32_t NVIC_GetPendingIRQ(IRQn_Type irq)
{
    return (int32_t)irq >= 0 ? NVIC->ISPR[(uint32_t)irq >> 5] >> ((uint32_t)irq & 31UL) & 1UL : 0U;
}
__STATIC_INLINE uint32_t NVIC_GetActive(IRQn_Type irq)
{
    return (int32_t)irq >= 0 ? NVIC->IABR[(uint32_t)irq >> 5] >> ((uint32_t)irq & 31UL) & 1UL : 0U;
}
__STATIC_INLINE void NVIC_SetPriority(IRQn_Type irq, uint32_t priority)
{
    uint8_t level = (uint8_t)(priority << (8U - __NVIC_PRIO_BITS));
    if ((int32_t)irq >= 0)
        NVIC->IP[(uint32_t)irq] = level;
    else
        SCB->SHP[((uint32_t)irq & 15UL) - 4UL] = level;
}
__STATIC_INLINE uint32_t NVIC_GetPriority(IRQn_Type irq)
{
    uint8_t level = (int32_t)irq >= 0 ? NVIC->IP[(uint32_t)irq] : SCB->SHP[((uint32_t)irq & 15UL) - 4UL];
    return level >> (8U - __NVIC_PRIO_BITS);
}
__STATIC_INLINE void NVIC_SetVector(IRQn_Type irq, uint32_t vector)
{
    ((uint32_t *)SCB->VTOR)[(int32_t)irq + 16] = vector;
    __DSB();
}
__STATIC_INLINE uint32_t NVIC_GetVector(IRQn_Type irq) { return ((uint32_t *)SCB->VTOR)[(int32_t)irq + 16]; }
__NO_RETURN __STATIC_INLINE void NVIC_SystemReset(void)
{
    __DSB();
    SCB->AIRCR = (0x5FAUL << SCB_AIRCR_VECTKEY_Pos) | (SCB->AIRCR & SCB_AIRCR_PRIGROUP_Msk) | SCB_AIRCR_SYSRESETREQ_Msk;
    __DSB();
    for (;;)
        __NOP();
}
__STATIC_INLINE uint32_t SysTick_Config(uint32_t ticks)
{
    if (ticks - 1UL > SysTick_LOAD_RELOAD_Msk)
        return 1UL;
    SysTick->LOAD = ticks - 1UL;
    NVIC_SetPriority(SysTick_IRQn, (1UL << __NVIC_PRIO_BITS) - 1UL);
    SysTick->VAL = 0UL;
    SysTick->CTRL = SysTick_CTRL_CLKSOURCE_Msk | SysTick_CTRL_TICKINT_Msk | SysTick_CTRL_ENABLE_Msk;
    return 0UL;
}

#endif

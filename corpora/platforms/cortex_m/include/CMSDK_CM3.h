/* The device header of the Cortex-M3 image for the MPS2 board (AN385), as far as QEMU's mps2-an385 has the device. */
#ifndef CMSDK_CM3_H
#define CMSDK_CM3_H

#include <stdint.h>

typedef enum {
    NonMaskableInt_IRQn = -14,
    HardFault_IRQn = -13,
    MemoryManagement_IRQn = -12,
    BusFault_IRQn = -11,
    UsageFault_IRQn = -10,
    SVCall_IRQn = -5,
    DebugMonitor_IRQn = -4,
    PendSV_IRQn = -2,
    SysTick_IRQn = -1,
    UARTRX0_IRQn = 0,
    UARTTX0_IRQn = 1,
    UARTRX1_IRQn = 2,
    UARTTX1_IRQn = 3,
    UARTRX2_IRQn = 4,
    UARTTX2_IRQn = 5,
    PORT0_ALL_IRQn = 6,
    PORT1_ALL_IRQn = 7,
    TIMER0_IRQn = 8,
    TIMER1_IRQn = 9,
    DUALTIMER_IRQn = 10,
    SPI_IRQn = 11,
    UARTOVF_IRQn = 12,
    ETHERNET_IRQn = 13,
    I2S_IRQn = 14,
    TSC_IRQn = 15,
} IRQn_Type;

#include "cortex_m3.h"

typedef struct {
    __IOM uint32_t DATA;
    __IOM uint32_t STATE;
    __IOM uint32_t CTRL;
    union {
        __IM uint32_t INTSTATUS;
        __OM uint32_t INTCLEAR;
    };
    __IOM uint32_t BAUDDIV;
} CMSDK_UART_TypeDef;

typedef struct {
    __IOM uint32_t CTRL;
    __IOM uint32_t VALUE;
    __IOM uint32_t RELOAD;
    union {
        __IM uint32_t INTSTATUS;
        __OM uint32_t INTCLEAR;
    };
} CMSDK_TIMER_TypeDef;

#define CMSDK_TIMER0 ((CMSDK_TIMER_TypeDef *)0x40000000UL)
#define CMSDK_TIMER1 ((CMSDK_TIMER_TypeDef *)0x40001000UL)
#define CMSDK_UART0 ((CMSDK_UART_TypeDef *)0x40004000UL)
#define CMSDK_UART1 ((CMSDK_UART_TypeDef *)0x40005000UL)
#define CMSDK_UART2 ((CMSDK_UART_TypeDef *)0x40006000UL)

#define CMSDK_TIMER_CTRL_IRQEN_Msk (1UL << 3)
#define CMSDK_TIMER_CTRL_EN_Msk 1UL
#define CMSDK_TIMER_INTCLEAR_Msk 1UL
#define CMSDK_UART_STATE_TXBF_Msk 1UL
#define CMSDK_UART_STATE_RXBF_Msk (1UL << 1)
#define CMSDK_UART_CTRL_TXEN_Msk 1UL
#define CMSDK_UART_CTRL_RXEN_Msk (1UL << 1)
#define CMSDK_UART_CTRL_TXIRQEN_Msk (1UL << 2)
#define CMSDK_UART_CTRL_RXIRQEN_Msk (1UL << 3)

#define SystemCoreClock 25000000UL

#endif

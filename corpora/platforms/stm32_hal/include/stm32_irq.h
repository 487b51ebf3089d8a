/* Interrupt numbers of an STM32F4, and the vectors that the startup file names. */
#ifndef STM32_IRQ_H
#define STM32_IRQ_H

/* X(name, number) for each; the handler is name_IRQHandler, the number name_IRQn. */
#define FB_STM32_IRQS(X) \
    X(EXTI0, 6) \
    X(EXTI1, 7) \
    X(EXTI2, 8) \
    X(EXTI3, 9) \
    X(EXTI4, 10) \
    X(DMA1_Stream0, 11) \
    X(DMA1_Stream1, 12) \
    X(DMA1_Stream2, 13) \
    X(DMA1_Stream3, 14) \
    X(DMA1_Stream4, 15) \
    X(DMA1_Stream5, 16) \
    X(DMA1_Stream6, 17) \
    X(ADC, 18) \
    X(EXTI9_5, 23) \
    X(TIM1_BRK_TIM9, 24) \
    X(TIM1_UP_TIM10, 25) \
    X(TIM1_TRG_COM_TIM11, 26) \
    X(TIM1_CC, 27) \
    X(TIM2, 28) \
    X(TIM3, 29) \
    X(TIM4, 30) \
    X(I2C1_EV, 31) \
    X(I2C1_ER, 32) \
    X(I2C2_EV, 33) \
    X(I2C2_ER, 34) \
    X(SPI1, 35) \
    X(SPI2, 36) \
    X(USART1, 37) \
    X(USART2, 38) \
    X(USART3, 39) \
    X(EXTI15_10, 40) \
    X(RTC_Alarm, 41) \
    X(TIM8_UP_TIM13, 44) \
    X(DMA1_Stream7, 47) \
    X(TIM5, 50) \
    X(SPI3, 51) \
    X(UART4, 52) \
    X(UART5, 53) \
    X(TIM6_DAC, 54) \
    X(TIM7, 55) \
    X(DMA2_Stream0, 56) \
    X(DMA2_Stream1, 57) \
    X(DMA2_Stream2, 58) \
    X(DMA2_Stream3, 59) \
    X(DMA2_Stream4, 60) \
    X(DMA2_Stream5, 68) \
    X(DMA2_Stream6, 69) \
    X(DMA2_Stream7, 70) \
    X(USART6, 71)

typedef enum {
    NonMaskableInt_IRQn = -14,
    MemoryManagement_IRQn = -12,
    BusFault_IRQn = -11,
    UsageFault_IRQn = -10,
    SVCall_IRQn = -5,
    PendSV_IRQn = -2,
    SysTick_IRQn = -1,
#define FB_NUMBER(name, number) name##_IRQn = number,
    FB_STM32_IRQS(FB_NUMBER)
#undef FB_NUMBER
} IRQn_Type;

#define FB_VECTOR(name, number) void name##_IRQHandler(void);
FB_STM32_IRQS(FB_VECTOR)
#undef FB_VECTOR
void SysTick_Handler(void);
void NMI_Handler(void);
void HardFault_Handler(void);
void MemManage_Handler(void);
void BusFault_Handler(void);
void UsageFault_Handler(void);
void SVC_Handler(void);
void DebugMon_Handler(void);
void PendSV_Handler(void);

#endif

/* The peripherals' registers, in one block that the model watches. Bits are those of the reference manuals. */
#ifndef STM32_REGISTERS_H
#define STM32_REGISTERS_H

#include <stddef.h>
#include <stdint.h>

#define __IO volatile
#define __I volatile const
#define __O volatile

typedef struct {
    __IO uint32_t MODER, OTYPER, OSPEEDR, PUPDR, IDR, ODR, BSRR, LCKR, AFR[2];
} GPIO_TypeDef;
typedef struct {
    __IO uint32_t CR, PLLCFGR, CFGR, CIR, AHB1RSTR, AHB2RSTR, AHB3RSTR, APB1RSTR, APB2RSTR, AHB1ENR, AHB2ENR, AHB3ENR,
        APB1ENR, APB2ENR, BDCR, CSR;
} RCC_TypeDef;
typedef struct {
    __IO uint32_t IMR, EMR, RTSR, FTSR, SWIER, PR;
} EXTI_TypeDef;
typedef struct {
    __IO uint32_t MEMRMP, PMC, EXTICR[4], CMPCR;
} SYSCFG_TypeDef;
typedef struct {
    __IO uint32_t LISR, HISR, LIFCR, HIFCR;
} DMA_TypeDef;
typedef struct {
    __IO uint32_t CR, NDTR, PAR, M0AR, M1AR, FCR;
} DMA_Stream_TypeDef;
typedef struct {
    __IO uint32_t SR, DR, BRR, CR1, CR2, CR3, GTPR;
} USART_TypeDef;
typedef struct {
    __IO uint32_t SR, CR1, CR2, SMPR1, SMPR2, HTR, LTR, SQR1, SQR2, SQR3, DR;
} ADC_TypeDef;
typedef struct {
    __IO uint32_t CSR, CCR, CDR;
} ADC_Common_TypeDef;
typedef struct {
    __IO uint32_t CR1, CR2, SMCR, DIER, SR, EGR, CCMR1, CCMR2, CCER, CNT, PSC, ARR, RCR, CCR1, CCR2, CCR3, CCR4, BDTR,
        DCR, DMAR, OR;
} TIM_TypeDef;
typedef struct {
    __IO uint32_t CTRL, LOAD, VAL, CALIB;
} SysTick_Type;
typedef struct {
    __IO uint32_t CTRL, CYCCNT;
} DWT_Type;
typedef struct {
    __IO uint32_t DHCSR, DCRSR, DCRDR, DEMCR;
} CoreDebug_Type;
typedef struct {
    __IO uint32_t CPUID, ICSR, VTOR, AIRCR, SCR, CCR;
} SCB_Type;

#define FB_STM32_TIMERS 14
#define FB_STM32_USARTS 6
#define FB_STM32_ADCS 3
#define FB_STM32_PORTS 8
#define FB_STM32_STREAMS 16

extern struct fb_stm32 {
    GPIO_TypeDef gpio[FB_STM32_PORTS];
    RCC_TypeDef rcc;
    EXTI_TypeDef exti;
    SYSCFG_TypeDef syscfg;
    DMA_TypeDef dma[2];
    DMA_Stream_TypeDef stream[FB_STM32_STREAMS];
    USART_TypeDef usart[FB_STM32_USARTS];
    ADC_TypeDef adc[FB_STM32_ADCS];
    ADC_Common_TypeDef adc_common;
    TIM_TypeDef tim[FB_STM32_TIMERS];
    SysTick_Type systick;
    DWT_Type dwt;
    CoreDebug_Type core_debug;
    SCB_Type scb;
} fb_stm32;

#define GPIOA (&fb_stm32.gpio[0])
#define GPIOB (&fb_stm32.gpio[1])
#define GPIOC (&fb_stm32.gpio[2])
#define GPIOD (&fb_stm32.gpio[3])
#define GPIOE (&fb_stm32.gpio[4])
#define GPIOF (&fb_stm32.gpio[5])
#define GPIOG (&fb_stm32.gpio[6])
#define GPIOH (&fb_stm32.gpio[7])
#define RCC (&fb_stm32.rcc)
#define EXTI (&fb_stm32.exti)
#define SYSCFG (&fb_stm32.syscfg)
#define DMA1 (&fb_stm32.dma[0])
#define DMA2 (&fb_stm32.dma[1])
#define DMA1_Stream0 (&fb_stm32.stream[0])
#define DMA1_Stream1 (&fb_stm32.stream[1])
#define DMA1_Stream2 (&fb_stm32.stream[2])
#define DMA1_Stream3 (&fb_stm32.stream[3])
#define DMA1_Stream4 (&fb_stm32.stream[4])
#define DMA1_Stream5 (&fb_stm32.stream[5])
#define DMA1_Stream6 (&fb_stm32.stream[6])
#define DMA1_Stream7 (&fb_stm32.stream[7])
#define DMA2_Stream0 (&fb_stm32.stream[8])
#define DMA2_Stream1 (&fb_stm32.stream[9])
#define DMA2_Stream2 (&fb_stm32.stream[10])
#define DMA2_Stream3 (&fb_stm32.stream[11])
#define DMA2_Stream4 (&fb_stm32.stream[12])
#define DMA2_Stream5 (&fb_stm32.stream[13])
#define DMA2_Stream6 (&fb_stm32.stream[14])
#define DMA2_Stream7 (&fb_stm32.stream[15])
#define USART1 (&fb_stm32.usart[0])
#define USART2 (&fb_stm32.usart[1])
#define USART3 (&fb_stm32.usart[2])
#define UART4 (&fb_stm32.usart[3])
#define UART5 (&fb_stm32.usart[4])
#define USART6 (&fb_stm32.usart[5])
#define ADC1 (&fb_stm32.adc[0])
#define ADC2 (&fb_stm32.adc[1])
#define ADC3 (&fb_stm32.adc[2])
#define ADC (&fb_stm32.adc_common)
#define ADC123_COMMON ADC
#define ADC1_COMMON ADC
#define TIM1 (&fb_stm32.tim[0])
#define TIM2 (&fb_stm32.tim[1])
#define TIM3 (&fb_stm32.tim[2])
#define TIM4 (&fb_stm32.tim[3])
#define TIM5 (&fb_stm32.tim[4])
#define TIM6 (&fb_stm32.tim[5])
#define TIM7 (&fb_stm32.tim[6])
#define TIM8 (&fb_stm32.tim[7])
#define TIM9 (&fb_stm32.tim[8])
#define TIM10 (&fb_stm32.tim[9])
#define TIM11 (&fb_stm32.tim[10])
#define TIM12 (&fb_stm32.tim[11])
#define TIM13 (&fb_stm32.tim[12])
#define TIM14 (&fb_stm32.tim[13])
#define SysTick (&fb_stm32.systick)
#define DWT (&fb_stm32.dwt)
#define CoreDebug (&fb_stm32.core_debug)
#define SCB (&fb_stm32.scb)

#define RCC_AHB1ENR_GPIOAEN 0x1U
#define RCC_AHB1ENR_GPIOBEN 0x2U
#define RCC_AHB1ENR_GPIOCEN 0x4U
#define RCC_AHB1ENR_GPIODEN 0x8U
#define RCC_AHB1ENR_GPIOEEN 0x10U
#define RCC_AHB1ENR_GPIOFEN 0x20U
#define RCC_AHB1ENR_GPIOGEN 0x40U
#define RCC_AHB1ENR_GPIOHEN 0x80U
#define RCC_AHB1ENR_DMA1EN 0x200000U
#define RCC_AHB1ENR_DMA2EN 0x400000U
#define RCC_APB1ENR_TIM2EN 0x1U
#define RCC_APB1ENR_TIM3EN 0x2U
#define RCC_APB1ENR_TIM4EN 0x4U
#define RCC_APB1ENR_TIM5EN 0x8U
#define RCC_APB1ENR_TIM6EN 0x10U
#define RCC_APB1ENR_TIM7EN 0x20U
#define RCC_APB1ENR_TIM12EN 0x40U
#define RCC_APB1ENR_TIM13EN 0x80U
#define RCC_APB1ENR_TIM14EN 0x100U
#define RCC_APB1ENR_USART2EN 0x20000U
#define RCC_APB1ENR_USART3EN 0x40000U
#define RCC_APB1ENR_UART4EN 0x80000U
#define RCC_APB1ENR_UART5EN 0x100000U
#define RCC_APB1ENR_PWREN 0x10000000U
#define RCC_APB2ENR_TIM1EN 0x1U
#define RCC_APB2ENR_TIM8EN 0x2U
#define RCC_APB2ENR_USART1EN 0x10U
#define RCC_APB2ENR_USART6EN 0x20U
#define RCC_APB2ENR_ADC1EN 0x100U
#define RCC_APB2ENR_ADC2EN 0x200U
#define RCC_APB2ENR_ADC3EN 0x400U
#define RCC_APB2ENR_SYSCFGEN 0x4000U
#define RCC_APB2ENR_TIM9EN 0x10000U
#define RCC_APB2ENR_TIM10EN 0x20000U
#define RCC_APB2ENR_TIM11EN 0x40000U
#define USART_SR_PE 0x1U
#define USART_SR_FE 0x2U
#define USART_SR_NE 0x4U
#define USART_SR_ORE 0x8U
#define USART_SR_IDLE 0x10U
#define USART_SR_RXNE 0x20U
#define USART_SR_TC 0x40U
#define USART_SR_TXE 0x80U
#define USART_CR1_RE 0x4U
#define USART_CR1_TE 0x8U
#define USART_CR1_IDLEIE 0x10U
#define USART_CR1_RXNEIE 0x20U
#define USART_CR1_TCIE 0x40U
#define USART_CR1_TXEIE 0x80U
#define USART_CR1_PEIE 0x100U
#define USART_CR1_PS 0x200U
#define USART_CR1_PCE 0x400U
#define USART_CR1_M 0x1000U
#define USART_CR1_UE 0x2000U
#define USART_CR1_OVER8 0x8000U
#define USART_CR2_STOP_1 0x2000U
#define USART_CR3_EIE 0x1U
#define USART_CR3_HDSEL 0x8U
#define USART_CR3_DMAR 0x40U
#define USART_CR3_DMAT 0x80U
#define USART_CR3_RTSE 0x100U
#define USART_CR3_CTSE 0x200U
#define DMA_SxCR_EN 0x1U
#define DMA_SxCR_DMEIE 0x2U
#define DMA_SxCR_TEIE 0x4U
#define DMA_SxCR_HTIE 0x8U
#define DMA_SxCR_TCIE 0x10U
#define DMA_SxCR_PFCTRL 0x20U
#define DMA_SxCR_DIR_0 0x40U
#define DMA_SxCR_DIR_1 0x80U
#define DMA_SxCR_CIRC 0x100U
#define DMA_SxCR_PINC 0x200U
#define DMA_SxCR_MINC 0x400U
#define DMA_SxCR_PSIZE_0 0x800U
#define DMA_SxCR_PSIZE_1 0x1000U
#define DMA_SxCR_MSIZE_0 0x2000U
#define DMA_SxCR_MSIZE_1 0x4000U
#define DMA_SxCR_PL_0 0x10000U
#define DMA_SxCR_PL_1 0x20000U
#define DMA_SxCR_DBM 0x40000U
#define DMA_SxCR_CT 0x80000U
#define DMA_SxCR_CHSEL 0xE000000U
#define ADC_SR_AWD 0x1U
#define ADC_SR_EOC 0x2U
#define ADC_SR_JEOC 0x4U
#define ADC_SR_JSTRT 0x8U
#define ADC_SR_STRT 0x10U
#define ADC_SR_OVR 0x20U
#define ADC_CR1_EOCIE 0x20U
#define ADC_CR1_AWDIE 0x40U
#define ADC_CR1_JEOCIE 0x80U
#define ADC_CR1_SCAN 0x100U
#define ADC_CR1_AWDSGL 0x200U
#define ADC_CR1_DISCEN 0x800U
#define ADC_CR1_AWDEN 0x800000U
#define ADC_CR1_RES_0 0x1000000U
#define ADC_CR1_RES_1 0x2000000U
#define ADC_CR1_RES 0x3000000U
#define ADC_CR1_OVRIE 0x4000000U
#define ADC_CR2_ADON 0x1U
#define ADC_CR2_CONT 0x2U
#define ADC_CR2_DMA 0x100U
#define ADC_CR2_DDS 0x200U
#define ADC_CR2_EOCS 0x400U
#define ADC_CR2_ALIGN 0x800U
#define ADC_CR2_EXTSEL 0xF000000U
#define ADC_CR2_EXTEN 0x30000000U
#define ADC_CR2_SWSTART 0x40000000U
#define ADC_CCR_ADCPRE 0x30000U
#define TIM_CR1_CEN 0x1U
#define TIM_CR1_UDIS 0x2U
#define TIM_CR1_URS 0x4U
#define TIM_CR1_OPM 0x8U
#define TIM_CR1_DIR 0x10U
#define TIM_CR1_CMS 0x60U
#define TIM_CR1_ARPE 0x80U
#define TIM_CR2_MMS 0x70U
#define TIM_DIER_UIE 0x1U
#define TIM_DIER_CC1IE 0x2U
#define TIM_DIER_CC2IE 0x4U
#define TIM_DIER_CC3IE 0x8U
#define TIM_DIER_CC4IE 0x10U
#define TIM_SR_UIF 0x1U
#define TIM_SR_CC1IF 0x2U
#define TIM_SR_CC2IF 0x4U
#define TIM_SR_CC3IF 0x8U
#define TIM_SR_CC4IF 0x10U
#define TIM_SR_CC1OF 0x200U
#define TIM_EGR_UG 0x1U
#define TIM_EGR_CC1G 0x2U
#define TIM_CCER_CC1E 0x1U
#define TIM_CCER_CC1P 0x2U
#define TIM_CCER_CC1NE 0x4U
#define TIM_CCER_CC1NP 0x8U
#define TIM_CCER_CC2E 0x10U
#define TIM_CCER_CC2P 0x20U
#define TIM_CCER_CC3E 0x100U
#define TIM_CCER_CC4E 0x1000U
#define TIM_BDTR_MOE 0x8000U
#define EXTI_IMR_MR0 0x1U
#define EXTI_IMR_MR13 0x2000U
#define EXTI_PR_PR0 0x1U
#define EXTI_PR_PR13 0x2000U
#define EXTI_IMR_MR1 0x2U
#define EXTI_PR_PR1 0x2U
#define EXTI_IMR_MR2 0x4U
#define EXTI_PR_PR2 0x4U
#define EXTI_IMR_MR3 0x8U
#define EXTI_PR_PR3 0x8U
#define EXTI_IMR_MR4 0x10U
#define EXTI_PR_PR4 0x10U
#define EXTI_IMR_MR5 0x20U
#define EXTI_PR_PR5 0x20U
#define EXTI_IMR_MR6 0x40U
#define EXTI_PR_PR6 0x40U
#define EXTI_IMR_MR7 0x80U
#define EXTI_PR_PR7 0x80U
#define EXTI_IMR_MR8 0x100U
#define EXTI_PR_PR8 0x100U
#define EXTI_IMR_MR9 0x200U
#define EXTI_PR_PR9 0x200U
#define EXTI_IMR_MR10 0x400U
#define EXTI_PR_PR10 0x400U
#define EXTI_IMR_MR11 0x800U
#define EXTI_PR_PR11 0x800U
#define EXTI_IMR_MR12 0x1000U
#define EXTI_PR_PR12 0x1000U
#define EXTI_IMR_MR14 0x4000U
#define EXTI_PR_PR14 0x4000U
#define EXTI_IMR_MR15 0x8000U
#define EXTI_PR_PR15 0x8000U
#define TIM_CCMR1_CC1S 0x3U
#define TIM_CCMR1_CC1S_0 0x1U
#define TIM_CCMR1_CC1S_1 0x2U
#define TIM_CCMR1_OC1FE 0x4U
#define TIM_CCMR1_OC1PE 0x8U
#define TIM_CCMR1_OC1M 0x70U
#define TIM_CCMR1_OC1M_0 0x10U
#define TIM_CCMR1_OC1M_1 0x20U
#define TIM_CCMR1_OC1M_2 0x40U
#define TIM_CCMR1_CC2S 0x300U
#define TIM_CCMR1_CC2S_0 0x100U
#define TIM_CCMR1_CC2S_1 0x200U
#define TIM_CCMR1_OC2FE 0x400U
#define TIM_CCMR1_OC2PE 0x800U
#define TIM_CCMR1_OC2M 0x7000U
#define TIM_CCMR1_OC2M_0 0x1000U
#define TIM_CCMR1_OC2M_1 0x2000U
#define TIM_CCMR1_OC2M_2 0x4000U
#define TIM_CCMR2_CC3S 0x3U
#define TIM_CCMR2_CC3S_0 0x1U
#define TIM_CCMR2_CC3S_1 0x2U
#define TIM_CCMR2_OC3FE 0x4U
#define TIM_CCMR2_OC3PE 0x8U
#define TIM_CCMR2_OC3M 0x70U
#define TIM_CCMR2_OC3M_0 0x10U
#define TIM_CCMR2_OC3M_1 0x20U
#define TIM_CCMR2_OC3M_2 0x40U
#define TIM_CCMR2_CC4S 0x300U
#define TIM_CCMR2_CC4S_0 0x100U
#define TIM_CCMR2_CC4S_1 0x200U
#define TIM_CCMR2_OC4FE 0x400U
#define TIM_CCMR2_OC4PE 0x800U
#define TIM_CCMR2_OC4M 0x7000U
#define TIM_CCMR2_OC4M_0 0x1000U
#define TIM_CCMR2_OC4M_1 0x2000U
#define TIM_CCMR2_OC4M_2 0x4000U
#define TIM_CR2_MMS_0 0x10U
#define TIM_CR2_MMS_1 0x20U
#define TIM_CR2_MMS_2 0x40U
#define SysTick_CTRL_ENABLE_Msk 0x1U
#define SysTick_CTRL_TICKINT_Msk 0x2U
#define SysTick_CTRL_COUNTFLAG_Msk 0x10000U
#define DWT_CTRL_CYCCNTENA_Msk 0x1U
#define CoreDebug_DEMCR_TRCENA_Msk 0x1000000U
#define SCB_SCR_SLEEPONEXIT_Msk 0x2U
#define SCB_SCR_SLEEPDEEP_Msk 0x4U

#define SET_BIT(reg, bit) ((reg) |= (bit))
#define CLEAR_BIT(reg, bit) ((reg) &= ~(bit))
#define READ_BIT(reg, bit) ((reg) & (bit))
#define CLEAR_REG(reg) ((reg) = 0U)
#define WRITE_REG(reg, value) ((reg) = (value))
#define READ_REG(reg) (reg)
#define MODIFY_REG(reg, clear, set) WRITE_REG(reg, (READ_REG(reg) & ~(clear)) | (set))

#endif

/* Ports and external interrupts. */
#ifndef STM32_HAL_GPIO_H
#define STM32_HAL_GPIO_H

#include "stm32_hal_def.h"

typedef struct {
    uint32_t Pin, Mode, Pull, Speed, Alternate;
} GPIO_InitTypeDef;
typedef enum { GPIO_PIN_RESET = 0, GPIO_PIN_SET } GPIO_PinState;

#define GPIO_PIN_0 ((uint16_t)0x0001)
#define GPIO_PIN_1 ((uint16_t)0x0002)
#define GPIO_PIN_2 ((uint16_t)0x0004)
#define GPIO_PIN_3 ((uint16_t)0x0008)
#define GPIO_PIN_4 ((uint16_t)0x0010)
#define GPIO_PIN_5 ((uint16_t)0x0020)
#define GPIO_PIN_6 ((uint16_t)0x0040)
#define GPIO_PIN_7 ((uint16_t)0x0080)
#define GPIO_PIN_8 ((uint16_t)0x0100)
#define GPIO_PIN_9 ((uint16_t)0x0200)
#define GPIO_PIN_10 ((uint16_t)0x0400)
#define GPIO_PIN_11 ((uint16_t)0x0800)
#define GPIO_PIN_12 ((uint16_t)0x1000)
#define GPIO_PIN_13 ((uint16_t)0x2000)
#define GPIO_PIN_14 ((uint16_t)0x4000)
#define GPIO_PIN_15 ((uint16_t)0x8000)
#define GPIO_PIN_All ((uint16_t)0xFFFF)
#define GPIO_MODE_INPUT 0x0U
#define GPIO_MODE_OUTPUT_PP 0x1U
#define GPIO_MODE_OUTPUT_OD 0x11U
#define GPIO_MODE_AF_PP 0x2U
#define GPIO_MODE_AF_OD 0x12U
#define GPIO_MODE_ANALOG 0x3U
#define GPIO_MODE_IT_RISING 0x110000U
#define GPIO_MODE_IT_FALLING 0x210000U
#define GPIO_MODE_IT_RISING_FALLING 0x310000U
#define GPIO_MODE_EVT_RISING 0x120000U
#define GPIO_MODE_EVT_FALLING 0x220000U
#define GPIO_MODE_EVT_RISING_FALLING 0x320000U
#define GPIO_SPEED_FREQ_LOW 0x0U
#define GPIO_SPEED_FREQ_MEDIUM 0x1U
#define GPIO_SPEED_FREQ_HIGH 0x2U
#define GPIO_SPEED_FREQ_VERY_HIGH 0x3U
#define GPIO_SPEED_LOW GPIO_SPEED_FREQ_LOW
#define GPIO_SPEED_MEDIUM GPIO_SPEED_FREQ_MEDIUM
#define GPIO_SPEED_FAST GPIO_SPEED_FREQ_HIGH
#define GPIO_SPEED_HIGH GPIO_SPEED_FREQ_VERY_HIGH
#define GPIO_NOPULL 0x0U
#define GPIO_PULLUP 0x1U
#define GPIO_PULLDOWN 0x2U

#define GPIO_AF0_MCO ((uint8_t)0x00)
#define GPIO_AF0_SWJ ((uint8_t)0x00)
#define GPIO_AF0_TRACE ((uint8_t)0x00)
#define GPIO_AF0_RTC_50Hz ((uint8_t)0x00)
#define GPIO_AF1_TIM1 ((uint8_t)0x01)
#define GPIO_AF1_TIM2 ((uint8_t)0x01)
#define GPIO_AF2_TIM3 ((uint8_t)0x02)
#define GPIO_AF2_TIM4 ((uint8_t)0x02)
#define GPIO_AF2_TIM5 ((uint8_t)0x02)
#define GPIO_AF3_TIM8 ((uint8_t)0x03)
#define GPIO_AF3_TIM9 ((uint8_t)0x03)
#define GPIO_AF3_TIM10 ((uint8_t)0x03)
#define GPIO_AF3_TIM11 ((uint8_t)0x03)
#define GPIO_AF4_I2C1 ((uint8_t)0x04)
#define GPIO_AF4_I2C2 ((uint8_t)0x04)
#define GPIO_AF4_I2C3 ((uint8_t)0x04)
#define GPIO_AF5_SPI1 ((uint8_t)0x05)
#define GPIO_AF5_SPI2 ((uint8_t)0x05)
#define GPIO_AF5_SPI4 ((uint8_t)0x05)
#define GPIO_AF6_SPI3 ((uint8_t)0x06)
#define GPIO_AF7_USART1 ((uint8_t)0x07)
#define GPIO_AF7_USART2 ((uint8_t)0x07)
#define GPIO_AF7_USART3 ((uint8_t)0x07)
#define GPIO_AF8_UART4 ((uint8_t)0x08)
#define GPIO_AF8_UART5 ((uint8_t)0x08)
#define GPIO_AF8_USART6 ((uint8_t)0x08)
#define GPIO_AF9_TIM12 ((uint8_t)0x09)
#define GPIO_AF9_TIM13 ((uint8_t)0x09)
#define GPIO_AF9_TIM14 ((uint8_t)0x09)
#define GPIO_AF9_CAN1 ((uint8_t)0x09)
#define GPIO_AF9_CAN2 ((uint8_t)0x09)
#define GPIO_AF15_EVENTOUT ((uint8_t)0x0F)

#define __HAL_GPIO_EXTI_GET_FLAG(line) (EXTI->PR & (line))
#define __HAL_GPIO_EXTI_CLEAR_FLAG(line) (EXTI->PR = (line))
#define __HAL_GPIO_EXTI_GET_IT(line) (EXTI->PR & (line))
#define __HAL_GPIO_EXTI_CLEAR_IT(line) (EXTI->PR = (line))
#define __HAL_GPIO_EXTI_GENERATE_SWIT(line) (EXTI->SWIER |= (line))

void HAL_GPIO_Init(GPIO_TypeDef *GPIOx, GPIO_InitTypeDef *GPIO_Init);
void HAL_GPIO_DeInit(GPIO_TypeDef *GPIOx, uint32_t GPIO_Pin);
GPIO_PinState HAL_GPIO_ReadPin(GPIO_TypeDef *GPIOx, uint16_t GPIO_Pin);
void HAL_GPIO_WritePin(GPIO_TypeDef *GPIOx, uint16_t GPIO_Pin, GPIO_PinState PinState);
void HAL_GPIO_TogglePin(GPIO_TypeDef *GPIOx, uint16_t GPIO_Pin);
HAL_StatusTypeDef HAL_GPIO_LockPin(GPIO_TypeDef *GPIOx, uint16_t GPIO_Pin);
void HAL_GPIO_EXTI_IRQHandler(uint16_t GPIO_Pin);
void HAL_GPIO_EXTI_Callback(uint16_t GPIO_Pin);

#endif

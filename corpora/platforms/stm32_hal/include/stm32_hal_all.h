/* All that the model has of the HAL. */
#ifndef STM32_HAL_ALL_H
#define STM32_HAL_ALL_H

#include "stm32_hal_def.h"
#include "stm32_hal_rcc.h"
#include "stm32_hal_gpio.h"
#include "stm32_hal_dma.h"
#include "stm32_hal_uart.h"
#include "stm32_hal_adc.h"
#include "stm32_hal_tim.h"

#endif

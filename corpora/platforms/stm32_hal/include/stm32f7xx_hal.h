/* The HAL of an STM32F7: a Cortex-M7, so its data cache lies between the program and what the DMA sees. */
#ifndef __STM32F7xx_HAL_H
#define __STM32F7xx_HAL_H

#define STM32F7
#define STM32F746xx
#include "stm32_hal_all.h"
#include "stm32_hal_cache.h"

#endif

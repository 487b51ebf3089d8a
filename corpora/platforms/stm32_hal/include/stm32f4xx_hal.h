/* The HAL of an STM32F4: a Cortex-M4 without caches. */
#ifndef __STM32F4xx_HAL_H
#define __STM32F4xx_HAL_H

#define STM32F4
#define STM32F407xx
#include "stm32_hal_all.h"

#endif

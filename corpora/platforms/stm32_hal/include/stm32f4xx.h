/* The device header. */
#ifndef __STM32F4xx_H
#define __STM32F4xx_H

#include "stm32f4xx_hal.h"

#endif

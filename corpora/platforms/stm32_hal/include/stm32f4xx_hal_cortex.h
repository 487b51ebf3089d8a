/* Part of stm32f4xx_hal.h. */
#include "stm32f4xx_hal.h"

/* The header that CubeMX gives every project. */
#ifndef __MAIN_H
#define __MAIN_H

#include "stm32f4xx_hal.h"

void Error_Handler(void);

#endif

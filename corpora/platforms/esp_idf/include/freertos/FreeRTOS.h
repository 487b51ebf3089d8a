/* FreeRTOS.h by the path that ESP-IDF gives it. */
#include <FreeRTOS.h>

/* FreeRTOSConfig.h by the path that ESP-IDF gives it. */
#include <FreeRTOSConfig.h>

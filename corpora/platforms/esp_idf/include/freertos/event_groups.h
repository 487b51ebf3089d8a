/* event_groups.h by the path that ESP-IDF gives it. */
#include <event_groups.h>

#include "esp_bit_defs.h"

/* portmacro.h by the path that ESP-IDF gives it. */
#include <portmacro.h>

/* timers.h by the path that ESP-IDF gives it. */
#include <timers.h>

/* task.h by the path that ESP-IDF gives it. */
#include <task.h>

/* semphr.h by the path that ESP-IDF gives it. */
#include <semphr.h>

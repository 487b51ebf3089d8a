/* queue.h by the path that ESP-IDF gives it. */
#include <queue.h>

/* stream_buffer.h by the path that ESP-IDF gives it. */
#include <stream_buffer.h>

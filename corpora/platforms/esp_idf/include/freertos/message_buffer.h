/* message_buffer.h by the path that ESP-IDF gives it. */
#include <message_buffer.h>

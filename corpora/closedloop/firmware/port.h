/* What the application needs of a board; one source file a back end. */
#ifndef PORT_H
#define PORT_H

#include <stdint.h>

/* Wait `timeout_ms`, then return how many bytes had come (at most `size`). */
int port_read(char *buffer, int size, int timeout_ms);
void port_write(const char *data, int size);
uint32_t port_now_ms(void);

#endif

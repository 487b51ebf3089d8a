/* Where the firmware of the campaign begins. */
#ifndef UART_TRANSPORT_H
#define UART_TRANSPORT_H

void uart_transport_start(void);

#endif

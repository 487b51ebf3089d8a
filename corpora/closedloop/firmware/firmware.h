/* The two ways into the firmware: a port calls the one it needs. */
#ifndef FIRMWARE_H
#define FIRMWARE_H

/* Run the application; never returns. */
void firmware_run(void);

/* Run the host steps that standard input names. */
int firmware_host_steps(void);

#endif

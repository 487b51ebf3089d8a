/* What the two files of socket calls share. */
#ifndef FB_SOCKETS_H
#define FB_SOCKETS_H

#include "net.h"

fb_socket *fb_socket_of(int fd); /* NULL, and errno, if it is not open */
int fb_socket_fails(int error);  /* sets errno, gives -1 */
bool fb_socket_readable(const fb_socket *one);

#endif

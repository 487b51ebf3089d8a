/* Try to reach anything: the address and port given (a listener of the host on loopback), a name server, the host by
 * vsock, packets by raw socket, and an abstract unix socket of the host. Prints what worked. */
#include <arpa/inet.h>
#include <linux/vm_sockets.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int reached;

static void said(const char *what, int failed)
{
    if (!failed) {
        puts(what);
        reached++;
    }
}

int main(int count, char **argument)
{
    (void)count;
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(argument[1]))};
    there.sin_addr.s_addr = inet_addr("127.0.0.1");
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    said("loopback", connect(fd, (struct sockaddr *)&there, sizeof there));
    there.sin_addr.s_addr = inet_addr("192.0.2.1");
    there.sin_port = htons(53);
    fd = socket(AF_INET, SOCK_DGRAM, 0);
    said("datagram", connect(fd, (struct sockaddr *)&there, sizeof there) || send(fd, "x", 1, 0) != 1);
    struct sockaddr_vm host = {.svm_family = AF_VSOCK, .svm_cid = VMADDR_CID_HOST, .svm_port = 1};
    fd = socket(AF_VSOCK, SOCK_STREAM, 0);
    said("vsock", fd < 0);
    if (fd >= 0)
        said("vsock host", connect(fd, (struct sockaddr *)&host, sizeof host));
    said("raw", socket(AF_INET, SOCK_RAW, 1) < 0);
    said("packet", socket(AF_PACKET, SOCK_RAW, 0) < 0);
    said("netlink", socket(AF_NETLINK, SOCK_RAW, 0) < 0);
    struct sockaddr_un abstract = {.sun_family = AF_UNIX};
    strcpy(abstract.sun_path + 1, argument[2]);
    fd = socket(AF_UNIX, SOCK_STREAM, 0);
    socklen_t length = (socklen_t)(sizeof(sa_family_t) + 1 + strlen(argument[2]));
    said("abstract", connect(fd, (struct sockaddr *)&abstract, length));
    return reached != 0;
}

/* One brace is opened in both branches and closed once: read branch by branch, or every function below is lost. */
#include "net.h"

#define CHECK(condition, otherwise) do { if (!(condition)) { otherwise; } } while (0)

static int first(int a)
{
  return a + 1;
}

/* Deliver a segment to the connection it belongs to. */
void
input(struct segment *segment)
{
#if WITH_LISTENERS
  if (segment->listening) {
#else
  if (segment->open) {
#endif
    deliver(segment);
  } else {
    drop(segment);
  }
}

#if WITH_CHECKSUM
int
send(struct socket *socket)
{
  return send_checked(socket, 0);
}

/** The same with a checksum made before. */
int
send_checked(struct socket *socket, int checksum)
{
#endif
  CHECK(socket != 0, return -1);
  push(socket);
  return 0;
}

int last(void)
{
  return 2;
}

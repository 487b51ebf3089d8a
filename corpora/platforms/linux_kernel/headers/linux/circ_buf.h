/* Arithmetic of rings whose size is a power of two. */
#ifndef _LINUX_CIRC_BUF_H
#define _LINUX_CIRC_BUF_H

#include "kernel.h"

struct circ_buf {
    char *buf;
    int head, tail;
};
#define CIRC_CNT(head, tail, size) (((head) - (tail)) & ((size) - 1))
#define CIRC_SPACE(head, tail, size) CIRC_CNT((tail), ((head) + 1), (size))
#define CIRC_CNT_TO_END(head, tail, size) \
    ({ int end_ = (size) - (tail), n_ = ((head) + end_) & ((size) - 1); n_ < end_ ? n_ : end_; })
#define CIRC_SPACE_TO_END(head, tail, size) \
    ({ int end_ = (size) - 1 - (head), n_ = (end_ + (tail)) & ((size) - 1); n_ <= end_ ? n_ : end_ + 1; })

#endif

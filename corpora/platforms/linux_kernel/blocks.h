/* Memory of the modelled kernel and of its user space, protected page by page. Host side: no kernel header here. */
#ifndef LK_BLOCKS_H
#define LK_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct lk_block {
    char *start;
    size_t bytes;
    char *pages; /* the mapping that holds it, one guard page behind it */
    size_t mapped;
    bool freed;
    const char *kind;
    struct lk_block *next;
} lk_block;

void lk_blocks_begin(void);                             /* from here on a crash says what was touched */
void *lk_block_new(size_t bytes, const char *kind);     /* ends at a guard page; filled with 0xa5 */
lk_block *lk_block_at(const void *inside);              /* NULL if it is in none */
bool lk_block_retire(lk_block *block);                  /* no access from now on; false if bytes behind it were written */
void *lk_user_new(size_t bytes);                        /* user memory, closed to the kernel */
size_t lk_user_room(const void *at);                    /* bytes of user memory from `at` on; 0 if it is none */
void lk_user_copy(void *to, const void *from, size_t n); /* opens user memory for this copy */

#endif

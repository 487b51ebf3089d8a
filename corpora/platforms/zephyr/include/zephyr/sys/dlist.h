#ifndef ZEPHYR_SYS_DLIST_H
#define ZEPHYR_SYS_DLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <zephyr/sys/util.h>

struct _dnode {
    struct _dnode *next, *prev;
};
typedef struct _dnode sys_dlist_t;
typedef struct _dnode sys_dnode_t;

#define SYS_DLIST_STATIC_INIT(list) {(list), (list)}
#define SYS_DLIST_CONTAINER(node, cn, n) ((node) ? CONTAINER_OF(node, __typeof__(*(cn)), n) : NULL)
#define SYS_DLIST_FOR_EACH_NODE(list, node) \
    for (node = sys_dlist_peek_head(list); node; node = sys_dlist_peek_next(list, node))
#define SYS_DLIST_FOR_EACH_CONTAINER(list, cn, n) \
    for (cn = SYS_DLIST_CONTAINER(sys_dlist_peek_head(list), cn, n); cn; \
         cn = SYS_DLIST_CONTAINER(sys_dlist_peek_next(list, &(cn)->n), cn, n))

#define SYS_DLIST_PEEK_HEAD_CONTAINER(list, cn, n) SYS_DLIST_CONTAINER(sys_dlist_peek_head(list), cn, n)
#define SYS_DLIST_PEEK_NEXT_CONTAINER(list, cn, n) \
    ((cn) ? SYS_DLIST_CONTAINER(sys_dlist_peek_next(list, &(cn)->n), cn, n) : NULL)
#define SYS_DLIST_FOR_EACH_NODE_SAFE(list, node, after) \
    for (node = sys_dlist_peek_head(list), after = sys_dlist_peek_next(list, node); node; \
         node = after, after = sys_dlist_peek_next(list, node))
#define SYS_DLIST_FOR_EACH_CONTAINER_SAFE(list, cn, after, n) \
    for (cn = SYS_DLIST_PEEK_HEAD_CONTAINER(list, cn, n), after = SYS_DLIST_PEEK_NEXT_CONTAINER(list, cn, n); cn; \
         cn = after, after = SYS_DLIST_PEEK_NEXT_CONTAINER(list, cn, n))

static inline void sys_dnode_init(sys_dnode_t *node)
{
    node->next = node->prev = NULL;
}

static inline bool sys_dnode_is_linked(const sys_dnode_t *node)
{
    return node->next != NULL;
}

static inline void sys_dlist_init(sys_dlist_t *list)
{
    list->next = list->prev = list;
}

static inline bool sys_dlist_is_empty(sys_dlist_t *list)
{
    return list->next == list;
}

static inline sys_dnode_t *sys_dlist_peek_head(sys_dlist_t *list)
{
    return sys_dlist_is_empty(list) ? NULL : list->next;
}

static inline sys_dnode_t *sys_dlist_peek_tail(sys_dlist_t *list)
{
    return sys_dlist_is_empty(list) ? NULL : list->prev;
}

static inline sys_dnode_t *sys_dlist_peek_next(sys_dlist_t *list, sys_dnode_t *node)
{
    return !node || node->next == list ? NULL : node->next;
}

static inline void sys_dlist_insert(sys_dnode_t *successor, sys_dnode_t *node)
{
    node->prev = successor->prev;
    node->next = successor;
    successor->prev->next = node;
    successor->prev = node;
}

static inline void sys_dlist_append(sys_dlist_t *list, sys_dnode_t *node)
{
    sys_dlist_insert(list, node);
}

static inline void sys_dlist_prepend(sys_dlist_t *list, sys_dnode_t *node)
{
    sys_dlist_insert(list->next, node);
}

static inline void sys_dlist_remove(sys_dnode_t *node)
{
    node->prev->next = node->next;
    node->next->prev = node->prev;
    node->next = node->prev = NULL;
}

static inline sys_dnode_t *sys_dlist_get(sys_dlist_t *list)
{
    sys_dnode_t *node = sys_dlist_peek_head(list);
    if (node)
        sys_dlist_remove(node);
    return node;
}

static inline size_t sys_dlist_len(sys_dlist_t *list)
{
    size_t count = 0;
    for (sys_dnode_t *at = list->next; at != list; at = at->next)
        count++;
    return count;
}

#endif

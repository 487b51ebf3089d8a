#ifndef ZEPHYR_SYS_SLIST_H
#define ZEPHYR_SYS_SLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <zephyr/sys/util.h>

struct _snode {
    struct _snode *next;
};
typedef struct _snode sys_snode_t;
struct _slist {
    sys_snode_t *head, *tail;
};
typedef struct _slist sys_slist_t;

#define SYS_SLIST_STATIC_INIT(list) {NULL, NULL}
#define SYS_SLIST_CONTAINER(ptr, cn, n) ((ptr) ? CONTAINER_OF(ptr, __typeof__(*(cn)), n) : NULL)
#define SYS_SLIST_PEEK_HEAD_CONTAINER(list, cn, n) SYS_SLIST_CONTAINER(sys_slist_peek_head(list), cn, n)
#define SYS_SLIST_PEEK_NEXT_CONTAINER(cn, n) ((cn) ? SYS_SLIST_CONTAINER(sys_slist_peek_next(&(cn)->n), cn, n) : NULL)
#define SYS_SLIST_FOR_EACH_NODE(list, node) for (node = (list)->head; node; node = node->next)
#define SYS_SLIST_FOR_EACH_NODE_SAFE(list, node, after) \
    for (node = (list)->head, after = node ? node->next : NULL; node; node = after, after = node ? node->next : NULL)
#define SYS_SLIST_FOR_EACH_CONTAINER(list, cn, n) \
    for (cn = SYS_SLIST_PEEK_HEAD_CONTAINER(list, cn, n); cn; cn = SYS_SLIST_PEEK_NEXT_CONTAINER(cn, n))
#define SYS_SLIST_FOR_EACH_CONTAINER_SAFE(list, cn, after, n) \
    for (cn = SYS_SLIST_PEEK_HEAD_CONTAINER(list, cn, n), after = SYS_SLIST_PEEK_NEXT_CONTAINER(cn, n); cn; \
         cn = after, after = SYS_SLIST_PEEK_NEXT_CONTAINER(cn, n))

static inline void sys_slist_init(sys_slist_t *list)
{
    list->head = list->tail = NULL;
}

static inline bool sys_slist_is_empty(const sys_slist_t *list)
{
    return !list->head;
}

static inline sys_snode_t *sys_slist_peek_head(const sys_slist_t *list)
{
    return list->head;
}

static inline sys_snode_t *sys_slist_peek_tail(const sys_slist_t *list)
{
    return list->tail;
}

static inline sys_snode_t *sys_slist_peek_next(const sys_snode_t *node)
{
    return node ? node->next : NULL;
}

static inline void sys_slist_prepend(sys_slist_t *list, sys_snode_t *node)
{
    node->next = list->head;
    list->head = node;
    if (!list->tail)
        list->tail = node;
}

static inline void sys_slist_append(sys_slist_t *list, sys_snode_t *node)
{
    node->next = NULL;
    if (list->tail)
        list->tail->next = node;
    else
        list->head = node;
    list->tail = node;
}

static inline void sys_slist_insert(sys_slist_t *list, sys_snode_t *prev, sys_snode_t *node)
{
    if (!prev) {
        sys_slist_prepend(list, node);
    } else if (!prev->next) {
        sys_slist_append(list, node);
    } else {
        node->next = prev->next;
        prev->next = node;
    }
}

static inline void sys_slist_remove(sys_slist_t *list, sys_snode_t *prev, sys_snode_t *node)
{
    if (prev)
        prev->next = node->next;
    else
        list->head = node->next;
    if (list->tail == node)
        list->tail = prev;
    node->next = NULL;
}

static inline sys_snode_t *sys_slist_get(sys_slist_t *list)
{
    sys_snode_t *node = list->head;
    if (node)
        sys_slist_remove(list, NULL, node);
    return node;
}

static inline bool sys_slist_find_and_remove(sys_slist_t *list, sys_snode_t *node)
{
    sys_snode_t *prev = NULL;
    for (sys_snode_t *at = list->head; at; prev = at, at = at->next)
        if (at == node) {
            sys_slist_remove(list, prev, node);
            return true;
        }
    return false;
}

static inline size_t sys_slist_len(const sys_slist_t *list)
{
    size_t count = 0;
    for (sys_snode_t *at = list->head; at; at = at->next)
        count++;
    return count;
}

#endif

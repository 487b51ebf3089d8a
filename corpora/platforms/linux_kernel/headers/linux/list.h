/* Doubly linked lists. */
#ifndef _LINUX_LIST_H
#define _LINUX_LIST_H

#include "kernel.h"

#define LIST_HEAD_INIT(name) {&(name), &(name)}
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)
static inline void INIT_LIST_HEAD(struct list_head *list) { list->next = list->prev = list; }
static inline void lk_list_between(struct list_head *one, struct list_head *prev, struct list_head *next)
{
    next->prev = one;
    one->next = next;
    one->prev = prev;
    prev->next = one;
}
static inline void list_add(struct list_head *one, struct list_head *head) { lk_list_between(one, head, head->next); }
static inline void list_add_tail(struct list_head *one, struct list_head *head) { lk_list_between(one, head->prev, head); }
static inline void lk_list_take(struct list_head *one)
{
    one->next->prev = one->prev;
    one->prev->next = one->next;
}
static inline void list_del(struct list_head *one)
{
    lk_list_take(one);
    one->next = (struct list_head *)0x100;
    one->prev = (struct list_head *)0x122;
}
static inline void list_del_init(struct list_head *one)
{
    lk_list_take(one);
    INIT_LIST_HEAD(one);
}
static inline void list_replace(struct list_head *old, struct list_head *one)
{
    one->next = old->next;
    one->next->prev = one;
    one->prev = old->prev;
    one->prev->next = one;
}
static inline void list_move(struct list_head *one, struct list_head *head)
{
    lk_list_take(one);
    list_add(one, head);
}
static inline void list_move_tail(struct list_head *one, struct list_head *head)
{
    lk_list_take(one);
    list_add_tail(one, head);
}
static inline int list_empty(const struct list_head *head) { return READ_ONCE(head->next) == head; }
static inline int list_is_last(const struct list_head *one, const struct list_head *head) { return one->next == head; }
static inline int list_is_first(const struct list_head *one, const struct list_head *head) { return one->prev == head; }
static inline int list_is_singular(const struct list_head *head) { return !list_empty(head) && head->next == head->prev; }
static inline void list_splice(struct list_head *list, struct list_head *head)
{
    if (!list_empty(list)) {
        list->next->prev = head;
        list->prev->next = head->next;
        head->next->prev = list->prev;
        head->next = list->next;
    }
}
static inline void list_splice_init(struct list_head *list, struct list_head *head)
{
    list_splice(list, head);
    INIT_LIST_HEAD(list);
}
static inline void list_splice_tail_init(struct list_head *list, struct list_head *head)
{
    list_splice(list, head->prev);
    INIT_LIST_HEAD(list);
}
#define list_entry(at, type, member) container_of(at, type, member)
#define list_first_entry(head, type, member) list_entry((head)->next, type, member)
#define list_last_entry(head, type, member) list_entry((head)->prev, type, member)
#define list_first_entry_or_null(head, type, member) (list_empty(head) ? NULL : list_first_entry(head, type, member))
#define list_next_entry(at, member) list_entry((at)->member.next, __typeof__(*(at)), member)
#define list_prev_entry(at, member) list_entry((at)->member.prev, __typeof__(*(at)), member)
#define list_for_each(at, head) for (at = (head)->next; at != (head); at = at->next)
#define list_for_each_safe(at, n, head) for (at = (head)->next, n = at->next; at != (head); at = n, n = at->next)
#define list_for_each_entry(at, head, member) \
    for (at = list_first_entry(head, __typeof__(*at), member); &at->member != (head); at = list_next_entry(at, member))
#define list_for_each_entry_reverse(at, head, member) \
    for (at = list_last_entry(head, __typeof__(*at), member); &at->member != (head); at = list_prev_entry(at, member))
#define list_for_each_entry_safe(at, n, head, member) \
    for (at = list_first_entry(head, __typeof__(*at), member), n = list_next_entry(at, member); &at->member != (head); \
         at = n, n = list_next_entry(n, member))
static inline int list_count_nodes(struct list_head *head)
{
    struct list_head *at;
    int count = 0;
    list_for_each(at, head)
        count++;
    return count;
}

#endif

/* Strings and blocks of memory. */
#ifndef _LINUX_STRING_H
#define _LINUX_STRING_H

#include "err.h"
#include "types.h"

void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int value, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memchr(const void *at, int value, size_t n);
size_t strlen(const char *s);
size_t strnlen(const char *s, size_t n);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t n);
char *strchr(const char *s, int c);
char *strrchr(const char *s, int c);
char *strstr(const char *s, const char *part);
char *strsep(char **s, const char *separators);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t n);
char *strcat(char *to, const char *from);
size_t strspn(const char *s, const char *accept);
size_t strcspn(const char *s, const char *reject);
ssize_t lk_strscpy(char *to, const char *from, size_t n);
ssize_t strscpy_pad(char *to, const char *from, size_t n);
size_t strlcpy(char *to, const char *from, size_t n) __asm__("lk_strlcpy");
#define LK_STRSCPY2(to, from) lk_strscpy(to, from, sizeof(to))
#define LK_STRSCPY3(to, from, n) lk_strscpy(to, from, n)
#define LK_THIRD_OF(a, b, c, name, ...) name
#define strscpy(args...) LK_THIRD_OF(args, LK_STRSCPY3, LK_STRSCPY2, )(args)
char *strim(char *s);
char *skip_spaces(const char *s);
#define strstrip strim
bool sysfs_streq(const char *a, const char *b);
int match_string(const char *const *array, size_t n, const char *text);
int sysfs_match_string_(const char *const *array, size_t n, const char *text);
#define sysfs_match_string(array, text) sysfs_match_string_(array, sizeof(array) / sizeof((array)[0]), text)
void memzero_explicit(void *at, size_t n);
#define str_on_off(v) ((v) ? "on" : "off")
#define str_yes_no(v) ((v) ? "yes" : "no")
#define str_enabled_disabled(v) ((v) ? "enabled" : "disabled")

#define isdigit(c) ((c) >= '0' && (c) <= '9')
#define isspace(c) ((c) == ' ' || ((c) >= '\t' && (c) <= '\r'))
#define isupper(c) ((c) >= 'A' && (c) <= 'Z')
#define islower(c) ((c) >= 'a' && (c) <= 'z')
#define isalpha(c) (isupper(c) || islower(c))
#define isalnum(c) (isalpha(c) || isdigit(c))
#define isxdigit(c) (isdigit(c) || ((c) >= 'a' && (c) <= 'f') || ((c) >= 'A' && (c) <= 'F'))
#define isprint(c) ((c) >= ' ' && (c) <= '~')
static inline int toupper(int c) { return islower(c) ? c - 32 : c; }
static inline int tolower(int c) { return isupper(c) ? c + 32 : c; }

#endif

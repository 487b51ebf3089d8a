/* printk and the kernel's formats, conversions, strings. */
#include "lk.h"

int libc_snprintf(char *to, size_t room, const char *format, ...) __asm__("snprintf");

static const struct {
    int number;
    const char *name;
} ERRORS[] = {{EPERM, "EPERM"}, {ENOENT, "ENOENT"}, {EINTR, "EINTR"}, {EIO, "EIO"}, {ENXIO, "ENXIO"}, {EAGAIN, "EAGAIN"},
              {ENOMEM, "ENOMEM"}, {EFAULT, "EFAULT"}, {EBUSY, "EBUSY"}, {EEXIST, "EEXIST"}, {ENODEV, "ENODEV"},
              {EINVAL, "EINVAL"}, {ETIMEDOUT, "ETIMEDOUT"}, {EPROBE_DEFER, "EPROBE_DEFER"}};

static int error_name(char *to, size_t room, long number)
{
    for (size_t i = 0; i < ARRAY_SIZE(ERRORS); i++)
        if (ERRORS[i].number == -number)
            return libc_snprintf(to, room, "-%s", ERRORS[i].name);
    return libc_snprintf(to, room, "%ld", number);
}

/* One conversion, from its % to its letter, with the argument that fits its length. */
#define PUT(value) \
    (stars == 2 ? libc_snprintf(at, left, spec, star[0], star[1], value) \
     : stars ? libc_snprintf(at, left, spec, star[0], value) : libc_snprintf(at, left, spec, value))

int lk_vsnprintf(char *to, size_t room, const char *format, __builtin_va_list args)
{
    size_t used = 0;
    char nothing[1];
    while (*format) {
        char *at = used < room ? to + used : nothing;
        size_t left = used < room ? room - used : 0;
        if (*format != '%') {
            if (left)
                *at = *format;
            used++;
            format++;
            continue;
        }
        char spec[32] = "%";
        size_t n = 1;
        int star[2] = {0, 0}, stars = 0, longs = 0;
        bool sized = false;
        for (format++; *format && strchr("-+ #0123456789.*hlqjztL", *format); format++) {
            if (*format == '*' && stars < 2)
                star[stars++] = __builtin_va_arg(args, int);
            longs += *format == 'l' || *format == 'q' || *format == 'j';
            sized |= *format == 'z' || *format == 't';
            if (n < sizeof spec - 2)
                spec[n++] = *format;
        }
        char letter = *format ? *format++ : '%';
        spec[n++] = letter;
        spec[n] = '\0';
        int put = 0;
        if (letter == '%') {
            put = libc_snprintf(at, left, "%%");
        } else if (letter == 'p') {
            void *value = __builtin_va_arg(args, void *);
            char extension = isalpha(*format) ? *format : '\0';
            while (isalnum(*format))
                format++;
            if (extension == 'e' && IS_ERR(value))
                put = error_name(at, left, PTR_ERR(value));
            else if (extension == 'h')
                for (int i = 0; i < star[0]; i++) {
                    put += libc_snprintf(at, left, i ? " %02x" : "%02x", ((const u8 *)value)[i]);
                    at = used + put < room ? to + used + put : nothing;
                    left = used + put < room ? room - used - put : 0;
                }
            else
                put = libc_snprintf(at, left, "%016lx", (unsigned long)value);
        } else if (letter == 's') {
            const char *text = __builtin_va_arg(args, const char *);
            put = PUT(text ? text : "(null)");
        } else if (letter == 'c' || (!longs && !sized)) {
            int value = __builtin_va_arg(args, int);
            put = PUT(value);
        } else {
            long value = __builtin_va_arg(args, long);
            put = PUT(value);
        }
        used += put > 0 ? (size_t)put : 0;
    }
    if (room)
        to[used < room ? used : room - 1] = '\0';
    return (int)used;
}

#define FORMATTED(result, call) \
    __builtin_va_list args; \
    __builtin_va_start(args, format); \
    result = call; \
    __builtin_va_end(args)

int lk_snprintf(char *to, size_t room, const char *format, ...)
{
    int n;
    FORMATTED(n, lk_vsnprintf(to, room, format, args));
    return n;
}

int lk_sprintf(char *to, const char *format, ...);
int lk_sprintf(char *to, const char *format, ...)
{
    int n;
    FORMATTED(n, lk_vsnprintf(to, 1 << 20, format, args));
    return n;
}

int vscnprintf(char *to, size_t room, const char *format, __builtin_va_list args)
{
    int n = lk_vsnprintf(to, room, format, args);
    return !room ? 0 : (size_t)n < room ? n : (int)room - 1;
}

int scnprintf(char *to, size_t room, const char *format, ...)
{
    int n;
    FORMATTED(n, vscnprintf(to, room, format, args));
    return n;
}

char *kasprintf(gfp_t gfp, const char *format, ...)
{
    char text[512];
    int n;
    FORMATTED(n, lk_vsnprintf(text, sizeof text, format, args));
    (void)n;
    return kstrdup(text, gfp);
}

static void say(const char *text)
{
    size_t n = strlen(text);
    fb_console(text, n);
    if (n && text[n - 1] != '\n')
        fb_console("\n", 1);
}

int printk(const char *format, ...)
{
    char text[1024];
    int n;
    if (format[0] == KERN_SOH[0] && format[1])
        format += 2;
    FORMATTED(n, lk_vsnprintf(text, sizeof text, format, args));
    say(text);
    return n;
}

void lk_dev_printk(const char *level, const struct device *dev, const char *format, ...)
{
    char text[1024];
    int n = lk_snprintf(text, sizeof text, "%s %s: ", dev ? dev_driver_string(dev) : "(NULL", dev ? dev_name(dev) : "device *)");
    (void)level;
    FORMATTED(n, lk_vsnprintf(text + n, sizeof text - (size_t)n, format, args));
    say(text);
}

int dev_err_probe(const struct device *dev, int error, const char *format, ...)
{
    char text[512];
    int n;
    FORMATTED(n, lk_vsnprintf(text, sizeof text, format, args));
    (void)n;
    if (error != -EPROBE_DEFER)
        lk_dev_printk(KERN_ERR, dev, "error %pe: %s", ERR_PTR(error), text);
    return error;
}

void panic(const char *format, ...)
{
    char text[512];
    int n;
    FORMATTED(n, lk_vsnprintf(text, sizeof text, format, args));
    (void)n;
    fb_panic("kernel panic: %s", text);
}

void dump_stack(void) { say("Call Trace:"); }
void lk_warn(const char *file, int line, const char *condition)
{
    (void)file;
    fb_fault("warning", "WARN_ON(%s) in line %d", condition, line);
}
void lk_bug(const char *file, int line, const char *condition)
{
    (void)file;
    fb_panic("kernel BUG in line %d: %s", line, condition);
}
void lk_refcount_fault(const char *what) { fb_fault("refcount", "a reference count was %s", what); }

/* ---- numbers ---- */
static int number(const char *text, unsigned base, bool is_signed, long long least, unsigned long long most, long long *to)
{
    bool minus = *text == '-' && is_signed;
    if (*text == '+' || minus)
        text++;
    if (!isalnum(*text))
        return -EINVAL;
    if (base == 0)
        base = text[0] != '0' ? 10 : (text[1] | 32) == 'x' ? 16 : 8;
    if (base == 16 && text[0] == '0' && (text[1] | 32) == 'x')
        text += 2;
    unsigned long long value = 0;
    int digits = 0;
    for (; *text && *text != '\n'; text++, digits++) {
        unsigned digit = isdigit(*text) ? (unsigned)(*text - '0') : isalpha(*text) ? (unsigned)(tolower(*text) - 'a') + 10 : 99;
        if (digit >= base)
            return -EINVAL;
        if (__builtin_mul_overflow(value, (unsigned long long)base, &value) || __builtin_add_overflow(value, digit, &value))
            return -ERANGE;
    }
    if (!digits || (*text == '\n' && text[1]))
        return -EINVAL;
    if (minus ? value > -(unsigned long long)least : value > most)
        return -ERANGE;
    *to = minus ? -(long long)value : (long long)value;
    return 0;
}

#define CONVERSION(name, type, is_signed, least, most) \
    int name(const char *text, unsigned base, type *to) \
    { \
        long long value; \
        int error = number(text, base, is_signed, least, most, &value); \
        if (!error) \
            *to = (type)value; \
        return error; \
    }
CONVERSION(kstrtoint, int, true, INT_MIN, INT_MAX)
CONVERSION(kstrtouint, unsigned, false, 0, UINT_MAX)
CONVERSION(kstrtol, long, true, LONG_MIN, LONG_MAX)
CONVERSION(kstrtoul, unsigned long, false, 0, ULONG_MAX)
CONVERSION(kstrtoll, long long, true, S64_MIN, S64_MAX)
CONVERSION(kstrtoull, unsigned long long, false, 0, U64_MAX)
CONVERSION(kstrtou8, u8, false, 0, 255)
CONVERSION(kstrtos8, s8, true, -128, 127)
CONVERSION(kstrtou16, u16, false, 0, 65535)
CONVERSION(kstrtos16, s16, true, -32768, 32767)

int kstrtobool(const char *text, bool *to)
{
    if (!text || !*text)
        return -EINVAL;
    if (strchr("1yYtT", *text) || !strncasecmp(text, "on", 2))
        *to = true;
    else if (strchr("0nNfF", *text) || !strncasecmp(text, "of", 2))
        *to = false;
    else
        return -EINVAL;
    return 0;
}

static int text_of_user(char *to, size_t room, const char __user *from, size_t n)
{
    n = min(n, room - 1);
    if (copy_from_user(to, from, n))
        return -EFAULT;
    to[n] = '\0';
    return 0;
}
#define FROM_USER(name, type, plain) \
    int name(const char __user *from, size_t count, unsigned base, type *to) \
    { \
        char text[32]; \
        int error = text_of_user(text, sizeof text, from, count); \
        return error ? error : plain(text, base, to); \
    }
FROM_USER(kstrtoint_from_user, int, kstrtoint)
FROM_USER(kstrtouint_from_user, unsigned, kstrtouint)
FROM_USER(kstrtoul_from_user, unsigned long, kstrtoul)
int kstrtobool_from_user(const char __user *from, size_t count, bool *to)
{
    char text[4];
    int error = text_of_user(text, sizeof text, from, count);
    return error ? error : kstrtobool(text, to);
}
unsigned long simple_strtoul(const char *text, char **end, unsigned base) { return strtoull(text, end, (int)base); }
long simple_strtol(const char *text, char **end, unsigned base)
{
    return *text == '-' ? -(long)strtoull(text + 1, end, (int)base) : (long)strtoull(text, end, (int)base);
}

/* ---- strings ---- */
ssize_t lk_strscpy(char *to, const char *from, size_t n)
{
    size_t length = strnlen(from, n);
    if (!n)
        return -E2BIG;
    memcpy(to, from, min(length, n - 1));
    to[min(length, n - 1)] = '\0';
    return length < n ? (ssize_t)length : -E2BIG;
}
ssize_t strscpy_pad(char *to, const char *from, size_t n)
{
    memset(to, 0, n);
    return lk_strscpy(to, from, n);
}
size_t lk_strlcpy(char *to, const char *from, size_t n);
size_t lk_strlcpy(char *to, const char *from, size_t n)
{
    lk_strscpy(to, from, n);
    return strlen(from);
}
char *skip_spaces(const char *s)
{
    while (isspace(*s))
        s++;
    return (char *)s;
}
char *strim(char *s)
{
    size_t n = strlen(s);
    while (n && isspace(s[n - 1]))
        s[--n] = '\0';
    return skip_spaces(s);
}
bool sysfs_streq(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (!*a || (*a == '\n' && !a[1])) && (!*b || (*b == '\n' && !b[1]));
}
int match_string(const char *const *array, size_t n, const char *text)
{
    for (size_t i = 0; i < n && array[i]; i++)
        if (!strcmp(array[i], text))
            return (int)i;
    return -EINVAL;
}
int sysfs_match_string_(const char *const *array, size_t n, const char *text)
{
    for (size_t i = 0; i < n && array[i]; i++)
        if (sysfs_streq(array[i], text))
            return (int)i;
    return -EINVAL;
}
void memzero_explicit(void *at, size_t n)
{
    memset(at, 0, n);
    __asm__ __volatile__("" ::"r"(at) : "memory");
}

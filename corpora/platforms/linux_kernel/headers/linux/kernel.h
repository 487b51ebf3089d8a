/* Arithmetic, printing, conversions, assertions: what linux/kernel.h and its neighbours declare. */
#ifndef _LINUX_KERNEL_H
#define _LINUX_KERNEL_H

#include "bits.h"
#include "err.h"
#include "types.h"

#ifndef INT_MAX
#define INT_MAX ((int)(~0U >> 1))
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX (~0U)
#define LONG_MAX ((long)(~0UL >> 1))
#define LONG_MIN (-LONG_MAX - 1)
#define ULONG_MAX (~0UL)
#endif
#define U8_MAX ((u8)~0U)
#define S8_MAX ((s8)(U8_MAX >> 1))
#define U16_MAX ((u16)~0U)
#define S16_MAX ((s16)(U16_MAX >> 1))
#define U32_MAX ((u32)~0U)
#define S32_MAX ((s32)(U32_MAX >> 1))
#define U64_MAX ((u64)~0ULL)
#define S64_MAX ((s64)(U64_MAX >> 1))
#define S64_MIN (-S64_MAX - 1)
#ifndef SIZE_MAX
#define SIZE_MAX (~(size_t)0)
#endif
#define PAGE_SHIFT 12
#define PAGE_SIZE (1UL << PAGE_SHIFT)
#define PAGE_MASK (~(PAGE_SIZE - 1))

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define sizeof_field(type, member) sizeof(((type *)0)->member)
#define struct_size(p, member, count) (sizeof(*(p)) + sizeof(*(p)->member) * (count))
#define array_size(a, b) ((size_t)(a) * (b))
#define min(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ < b_ ? a_ : b_; })
#define max(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define min_t(type, a, b) ({ type a_ = (a); type b_ = (b); a_ < b_ ? a_ : b_; })
#define max_t(type, a, b) ({ type a_ = (a); type b_ = (b); a_ > b_ ? a_ : b_; })
#define umin(a, b) min_t(u64, a, b)
#define umax(a, b) max_t(u64, a, b)
#define min3(a, b, c) min(min(a, b), c)
#define max3(a, b, c) max(max(a, b), c)
#define clamp(value, low, high) min((__typeof__(value))max(value, low), high)
#define clamp_t(type, value, low, high) min_t(type, max_t(type, value, low), high)
#define clamp_val(value, low, high) clamp_t(__typeof__(value), value, low, high)
#define swap(a, b) do { __typeof__(a) t_ = (a); (a) = (b); (b) = t_; } while (0)
#ifndef abs
#define abs(x) ({ __typeof__(x) x_ = (x); x_ < 0 ? -x_ : x_; })
#endif
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define DIV_ROUND_UP_ULL(n, d) DIV_ROUND_UP((unsigned long long)(n), d)
#define DIV_ROUND_CLOSEST(x, d) \
    ({ __typeof__(x) x_ = (x); __typeof__(d) d_ = (d); (x_ > 0) == (d_ > 0) ? (x_ + d_ / 2) / d_ : (x_ - d_ / 2) / d_; })
#define round_up(x, y) ((((x) - 1) | ((__typeof__(x))(y) - 1)) + 1)
#define round_down(x, y) ((x) & ~((__typeof__(x))(y) - 1))
#define roundup(x, y) (DIV_ROUND_UP(x, y) * (y))
#define rounddown(x, y) ((x) - (x) % (y))
#define ALIGN(x, a) (((x) + (a) - 1) & ~((__typeof__(x))(a) - 1))
#define IS_ALIGNED(x, a) (((x) & ((__typeof__(x))(a) - 1)) == 0)
#define PTR_ALIGN(p, a) ((__typeof__(p))ALIGN((unsigned long)(p), (a)))
#define upper_32_bits(n) ((u32)((n) >> 16 >> 16))
#define lower_32_bits(n) ((u32)(n))
#define __stringify_1(x...) #x
#define __stringify(x...) __stringify_1(x)
#define IS_ENABLED(option) 0
#define IS_BUILTIN(option) 0
#define IS_MODULE(option) 0
#define IS_REACHABLE(option) 0
#define check_add_overflow(a, b, d) __builtin_add_overflow(a, b, d)
#define check_sub_overflow(a, b, d) __builtin_sub_overflow(a, b, d)
#define check_mul_overflow(a, b, d) __builtin_mul_overflow(a, b, d)
#define size_add(a, b) ({ size_t s_; __builtin_add_overflow((size_t)(a), (size_t)(b), &s_) ? SIZE_MAX : s_; })
#define size_mul(a, b) ({ size_t s_; __builtin_mul_overflow((size_t)(a), (size_t)(b), &s_) ? SIZE_MAX : s_; })
static inline u64 div_u64(u64 n, u32 d) { return n / d; }
static inline s64 div_s64(s64 n, s32 d) { return n / d; }
static inline u64 div64_u64(u64 n, u64 d) { return n / d; }
static inline s64 div64_s64(s64 n, s64 d) { return n / d; }
static inline u64 mul_u32_u32(u32 a, u32 b) { return (u64)a * b; }
static inline u64 mul_u64_u32_div(u64 a, u32 b, u32 d) { return (u64)((unsigned __int128)a * b / d); }
#define do_div(n, base) ({ u32 base_ = (base), rest_ = (u32)((n) % base_); (n) /= base_; rest_; })
static inline bool is_power_of_2(unsigned long n) { return n && !(n & (n - 1)); }
static inline unsigned long roundup_pow_of_two(unsigned long n)
{
    return n < 2 ? 1 : 1UL << (64 - __builtin_clzl(n - 1));
}
static inline unsigned long rounddown_pow_of_two(unsigned long n) { return 1UL << (63 - __builtin_clzl(n)); }
static inline int ilog2(u64 n) { return 63 - __builtin_clzll(n); }
static inline unsigned long int_sqrt(unsigned long x)
{
    unsigned long root = 0;
    for (unsigned long bit = 1UL << 62; bit; bit >>= 2)
        if (x >= root + bit) {
            x -= root + bit;
            root = (root >> 1) + bit;
        } else
            root >>= 1;
    return root;
}

#define KERN_SOH "\001"
#define KERN_EMERG KERN_SOH "0"
#define KERN_ALERT KERN_SOH "1"
#define KERN_CRIT KERN_SOH "2"
#define KERN_ERR KERN_SOH "3"
#define KERN_WARNING KERN_SOH "4"
#define KERN_NOTICE KERN_SOH "5"
#define KERN_INFO KERN_SOH "6"
#define KERN_DEBUG KERN_SOH "7"
#define KERN_DEFAULT ""
#define KERN_CONT KERN_SOH "c"
#ifndef KBUILD_MODNAME
#define KBUILD_MODNAME "candidate"
#endif
#ifndef pr_fmt
#define pr_fmt(format) format
#endif
int printk(const char *format, ...); /* no format attribute: the kernel's %p extensions */
int _printk(const char *format, ...);
#define pr_emerg(format, ...) printk(KERN_EMERG pr_fmt(format), ##__VA_ARGS__)
#define pr_alert(format, ...) printk(KERN_ALERT pr_fmt(format), ##__VA_ARGS__)
#define pr_crit(format, ...) printk(KERN_CRIT pr_fmt(format), ##__VA_ARGS__)
#define pr_err(format, ...) printk(KERN_ERR pr_fmt(format), ##__VA_ARGS__)
#define pr_warn(format, ...) printk(KERN_WARNING pr_fmt(format), ##__VA_ARGS__)
#define pr_notice(format, ...) printk(KERN_NOTICE pr_fmt(format), ##__VA_ARGS__)
#define pr_info(format, ...) printk(KERN_INFO pr_fmt(format), ##__VA_ARGS__)
#define pr_cont(format, ...) printk(KERN_CONT format, ##__VA_ARGS__)
#define pr_debug(format, ...) do { if (0) printk(KERN_DEBUG pr_fmt(format), ##__VA_ARGS__); } while (0)
#define pr_devel pr_debug
#define pr_err_once pr_err
#define pr_warn_once pr_warn
#define pr_info_once pr_info
#define pr_err_ratelimited pr_err
#define pr_warn_ratelimited pr_warn
#define pr_info_ratelimited pr_info
#define pr_debug_ratelimited pr_debug
#define printk_ratelimited printk
#define printk_once printk

int lk_snprintf(char *to, size_t room, const char *format, ...);
int lk_vsnprintf(char *to, size_t room, const char *format, __builtin_va_list args);
int scnprintf(char *to, size_t room, const char *format, ...);
int vscnprintf(char *to, size_t room, const char *format, __builtin_va_list args);
int sprintf(char *to, const char *format, ...) __asm__("lk_sprintf");
int snprintf(char *to, size_t room, const char *format, ...) __asm__("lk_snprintf");
int vsnprintf(char *to, size_t room, const char *format, __builtin_va_list args) __asm__("lk_vsnprintf");
int sscanf(const char *text, const char *format, ...);
char *kasprintf(gfp_t gfp, const char *format, ...);

int kstrtoint(const char *text, unsigned base, int *to);
int kstrtouint(const char *text, unsigned base, unsigned *to);
int kstrtol(const char *text, unsigned base, long *to);
int kstrtoul(const char *text, unsigned base, unsigned long *to);
int kstrtoll(const char *text, unsigned base, long long *to);
int kstrtoull(const char *text, unsigned base, unsigned long long *to);
int kstrtou8(const char *text, unsigned base, u8 *to);
int kstrtos8(const char *text, unsigned base, s8 *to);
int kstrtou16(const char *text, unsigned base, u16 *to);
int kstrtos16(const char *text, unsigned base, s16 *to);
int kstrtobool(const char *text, bool *to);
#define kstrtou32(text, base, to) kstrtouint(text, base, to)
#define kstrtos32(text, base, to) kstrtoint(text, base, to)
#define kstrtou64(text, base, to) kstrtoull(text, base, (unsigned long long *)(to))
#define kstrtos64(text, base, to) kstrtoll(text, base, (long long *)(to))
int kstrtoint_from_user(const char __user *from, size_t count, unsigned base, int *to);
int kstrtouint_from_user(const char __user *from, size_t count, unsigned base, unsigned *to);
int kstrtoul_from_user(const char __user *from, size_t count, unsigned base, unsigned long *to);
int kstrtobool_from_user(const char __user *from, size_t count, bool *to);
unsigned long simple_strtoul(const char *text, char **end, unsigned base);
long simple_strtol(const char *text, char **end, unsigned base);

void lk_warn(const char *file, int line, const char *condition);
void lk_bug(const char *file, int line, const char *condition) __attribute__((noreturn));
void panic(const char *format, ...) __attribute__((noreturn));
void dump_stack(void);
#define WARN_ON(condition) \
    ({ int warned_ = !!(condition); if (warned_) lk_warn(__FILE__, __LINE__, #condition); unlikely(warned_); })
#define WARN_ON_ONCE WARN_ON
#define WARN(condition, format...) ({ int w_ = !!(condition); if (w_) { printk(format); lk_warn(__FILE__, __LINE__, #condition); } unlikely(w_); })
#define WARN_ONCE WARN
#define BUG_ON(condition) do { if (unlikely(condition)) lk_bug(__FILE__, __LINE__, #condition); } while (0)
#define BUG() lk_bug(__FILE__, __LINE__, "BUG()")
#define BUILD_BUG_ON(condition) _Static_assert(!(condition), #condition)
#define BUILD_BUG_ON_MSG(condition, text) _Static_assert(!(condition), text)
#ifndef static_assert
#define static_assert(condition, ...) _Static_assert(condition, #condition)
#endif

void might_sleep(void);
int lk_in_interrupt(void);
int lk_in_hardirq(void);
int in_atomic(void);
int irqs_disabled(void);
#define in_interrupt() lk_in_interrupt()
#define in_irq() lk_in_hardirq()
#define in_hardirq() lk_in_hardirq()
#define in_task() (!lk_in_interrupt())
#define in_softirq() (lk_in_interrupt() && !lk_in_hardirq())
#define in_serving_softirq() in_softirq()
#define smp_processor_id() 0
#define raw_smp_processor_id() 0
#define num_online_cpus() 1

#endif

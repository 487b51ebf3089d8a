/* Registers of devices. A pointer of ioremap() can be given to these functions and not be dereferenced. */
#ifndef _LINUX_IO_H
#define _LINUX_IO_H

#include "kernel.h"

struct device;
u32 lk_read_register(const volatile void __iomem *at, unsigned width);
void lk_write_register(u32 value, volatile void __iomem *at, unsigned width);
static inline u8 readb(const volatile void __iomem *at) { return (u8)lk_read_register(at, 1); }
static inline u16 readw(const volatile void __iomem *at) { return (u16)lk_read_register(at, 2); }
static inline u32 readl(const volatile void __iomem *at) { return lk_read_register(at, 4); }
static inline void writeb(u8 value, volatile void __iomem *at) { lk_write_register(value, at, 1); }
static inline void writew(u16 value, volatile void __iomem *at) { lk_write_register(value, at, 2); }
static inline void writel(u32 value, volatile void __iomem *at) { lk_write_register(value, at, 4); }
#define readb_relaxed readb
#define readw_relaxed readw
#define readl_relaxed readl
#define writeb_relaxed writeb
#define writew_relaxed writew
#define writel_relaxed writel
#define __raw_readl readl
#define __raw_writel writel
#define ioread8 readb
#define ioread16 readw
#define ioread32 readl
#define iowrite8 writeb
#define iowrite16 writew
#define iowrite32 writel
void __iomem *ioremap(phys_addr_t start, size_t n);
void iounmap(volatile void __iomem *at);
void __iomem *devm_ioremap(struct device *dev, resource_size_t start, resource_size_t n);
struct resource;
struct resource *request_mem_region(resource_size_t start, resource_size_t n, const char *name);
void release_mem_region(resource_size_t start, resource_size_t n);
struct resource *devm_request_mem_region(struct device *dev, resource_size_t start, resource_size_t n, const char *name);
#define readl_poll_timeout(at, value, condition, every_us, timeout_us) \
    lk_poll_until(((value) = readl(at)), condition, every_us, timeout_us)
#define readl_poll_timeout_atomic(at, value, condition, every_us, timeout_us) \
    lk_poll_until_atomic(((value) = readl(at)), condition, every_us, timeout_us)
#define readl_relaxed_poll_timeout readl_poll_timeout
s64 ktime_get_ns_of_poll(void);
void lk_poll_pause(unsigned long us, bool atomic);
#define lk_poll_until_(take, condition, every_us, timeout_us, atomic) \
    ({ s64 end_ = ktime_get_ns_of_poll() + (s64)(timeout_us) * 1000; int poll_ = 0; \
       for (;;) { take; if (condition) break; \
           if ((timeout_us) && ktime_get_ns_of_poll() >= end_) { take; poll_ = (condition) ? 0 : -ETIMEDOUT; break; } \
           lk_poll_pause(every_us, atomic); } \
       poll_; })
#define lk_poll_until(take, condition, every_us, timeout_us) lk_poll_until_(take, condition, every_us, timeout_us, false)
#define lk_poll_until_atomic(take, condition, every_us, timeout_us) lk_poll_until_(take, condition, every_us, timeout_us, true)

#endif

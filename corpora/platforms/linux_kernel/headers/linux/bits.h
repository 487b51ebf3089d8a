/* Bits, fields, byte order. */
#ifndef _LINUX_BITS_H
#define _LINUX_BITS_H

#include "types.h"

#define BITS_PER_BYTE 8
#define BITS_PER_LONG 64
#define BITS_TO_LONGS(n) (((n) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define BIT(n) (1UL << (n))
#define BIT_ULL(n) (1ULL << (n))
#define BIT_MASK(n) (1UL << ((n) % BITS_PER_LONG))
#define BIT_WORD(n) ((n) / BITS_PER_LONG)
#define GENMASK(high, low) ((~0UL << (low)) & (~0UL >> (BITS_PER_LONG - 1 - (high))))
#define GENMASK_ULL GENMASK
#define DECLARE_BITMAP(name, bits) unsigned long name[BITS_TO_LONGS(bits)]
#define FIELD_GET(mask, reg) ((__typeof__(mask))(((reg) & (mask)) >> __builtin_ctzll(mask)))
#define FIELD_PREP(mask, value) (((__typeof__(mask))(value) << __builtin_ctzll(mask)) & (mask))
#define FIELD_MAX(mask) ((mask) >> __builtin_ctzll(mask))
#define FIELD_FIT(mask, value) (!(((__typeof__(mask))(value) << __builtin_ctzll(mask)) & ~(mask)))
#define hweight8(x) __builtin_popcount((u8)(x))
#define hweight16(x) __builtin_popcount((u16)(x))
#define hweight32(x) __builtin_popcount((u32)(x))
#define hweight64(x) __builtin_popcountll(x)

static inline int fls(unsigned x) { return x ? 32 - __builtin_clz(x) : 0; }
static inline int ffs(int x) { return __builtin_ffs(x); }
static inline unsigned long __ffs(unsigned long x) { return (unsigned long)__builtin_ctzl(x); }
static inline unsigned long __fls(unsigned long x) { return 63UL - (unsigned long)__builtin_clzl(x); }
static inline s32 sign_extend32(u32 value, int index) { return (s32)(value << (31 - index)) >> (31 - index); }
static inline u32 rol32(u32 word, unsigned by) { return word << (by & 31) | word >> (-by & 31); }
static inline u32 ror32(u32 word, unsigned by) { return word >> (by & 31) | word << (-by & 31); }
static inline void __set_bit(long n, volatile unsigned long *at) { at[BIT_WORD(n)] |= BIT_MASK(n); }
static inline void __clear_bit(long n, volatile unsigned long *at) { at[BIT_WORD(n)] &= ~BIT_MASK(n); }
static inline bool test_bit(long n, const volatile unsigned long *at) { return at[BIT_WORD(n)] >> (n % BITS_PER_LONG) & 1; }
#define set_bit(n, at) ((void)__sync_fetch_and_or((unsigned long *)(at) + BIT_WORD(n), BIT_MASK(n)))
#define clear_bit(n, at) ((void)__sync_fetch_and_and((unsigned long *)(at) + BIT_WORD(n), ~BIT_MASK(n)))
#define change_bit(n, at) ((void)__sync_fetch_and_xor((unsigned long *)(at) + BIT_WORD(n), BIT_MASK(n)))
#define test_and_set_bit(n, at) (!!(__sync_fetch_and_or((unsigned long *)(at) + BIT_WORD(n), BIT_MASK(n)) & BIT_MASK(n)))
#define test_and_clear_bit(n, at) \
    (!!(__sync_fetch_and_and((unsigned long *)(at) + BIT_WORD(n), ~BIT_MASK(n)) & BIT_MASK(n)))
#define test_and_set_bit_lock test_and_set_bit
#define clear_bit_unlock clear_bit
#define assign_bit(n, at, value) do { if (value) set_bit(n, at); else clear_bit(n, at); } while (0)
static inline unsigned long find_next_bit(const unsigned long *at, unsigned long size, unsigned long from)
{
    while (from < size && !test_bit((long)from, at))
        from++;
    return from;
}
static inline unsigned long find_next_zero_bit(const unsigned long *at, unsigned long size, unsigned long from)
{
    while (from < size && test_bit((long)from, at))
        from++;
    return from;
}
#define find_first_bit(at, size) find_next_bit(at, size, 0)
#define find_first_zero_bit(at, size) find_next_zero_bit(at, size, 0)
#define for_each_set_bit(bit, at, size) \
    for ((bit) = find_first_bit(at, size); (bit) < (size); (bit) = find_next_bit(at, size, (bit) + 1))
static inline void bitmap_zero(unsigned long *at, unsigned bits) { for (unsigned i = 0; i < BITS_TO_LONGS(bits); i++) at[i] = 0; }

#define cpu_to_le16(x) ((__le16)(u16)(x))
#define cpu_to_le32(x) ((__le32)(u32)(x))
#define cpu_to_le64(x) ((__le64)(u64)(x))
#define le16_to_cpu(x) ((u16)(x))
#define le32_to_cpu(x) ((u32)(x))
#define le64_to_cpu(x) ((u64)(x))
#define cpu_to_be16(x) ((__be16)__builtin_bswap16(x))
#define cpu_to_be32(x) ((__be32)__builtin_bswap32(x))
#define cpu_to_be64(x) ((__be64)__builtin_bswap64(x))
#define be16_to_cpu(x) ((u16)__builtin_bswap16(x))
#define be32_to_cpu(x) ((u32)__builtin_bswap32(x))
#define be64_to_cpu(x) ((u64)__builtin_bswap64(x))
#define swab16(x) __builtin_bswap16(x)
#define swab32(x) __builtin_bswap32(x)
static inline u16 get_unaligned_be16(const void *p) { const u8 *b = p; return (u16)(b[0] << 8 | b[1]); }
static inline u16 get_unaligned_le16(const void *p) { const u8 *b = p; return (u16)(b[1] << 8 | b[0]); }
static inline u32 get_unaligned_be24(const void *p) { const u8 *b = p; return (u32)b[0] << 16 | (u32)b[1] << 8 | b[2]; }
static inline u32 get_unaligned_be32(const void *p) { const u8 *b = p; return (u32)b[0] << 24 | get_unaligned_be24(b + 1); }
static inline u32 get_unaligned_le32(const void *p) { return __builtin_bswap32(get_unaligned_be32(p)); }
static inline void put_unaligned_be16(u16 v, void *p) { u8 *b = p; b[0] = (u8)(v >> 8); b[1] = (u8)v; }
static inline void put_unaligned_le16(u16 v, void *p) { u8 *b = p; b[0] = (u8)v; b[1] = (u8)(v >> 8); }
static inline void put_unaligned_be32(u32 v, void *p) { put_unaligned_be16((u16)(v >> 16), p); put_unaligned_be16((u16)v, (u8 *)p + 2); }
static inline void put_unaligned_le32(u32 v, void *p) { put_unaligned_be32(__builtin_bswap32(v), p); }

#endif

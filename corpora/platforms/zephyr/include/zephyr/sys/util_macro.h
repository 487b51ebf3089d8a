#ifndef ZEPHYR_SYS_UTIL_MACRO_H
#define ZEPHYR_SYS_UTIL_MACRO_H

#ifndef BIT
#define BIT(n) (1UL << (n))
#endif
#define BIT64(n) (1ULL << (n))
#define BIT_MASK(n) (BIT(n) - 1UL)
#define BIT64_MASK(n) (BIT64(n) - 1ULL)
#define WRITE_BIT(var, bit, set) ((var) = (set) ? ((var) | BIT(bit)) : ((var) & ~BIT(bit)))
#define IS_BIT_SET(value, bit) ((((value) >> (bit)) & 0x1) != 0)
#define GENMASK(h, l) (((~0UL) - (1UL << (l)) + 1) & (~0UL >> (sizeof(long) * 8 - 1 - (h))))
#define LSB_GET(value) ((value) & -(value))
#define FIELD_GET(mask, value) (((value) & (mask)) / LSB_GET(mask))
#define FIELD_PREP(mask, value) (((value) * LSB_GET(mask)) & (mask))

#define _STRINGIFY(x) #x
#define STRINGIFY(x) _STRINGIFY(x)
#define _DO_CONCAT(x, y) x##y
#define _CONCAT(x, y) _DO_CONCAT(x, y)
#define CONCAT(x, y) _CONCAT(x, y)
#define UTIL_CAT(a, ...) UTIL_PRIMITIVE_CAT(a, __VA_ARGS__)
#define UTIL_PRIMITIVE_CAT(a, ...) a##__VA_ARGS__
#define IDENTITY(V) V
#define EMPTY
#define __DEBRACKET(...) __VA_ARGS__

/* A macro that is 1 becomes one argument more, which moves the answer into the second place. */
#define FB_ONE_1 0,
#define FB_SECOND(first, second, ...) second
#define FB_IS_ONE(x) FB_IS_ONE_(x)
#define FB_IS_ONE_(x) FB_IS_ONE__(FB_ONE_##x)
#define FB_IS_ONE__(place) FB_SECOND(place 1, 0, 0)
#define IS_ENABLED(option) FB_IS_ONE(option)
#define COND_CODE_1(flag, if_one, otherwise) FB_PICK(FB_IS_ONE(flag), if_one, otherwise)
#define COND_CODE_0(flag, if_zero, otherwise) FB_PICK(FB_IS_ONE(FB_NOT(flag)), if_zero, otherwise)
#define FB_NOT(flag) FB_NOT_(flag)
#define FB_NOT_(flag) FB_NOT_##flag
#define FB_NOT_0 1
#define FB_NOT_1 0
#define FB_PICK(bit, yes, no) FB_PICK_(bit, yes, no)
#define FB_PICK_(bit, yes, no) FB_PICK_##bit(yes, no)
#define FB_PICK_1(yes, no) __DEBRACKET yes
#define FB_PICK_0(yes, no) __DEBRACKET no
#define IF_ENABLED(flag, code) COND_CODE_1(flag, code, ())
#define IS_EMPTY(...) FB_IS_EMPTY(__VA_ARGS__)
#define FB_IS_EMPTY(...) FB_SECOND(__VA_OPT__(0, 0, ) 0, 1, 0)

#define NUM_VA_ARGS_LESS_1(...) (FB_COUNT(__VA_ARGS__) - 1)
#define NUM_VA_ARGS(...) FB_COUNT(__VA_ARGS__)
#define FB_COUNT(...) \
    FB_COUNT_(__VA_OPT__(__VA_ARGS__, ) 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define FB_COUNT_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, count, ...) count

#define FB_EVAL(...) FB_EVAL3(FB_EVAL3(FB_EVAL3(__VA_ARGS__)))
#define FB_EVAL3(...) FB_EVAL2(FB_EVAL2(FB_EVAL2(__VA_ARGS__)))
#define FB_EVAL2(...) FB_EVAL1(FB_EVAL1(FB_EVAL1(__VA_ARGS__)))
#define FB_EVAL1(...) __VA_ARGS__
#define FB_PARENS ()
#define FOR_EACH(fn, sep, ...) __VA_OPT__(FB_EVAL(FB_EACH(fn, sep, __VA_ARGS__)))
#define FB_EACH(fn, sep, one, ...) fn(one) __VA_OPT__(__DEBRACKET sep FB_EACH_AGAIN FB_PARENS(fn, sep, __VA_ARGS__))
#define FB_EACH_AGAIN() FB_EACH
#define FOR_EACH_FIXED_ARG(fn, sep, fixed, ...) __VA_OPT__(FB_EVAL(FB_EACH_FIXED(fn, sep, fixed, __VA_ARGS__)))
#define FB_EACH_FIXED(fn, sep, fixed, one, ...) \
    fn(one, fixed) __VA_OPT__(__DEBRACKET sep FB_EACH_FIXED_AGAIN FB_PARENS(fn, sep, fixed, __VA_ARGS__))
#define FB_EACH_FIXED_AGAIN() FB_EACH_FIXED

#define LISTIFY(length, fn, sep, ...) FB_CAT(FB_LIST_, length)(fn, sep, __VA_ARGS__)
#define FB_CAT(a, b) FB_CAT_(a, b)
#define FB_CAT_(a, b) a##b
#define FB_LIST_0(fn, sep, ...)
#define FB_LIST_1(fn, sep, ...) fn(0, __VA_ARGS__)
#define FB_LIST_2(fn, sep, ...) FB_LIST_1(fn, sep, __VA_ARGS__) __DEBRACKET sep fn(1, __VA_ARGS__)
#define FB_LIST_3(fn, sep, ...) FB_LIST_2(fn, sep, __VA_ARGS__) __DEBRACKET sep fn(2, __VA_ARGS__)
#define FB_LIST_4(fn, sep, ...) FB_LIST_3(fn, sep, __VA_ARGS__) __DEBRACKET sep fn(3, __VA_ARGS__)
#define FB_LIST_5(fn, sep, ...) FB_LIST_4(fn, sep, __VA_ARGS__) __DEBRACKET sep fn(4, __VA_ARGS__)
#define FB_LIST_6(fn, sep, ...) FB_LIST_5(fn, sep, __VA_ARGS__) __DEBRACKET sep fn(5, __VA_ARGS__)
#define FB_LIST_7(fn, sep, ...) FB_LIST_6(fn, sep, __VA_ARGS__) __DEBRACKET sep fn(6, __VA_ARGS__)
#define FB_LIST_8(fn, sep, ...) FB_LIST_7(fn, sep, __VA_ARGS__) __DEBRACKET sep fn(7, __VA_ARGS__)

#endif

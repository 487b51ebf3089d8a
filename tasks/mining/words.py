"""Word lists of the miner: attributes that are blanked, and names that no function has."""

from collections.abc import Iterator


def _words(text: str, prefix: str = "") -> Iterator[bytes]:
    return (f"{prefix}{word}".encode() for word in text.split())


ATTRIBUTES = frozenset(
    _words(
        """
        attribute__ attribute declspec packed packed__ printf scanf init exit initdata exitdata user iomem force
        must_check always_inline noinline flatten cold hot weak used unused maybe_unused deprecated aligned section
        pure noreturn naked irq interrupt ramfunc ram_func fast far near cdecl stdcall fastcall isr syscall no_init
        noinit ro_after_init read_mostly visible malloc format_arg nonstring bitwise percpu rcu acquires releases
        must_hold restrict RESTRICT sched kprobes notrace nocfi randomize_layout STATIC_INLINE STATIC_FORCEINLINE WEAK
        PACKED NO_RETURN USED UNUSED NOINLINE RAM_FUNC
        """,
        prefix="__",
    )
)
"""Attribute words of compilers and kernels that begin with two underscores; each may carry an argument list."""

WRAPPERS = frozenset(
    _words("__not_in_flash_func __no_inline_not_in_flash_func __time_critical_func __scratch_x_func __scratch_y_func")
)
"""Attribute macros whose argument is the name of the function: `void __not_in_flash_func(name)(int a)`."""

CAPITALS = frozenset(
    _words(
        """
        IRAM_ATTR DRAM_ATTR EXT_RAM_ATTR RTC_IRAM_ATTR RTC_DATA_ATTR RTC_NOINIT_ATTR ICACHE_RAM_ATTR ICACHE_FLASH_ATTR
        NOINLINE_ATTR FORCE_INLINE_ATTR PROGMEM HOT COLD FAR NEAR HUGE CODE WEAK PACKED NOINLINE INLINE FORCE_INLINE
        ALWAYS_INLINE STATIC_INLINE UNUSED MAYBE_UNUSED NORETURN NO_RETURN RAMFUNC RAM_FUNC FAST_CODE CCMRAM EXPORT
        DLLEXPORT WINAPI CALLBACK APIENTRY CDECL PSTR_ATTR WARN_UNUSED_RESULT ATTRIBUTE_UNUSED EXPORT_API PUBLIC_API
        DEPRECATED INTERRUPT SECTION_ATTR
        """
    )
)
"""Attribute words in capitals, blanked only near an error of the first parse."""

NOT_NAMES = frozenset(_words("if for while switch return sizeof defined"))
"""What stands before the parentheses of a statement, not of a K&R function."""

KEYWORDS = frozenset(
    word.decode()
    for word in _words(
        """
        if else for while do switch case default return goto break continue sizeof defined catch try throw new delete
        void int char short long float double signed unsigned bool struct union enum class static const inline extern
        volatile register typedef using namespace template auto override final noexcept requires
        """
    )
)
"""Names that no function has; the parser gives them to stretches of code it lost."""

MODIFIERS = frozenset(
    _words("static inline extern const volatile register constexpr virtual explicit friend unsigned struct")
)
"""Words before a function's name that are no type of their own."""

STATEMENTS = frozenset(_words("return goto break continue"))
"""Words that begin a statement handed to a macro: `CHECK(pointer, return -1);`."""

/* Where functions and data are placed. */
#ifndef ESP_ATTR_H
#define ESP_ATTR_H

#define IRAM_ATTR
#define DRAM_ATTR
#define DMA_ATTR __attribute__((aligned(4)))
#define RTC_DATA_ATTR
#define RTC_NOINIT_ATTR
#define EXT_RAM_BSS_ATTR
#define EXT_RAM_ATTR
#define WORD_ALIGNED_ATTR __attribute__((aligned(4)))
#define FORCE_INLINE_ATTR static inline __attribute__((always_inline))
#define NOINLINE_ATTR __attribute__((noinline))

#endif

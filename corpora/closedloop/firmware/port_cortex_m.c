/* The board of QEMU's mps2-an385. Messages as in harness/lockstep.c go through semihosting to the standard input and
 * output of the emulator. Time is the harness's, plus what the board's timer counted since: a wait takes no
 * instruction, because the call blocks the whole machine. */
#include "firmware.h"
#include "port.h"

#include <stddef.h>
#include <string.h>

#define SYS_OPEN 0x01
#define SYS_WRITE 0x05
#define SYS_READ 0x06
#define SYS_EXIT 0x18
#define STOPPED 0x20023 /* ADP_Stopped_RunTimeErrorUnknown */

#define REG(address) (*(volatile uint32_t *)(address))
#define TIMER_CONTROL REG(0x40000000)
#define TIMER_VALUE REG(0x40000004)
#define TIMER_RELOAD REG(0x40000008)
#define SYSTICK_CONTROL REG(0xE000E010)
#define SYSTICK_RELOAD REG(0xE000E014)
#define SYSTICK_VALUE REG(0xE000E018)
#define MPU_CONTROL REG(0xE000ED94)
#define MPU_BASE REG(0xE000ED9C)
#define MPU_SIZE REG(0xE000EDA0)
#define TICKS_PER_MS 25000u

#define WATCH_MS 100
#define WATCHES 3 /* computing for so many WATCH_MS without a word to the port is a hang */

extern uint32_t data_from[], data_to[], data_end[], bss_from[], bss_to[], stack_top[];
extern void (*const init_from[])(void), (*const init_to[])(void);

static uint32_t base_ms, mark;
static int in, out;
static volatile int silent;

static int call(int operation, const void *argument)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static _Noreturn void stop(void)
{
    for (;;)
        call(SYS_EXIT, (const void *)STOPPED);
}

static int open_file(const char *name, int mode)
{
    uintptr_t block[3] = { (uintptr_t)name, (uintptr_t)mode, strlen(name) };
    return call(SYS_OPEN, block);
}

static void put(const void *data, size_t size)
{
    uintptr_t block[3] = { (uintptr_t)out, (uintptr_t)data, size };
    if (size && call(SYS_WRITE, block))
        stop();
}

static void get(void *data, size_t size)
{
    while (size) {
        uintptr_t block[3] = { (uintptr_t)in, (uintptr_t)data, size };
        size_t left = (size_t)call(SYS_READ, block);
        if (left >= size)
            stop();
        data = (char *)data + (size - left);
        size = left;
    }
}

/* Tell the harness how many whole ms of computing there were since it last knew. */
static void tell_time(void)
{
    uint32_t ms = (mark - TIMER_VALUE) / TICKS_PER_MS;
    uint16_t told = (uint16_t)ms;
    char message[3] = { 'T' };
    silent = 0;
    if (!ms)
        return;
    mark -= ms * TICKS_PER_MS;
    base_ms += ms;
    memcpy(message + 1, &told, 2);
    put(message, 3);
}

int port_read(char *buffer, int size, int timeout_ms)
{
    uint16_t ask[2] = { (uint16_t)size, (uint16_t)timeout_ms }, count;
    char message[5] = { 'R' };
    tell_time();
    memcpy(message + 1, ask, 4);
    put(message, 5);
    get(&base_ms, 4);
    get(&count, 2);
    get(buffer, count);
    mark = TIMER_VALUE;
    return count;
}

void port_write(const char *data, int size)
{
    uint16_t count = (uint16_t)size;
    char message[3] = { 'W' };
    tell_time();
    memcpy(message + 1, &count, 2);
    put(message, 3);
    put(data, count);
}

uint32_t port_now_ms(void)
{
    return base_ms + (mark - TIMER_VALUE) / TICKS_PER_MS;
}

static void watch(void)
{
    if (++silent > WATCHES)
        stop();
}

void reset(void);

void reset(void)
{
    memcpy(data_to, data_from, (size_t)((char *)data_end - (char *)data_to));
    memset(bss_from, 0, (size_t)((char *)bss_to - (char *)bss_from));
    TIMER_RELOAD = 0xFFFFFFFFu;
    TIMER_VALUE = 0xFFFFFFFFu;
    TIMER_CONTROL = 1;
    /* Nobody may touch the 256 MiB below the stack, which the board would quietly ignore. */
    MPU_BASE = 0x10000000u | 0x10;
    MPU_SIZE = (27u << 1) | 1u;
    MPU_CONTROL = 5;
    SYSTICK_RELOAD = WATCH_MS * TICKS_PER_MS - 1;
    SYSTICK_VALUE = 0;
    SYSTICK_CONTROL = 7;
    in = open_file("/proc/self/fd/0", 1);
    out = open_file("/proc/self/fd/1", 5);
    mark = TIMER_VALUE;
    for (void (*const *function)(void) = init_from; function < init_to; function++)
        (*function)();
    firmware_run();
    stop();
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))stack_top, reset, stop, stop, stop, stop, stop, NULL, NULL, NULL, NULL, stop, stop, NULL, stop,
    watch,
};

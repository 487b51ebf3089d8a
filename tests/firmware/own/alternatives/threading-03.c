#include "FreeRTOS.h"
#include "task.h"
#include "semphr.h"
#include <stdbool.h>

/* Recursive mutexes in an array of tanks; the deadline is an absolute tick. */
typedef struct {
    uint32_t litres;
    SemaphoreHandle_t mutex;
    StaticSemaphore_t memory;
} tank_t;

extern void pump(int from, int to, uint32_t litres);
static tank_t tanks[4];

static bool lock(int i, TickType_t start, TickType_t wait)
{
    TickType_t left = wait;

    if (wait != portMAX_DELAY) {
        TickType_t gone = xTaskGetTickCount() - start;
        left = gone < wait ? wait - gone : 0;
    }
    return xSemaphoreTakeRecursive(tanks[i].mutex, left) == pdPASS;
}

int tanks_move(int from, int to, uint32_t litres, TickType_t wait)
{
    TickType_t start = xTaskGetTickCount();
    int order[2] = {from, to}, got = 0, code = -2;

    if ((unsigned)from > 3 || (unsigned)to > 3 || from == to || !litres)
        return -1;
    if (from > to) {
        order[0] = to;
        order[1] = from;
    }
    while (got < 2 && lock(order[got], start, wait))
        got++;
    if (got == 2) {
        code = -1;
        if (tanks[from].litres >= litres && tanks[to].litres + litres <= 2000) {
            pump(from, to, litres);
            vTaskSuspendAll();
            tanks[from].litres -= litres;
            tanks[to].litres += litres;
            xTaskResumeAll();
            code = 0;
        }
    }
    while (got-- > 0)
        xSemaphoreGiveRecursive(tanks[order[got]].mutex);
    return code;
}

uint32_t tanks_level(int tank)
{
    if (tank < 0 || tank > 3)
        return 0;
    return tanks[tank].litres;
}

uint32_t tanks_total(void)
{
    vTaskSuspendAll();
    uint32_t total = tanks[0].litres + tanks[1].litres + tanks[2].litres + tanks[3].litres;
    xTaskResumeAll();
    return total;
}

int main(void)
{
    for (int i = 0; i < 4; i++) {
        tanks[i].litres = 1000;
        tanks[i].mutex = xSemaphoreCreateRecursiveMutexStatic(&tanks[i].memory);
    }
    vTaskStartScheduler();
}

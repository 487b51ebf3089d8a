#include "FreeRTOS.h"
#include "task.h"
#include "semphr.h"

#define TANKS 4
#define CAPACITY 2000U

void pump(int from, int to, uint32_t litres);
int tanks_move(int from, int to, uint32_t litres, TickType_t wait);
uint32_t tanks_level(int tank);
uint32_t tanks_total(void);

static SemaphoreHandle_t locks[TANKS];
static volatile uint32_t levels[TANKS] = {1000, 1000, 1000, 1000};

static BaseType_t exists(int tank)
{
    return tank >= 0 && tank < TANKS;
}

/* Only who has both locks changes the two levels; a short critical section keeps their sum whole. */
static int move_locked(int from, int to, uint32_t litres)
{
    if (levels[from] < litres || CAPACITY - levels[to] < litres)
        return -1;
    pump(from, to, litres);
    taskENTER_CRITICAL();
    levels[from] -= litres;
    levels[to] += litres;
    taskEXIT_CRITICAL();
    return 0;
}

int tanks_move(int from, int to, uint32_t litres, TickType_t wait)
{
    TimeOut_t begun;
    int first, second, result;

    if (!exists(from) || !exists(to) || from == to || litres == 0)
        return -1;
    first = from < to ? from : to;
    second = from < to ? to : from;

    vTaskSetTimeOutState(&begun);
    if (xSemaphoreTake(locks[first], wait) != pdTRUE)
        return -2;
    if (xTaskCheckForTimeOut(&begun, &wait) == pdTRUE)
        wait = 0;
    if (xSemaphoreTake(locks[second], wait) != pdTRUE) {
        xSemaphoreGive(locks[first]);
        return -2;
    }
    result = move_locked(from, to, litres);
    xSemaphoreGive(locks[second]);
    xSemaphoreGive(locks[first]);
    return result;
}

uint32_t tanks_level(int tank)
{
    return exists(tank) ? levels[tank] : 0;
}

uint32_t tanks_total(void)
{
    uint32_t sum = 0;

    taskENTER_CRITICAL();
    for (int i = 0; i < TANKS; i++)
        sum += levels[i];
    taskEXIT_CRITICAL();
    return sum;
}

int main(void)
{
    for (int i = 0; i < TANKS; i++) {
        locks[i] = xSemaphoreCreateMutex();
        configASSERT(locks[i] != NULL);
    }
    vTaskStartScheduler();
    for (;;) {
    }
}

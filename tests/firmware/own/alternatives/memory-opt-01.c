#include <FreeRTOS.h>
#include <task.h>
#include <queue.h>
#include <semphr.h>
#include <timers.h>
extern uint16_t sensor_read(void);
extern void show(uint16_t, uint16_t);
extern void alive(void);
static struct {
    StaticTask_t tcb;
    StackType_t stack[200];
} s_sample, s_display, s_service;
static uint16_t storage[8];
static StaticQueue_t qbuf;
static QueueHandle_t q;
static StaticSemaphore_t mbuf;
static SemaphoreHandle_t lock;
static StaticTimer_t tbuf;
static StaticTask_t idle_tcb, tmr_tcb;
static StackType_t idle_stk[configMINIMAL_STACK_SIZE], tmr_stk[configTIMER_TASK_STACK_DEPTH];
void vApplicationGetIdleTaskMemory(StaticTask_t **t, StackType_t **s, uint32_t *n) {
    *t = &idle_tcb;
    *s = idle_stk;
    *n = configMINIMAL_STACK_SIZE;
}
void vApplicationGetTimerTaskMemory(StaticTask_t **t, StackType_t **s, uint32_t *n) {
    *t = &tmr_tcb;
    *s = tmr_stk;
    *n = configTIMER_TASK_STACK_DEPTH;
}
static uint16_t locked_read(void) {
    uint16_t v = 0;
    if (xSemaphoreTakeRecursive(lock, portMAX_DELAY)) {
        v = sensor_read();
        xSemaphoreGiveRecursive(lock);
    }
    return v;
}
static void sample_task(void *p) {
    (void)p;
    TickType_t last = xTaskGetTickCount();
    while (1) {
        uint16_t v = locked_read();
        if (uxQueueSpacesAvailable(q) == 0) {
            uint16_t old;
            (void)xQueueReceive(q, &old, 0);
        }
        (void)xQueueSendToBack(q, &v, 0);
        xTaskDelayUntil(&last, 10);
    }
}
static void display_task(void *p) {
    (void)p;
    uint32_t acc = 0;
    for (unsigned n = 1;; n++) {
        uint16_t v;
        while (xQueueReceive(q, &v, pdMS_TO_TICKS(1000)) != pdTRUE) {
        }
        acc += v;
        if (n % 16 == 0) {
            show(acc >> 4, v);
            acc = 0;
        }
    }
}
static void service_task(void *p) {
    TickType_t last = xTaskGetTickCount();
    (void)p;
    for (;;) {
        locked_read();
        vTaskDelayUntil(&last, pdMS_TO_TICKS(97));
    }
}
static void tick(TimerHandle_t t) {
    (void)t;
    alive();
}
int main(void) {
    q = xQueueCreateStatic(8, 2, (uint8_t *)storage, &qbuf);
    lock = xSemaphoreCreateRecursiveMutexStatic(&mbuf);
    (void)xTaskCreateStatic(&sample_task, "sample", 200, NULL, 3, s_sample.stack, &s_sample.tcb);
    (void)xTaskCreateStatic(&display_task, "display", 200, NULL, 2, s_display.stack, &s_display.tcb);
    (void)xTaskCreateStatic(&service_task, "service", 200, NULL, tskIDLE_PRIORITY + 1, s_service.stack,
                            &s_service.tcb);
    xTimerStart(xTimerCreateStatic("t", 100, pdTRUE, (void *)0, tick, &tbuf), 0);
    vTaskStartScheduler();
    return 0;
}

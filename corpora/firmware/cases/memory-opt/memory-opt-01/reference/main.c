#include "FreeRTOS.h"
#include "task.h"
#include "queue.h"
#include "semphr.h"
#include "timers.h"

#define QUEUE_LENGTH 8
#define MEAN_OF 16
#define STACK_WORDS 256

uint16_t sensor_read(void);
void show(uint16_t mean, uint16_t last);
void alive(void);

static StaticTask_t sample_task, display_task, service_task;
static StackType_t sample_stack[STACK_WORDS], display_stack[STACK_WORDS], service_stack[STACK_WORDS];

static StaticQueue_t queue_memory;
static uint8_t queue_storage[QUEUE_LENGTH * sizeof(uint16_t)];
static QueueHandle_t queue;

static StaticSemaphore_t sensor_mutex_memory;
static SemaphoreHandle_t sensor_mutex;

static StaticTimer_t alive_timer_memory;

void vApplicationGetIdleTaskMemory(StaticTask_t **task, StackType_t **stack, uint32_t *depth)
{
    static StaticTask_t idle_task;
    static StackType_t idle_stack[configMINIMAL_STACK_SIZE];

    *task = &idle_task;
    *stack = idle_stack;
    *depth = configMINIMAL_STACK_SIZE;
}

void vApplicationGetTimerTaskMemory(StaticTask_t **task, StackType_t **stack, uint32_t *depth)
{
    static StaticTask_t timer_task;
    static StackType_t timer_stack[configTIMER_TASK_STACK_DEPTH];

    *task = &timer_task;
    *stack = timer_stack;
    *depth = configTIMER_TASK_STACK_DEPTH;
}

static uint16_t read_sensor(void)
{
    uint16_t value;

    xSemaphoreTake(sensor_mutex, portMAX_DELAY);
    value = sensor_read();
    xSemaphoreGive(sensor_mutex);
    return value;
}

static void sample(void *unused)
{
    TickType_t woken = xTaskGetTickCount();

    (void)unused;
    for (;;) {
        uint16_t value = read_sensor();

        if (xQueueSend(queue, &value, 0) != pdPASS) {
            uint16_t oldest;

            xQueueReceive(queue, &oldest, 0);
            xQueueSend(queue, &value, 0);
        }
        vTaskDelayUntil(&woken, pdMS_TO_TICKS(10));
    }
}

static void display(void *unused)
{
    uint32_t sum = 0;
    int count = 0;

    (void)unused;
    for (;;) {
        uint16_t value;

        if (xQueueReceive(queue, &value, portMAX_DELAY) != pdPASS)
            continue;
        sum += value;
        if (++count == MEAN_OF) {
            show((uint16_t)(sum / MEAN_OF), value);
            sum = 0;
            count = 0;
        }
    }
}

static void service(void *unused)
{
    TickType_t woken = xTaskGetTickCount();

    (void)unused;
    for (;;) {
        (void)read_sensor();
        vTaskDelayUntil(&woken, pdMS_TO_TICKS(97));
    }
}

static void on_alive(TimerHandle_t timer)
{
    (void)timer;
    alive();
}

int main(void)
{
    TimerHandle_t timer;

    queue = xQueueCreateStatic(QUEUE_LENGTH, sizeof(uint16_t), queue_storage, &queue_memory);
    sensor_mutex = xSemaphoreCreateMutexStatic(&sensor_mutex_memory);
    timer = xTimerCreateStatic("alive", pdMS_TO_TICKS(100), pdTRUE, NULL, on_alive, &alive_timer_memory);

    xTaskCreateStatic(sample, "sample", STACK_WORDS, NULL, 3, sample_stack, &sample_task);
    xTaskCreateStatic(display, "display", STACK_WORDS, NULL, 2, display_stack, &display_task);
    xTaskCreateStatic(service, "service", STACK_WORDS, NULL, 1, service_stack, &service_task);
    xTimerStart(timer, 0);

    vTaskStartScheduler();
    for (;;) {
    }
}

/* From main to the scheduler: main is a thread that nothing preempts until vTaskStartScheduler ends it. */
#include "rtos.h"

#include "freertos_scenario.h"
#include "rtos_timers.h"

#define MAIN_PRIORITY 1000

int candidate_main(void);

static bool static_only;
static Task *idle;

void vApplicationGetIdleTaskMemory(StaticTask_t **, StackType_t **, uint32_t *) __attribute__((weak));
void vApplicationGetTimerTaskMemory(StaticTask_t **, StackType_t **, uint32_t *) __attribute__((weak));
void vApplicationIdleHook(void) __attribute__((weak));

void freertos_static_only(void)
{
    static_only = true;
    freertos_heap(0);
}

bool fb_rtos_static_only(void) { return static_only; }

static void run_main(void *unused)
{
    (void)unused;
    candidate_main();
    fb_stop("main returned");
}

void platform_boot(void)
{
    fb_thread_new("main", MAIN_PRIORITY, run_main, NULL);
    fb_time_slice(RTOS_TICK_NS);
}

static void run_idle(void *unused)
{
    (void)unused;
    for (;;) {
        if (vApplicationIdleHook)
            vApplicationIdleHook();
        fb_wait(NULL, vApplicationIdleHook ? fb_rtos_deadline(1) : FB_FOREVER);
    }
}

static void take_memory(void (*give)(StaticTask_t **, StackType_t **, uint32_t *), const char *name)
{
    StaticTask_t *task = NULL;
    StackType_t *stack = NULL;
    uint32_t depth = 0;
    if (!give) {
        if (static_only)
            fb_fault("static_memory", "%s is not defined, but the kernel is built without a heap", name);
        return;
    }
    give(&task, &stack, &depth);
    if (!task || !stack || depth < configMINIMAL_STACK_SIZE)
        fb_fault("static_memory", "%s gives no task buffer, no stack, or less than configMINIMAL_STACK_SIZE", name);
    else if (fb_rtos_claim(task, name))
        fb_rtos_claim(stack, name);
}

void vTaskStartScheduler(void)
{
    if (!fb_rtos_enter("vTaskStartScheduler"))
        return;
    if (fb_rtos_started()) {
        fb_fault("scheduler_state", "vTaskStartScheduler is called while the scheduler runs");
        return;
    }
    take_memory(vApplicationGetIdleTaskMemory, "vApplicationGetIdleTaskMemory");
    take_memory(vApplicationGetTimerTaskMemory, "vApplicationGetTimerTaskMemory");
    idle = fb_rtos_new_task(run_idle, "IDLE", configMINIMAL_STACK_SIZE * sizeof(StackType_t), NULL, tskIDLE_PRIORITY);
    fb_rtos_start_timers();
    fb_rtos_start();
    fb_exit();
}

void vTaskEndScheduler(void) { fb_stop("vTaskEndScheduler was called"); }
TaskHandle_t xTaskGetIdleTaskHandle(void) { return idle; }

/* esp_timer: callbacks at microsecond resolution, from a task of high priority or from an interrupt. */
#include "esp.h"

#include <stdlib.h>

#include "esp_timer.h"

#define TIMER_MAGIC 0x45535054u
#define TASK_PRIORITY 22

struct esp_timer {
    uint32_t magic;
    esp_timer_create_args_t args;
    int64_t period, alarm; /* ns; 0: once */
    bool active;
    unsigned due;
    fb_event *event;
    struct esp_timer *next;
};

static struct esp_timer *timers;
static Task *task;
static fb_queue idle = FB_QUEUE_INIT;

static bool is_timer(esp_timer_handle_t timer, const char *call)
{
    return fb_rtos_is(timer, TIMER_MAGIC, call, "esp_timer that exists");
}

static void run_in_isr(void *argument)
{
    esp_timer_handle_t timer = argument;
    for (; timer->due; timer->due--)
        timer->args.callback(timer->args.arg);
}

static void serve(void *unused)
{
    (void)unused;
    for (;;) {
        bool ran = false;
        for (esp_timer_handle_t timer = timers; timer; timer = timer->next) {
            if (!timer->due || timer->args.dispatch_method != ESP_TIMER_TASK)
                continue;
            timer->due = timer->args.skip_unhandled_events ? 0 : timer->due - 1;
            fb_spend(FB_US(2));
            timer->args.callback(timer->args.arg);
            ran = true;
            break;
        }
        if (!ran)
            fb_wait(&idle, FB_FOREVER);
    }
}

void esp_timer_boot(void) { task = fb_rtos_new_task(serve, "esp_timer", 3584, NULL, TASK_PRIORITY); }

static void came(void *argument)
{
    esp_timer_handle_t timer = argument;
    timer->due++;
    if (timer->period) {
        timer->alarm += timer->period;
        timer->event = fb_at(timer->alarm, came, timer);
    } else {
        timer->active = false;
    }
    if (timer->args.dispatch_method == ESP_TIMER_ISR)
        fb_irq("esp_timer", ESP_IRQ_PRIORITY, run_in_isr, timer);
    else
        fb_wake(&idle);
}

esp_err_t esp_timer_create(const esp_timer_create_args_t *args, esp_timer_handle_t *out)
{
    if (!args || !args->callback || !out)
        return esp_refuse(ESP_ERR_INVALID_ARG, "esp_timer_create", "no callback or no place for the handle");
    esp_timer_handle_t timer = calloc(1, sizeof *timer);
    *timer = (struct esp_timer){.magic = TIMER_MAGIC, .args = *args};
    esp_timer_handle_t *last = &timers;
    while (*last)
        last = &(*last)->next;
    *out = *last = timer;
    fb_spend(ESP_CALL_NS);
    return ESP_OK;
}

static esp_err_t start(esp_timer_handle_t timer, uint64_t us, bool periodic, const char *call)
{
    fb_spend(ESP_CALL_NS);
    if (!is_timer(timer, call))
        return ESP_ERR_INVALID_ARG;
    if (timer->active)
        return esp_refuse(ESP_ERR_INVALID_STATE, call, "the timer already runs");
    if (periodic && us < 50)
        return esp_refuse(ESP_ERR_INVALID_ARG, call, "a period below 50 us");
    timer->active = true;
    timer->due = 0;
    timer->period = periodic ? FB_US(us) : 0;
    timer->alarm = fb_now() + FB_US(us);
    timer->event = fb_at(timer->alarm, came, timer);
    return ESP_OK;
}

esp_err_t esp_timer_start_once(esp_timer_handle_t timer, uint64_t us)
{
    return start(timer, us, false, "esp_timer_start_once");
}

esp_err_t esp_timer_start_periodic(esp_timer_handle_t timer, uint64_t us)
{
    return start(timer, us, true, "esp_timer_start_periodic");
}

esp_err_t esp_timer_stop(esp_timer_handle_t timer)
{
    fb_spend(ESP_CALL_NS);
    if (!is_timer(timer, "esp_timer_stop"))
        return ESP_ERR_INVALID_ARG;
    if (!timer->active)
        return esp_refuse(ESP_ERR_INVALID_STATE, "esp_timer_stop", "the timer does not run");
    timer->active = false;
    timer->due = 0;
    fb_cancel(timer->event);
    return ESP_OK;
}

esp_err_t esp_timer_restart(esp_timer_handle_t timer, uint64_t us)
{
    if (!is_timer(timer, "esp_timer_restart"))
        return ESP_ERR_INVALID_ARG;
    bool periodic = timer->period != 0;
    esp_err_t error = esp_timer_stop(timer);
    return error == ESP_OK ? start(timer, us, periodic, "esp_timer_restart") : error;
}

esp_err_t esp_timer_delete(esp_timer_handle_t timer)
{
    if (!is_timer(timer, "esp_timer_delete"))
        return ESP_ERR_INVALID_ARG;
    if (timer->active)
        return esp_refuse(ESP_ERR_INVALID_STATE, "esp_timer_delete", "the timer runs");
    for (esp_timer_handle_t *link = &timers; *link; link = &(*link)->next)
        if (*link == timer) {
            *link = timer->next;
            break;
        }
    timer->magic = 0;
    return ESP_OK;
}

int64_t esp_timer_get_time(void)
{
    fb_spend(300);
    return fb_now() / 1000;
}

int64_t esp_timer_get_next_alarm(void)
{
    int64_t next = INT64_MAX;
    for (esp_timer_handle_t timer = timers; timer; timer = timer->next)
        if (timer->active && timer->alarm < next)
            next = timer->alarm;
    return next == INT64_MAX ? next : next / 1000;
}

esp_err_t esp_timer_get_period(esp_timer_handle_t timer, uint64_t *period)
{
    if (!is_timer(timer, "esp_timer_get_period") || !period)
        return ESP_ERR_INVALID_ARG;
    *period = (uint64_t)timer->period / 1000;
    return ESP_OK;
}

bool esp_timer_is_active(esp_timer_handle_t timer) { return is_timer(timer, "esp_timer_is_active") && timer->active; }
void esp_timer_isr_dispatch_need_yield(void) { portYIELD_FROM_ISR(); }

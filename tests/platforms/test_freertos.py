"""The model of FreeRTOS: what the kernel does, and what it is told that a program must not do."""

from functools import partial

import pytest

from corpora.platforms.model import platform
from tasks.sandbox import Sandbox
from tests.platforms.playing import Play, play

HEADERS = """
#include <stdio.h>
#include <string.h>
#include "FreeRTOS.h"
#include "task.h"
#include "queue.h"
#include "semphr.h"
#include "event_groups.h"
#include "timers.h"
#include "stream_buffer.h"
#include "message_buffer.h"
"""
SCENARIO = '#include "sim.h"\n#include "freertos_scenario.h"\n'
ENDS = '\nvoid conclude(void) { FB_CHECK("ends", true, "", "%d", 0); }\n'
INTERRUPTS = (
    SCENARIO
    + """
    void handler(void);
    static void isr(void *unused) { (void)unused; handler(); }
    static void raise(void *priority) { fb_irq("line", (int)(intptr_t)priority, isr, NULL); }
    """
)


@pytest.fixture
def on_freertos(sandbox: Sandbox) -> Play:
    return partial(play, platform("freertos"), sandbox)


def test_objects_do_what_the_kernel_does(on_freertos: Play) -> None:
    """Blocking with a timeout ends at a tick; each kind of object hands over data, order and results."""
    played = on_freertos(
        HEADERS
        + """
        static QueueHandle_t q, one;
        static EventGroupHandle_t group;
        static MessageBufferHandle_t messages;
        static TaskHandle_t first;
        static void second(void *unused) {
            int value = 7;
            (void)unused;
            vTaskDelay(5);
            xQueueOverwrite(one, &value);
            value = 8;
            xQueueOverwrite(one, &value);
            value = 7;
            xQueueSendToFront(q, &value, 0);
            xEventGroupSetBits(group, 1);
            vTaskDelay(5);
            xEventGroupSetBits(group, 2);
            xTaskNotify(first, 0x30, eSetBits);
            xMessageBufferSend(messages, "hello", 5, 0);
            xMessageBufferSend(messages, "you", 3, 0);
            vTaskDelete(NULL);
        }
        static void waiter(void *unused) {
            int value = 0;
            uint32_t bits = 0;
            char text[16] = "";
            (void)unused;
            int got = xQueueReceive(q, &value, 3);
            printf("empty %d at %u\\n", got, xTaskGetTickCount());
            got = xQueueReceive(q, &value, portMAX_DELAY);
            printf("got %d %d at %u\\n", got, value, xTaskGetTickCount());
            xQueuePeek(one, &value, 0);
            printf("mailbox %d, %u left\\n", value, uxQueueMessagesWaiting(one));
            bits = xEventGroupWaitBits(group, 3, pdTRUE, pdTRUE, 20);
            printf("bits %x at %u\\n", bits, xTaskGetTickCount());
            printf("cleared %x\\n", xEventGroupGetBits(group));
            xTaskNotifyWait(0, 0x10, &bits, portMAX_DELAY);
            printf("notified %x\\n", bits);
            printf("message %zu", xMessageBufferReceive(messages, text, sizeof text, 10));
            printf(" %s", text);
            printf(" too long %zu\\n", xMessageBufferReceive(messages, text, 2, 0));
            printf("take %u\\n", ulTaskNotifyTake(pdTRUE, 2));
            TickType_t last = xTaskGetTickCount();
            vTaskDelayUntil(&last, 10);
            printf("until %d\\n", last == xTaskGetTickCount());
            got = xTaskDelayUntil(&last, 10);
            printf("waits %d until %d\\n", got, last == xTaskGetTickCount());
            vTaskDelay(15);
            printf("late %d\\n", xTaskDelayUntil(&last, 10));
            vTaskDelete(NULL);
        }
        int main(void) {
            q = xQueueCreate(2, sizeof(int));
            one = xQueueCreate(1, sizeof(int));
            group = xEventGroupCreate();
            messages = xMessageBufferCreate(32);
            xTaskCreate(waiter, "waiter", 256, NULL, 3, &first);
            xTaskCreate(second, "second", 256, NULL, 2, NULL);
            vTaskStartScheduler();
        }
        """,
        SCENARIO + "void scenario(void) { fb_end_at(FB_MS(200)); }" + ENDS,
    )
    assert played.lines("console") == [
        "empty 0 at 3",
        "got 1 7 at 5",
        "mailbox 8, 1 left",
        "bits 3 at 10",
        "cleared 0",
        "notified 30",
        "message 5 hello too long 0",
        "take 32",
        "until 1",
        "waits 1 until 1",
        "late 0",
    ]
    assert played.passed, played.reason


def test_a_mutex_lends_its_holder_the_priority_of_who_waits(on_freertos: Play) -> None:
    """With a mutex the middle task waits until the low one has let the high one go on, with a semaphore not."""
    candidate = (
        HEADERS
        + """
        static SemaphoreHandle_t lock;
        static void work(int n) { for (volatile int i = 0; i < n; i++) { } }
        static void low(void *unused) {
            (void)unused;
            xSemaphoreTake(lock, portMAX_DELAY);
            work(40000);
            printf("low gives with priority %u\\n", uxTaskPriorityGet(NULL));
            xSemaphoreGive(lock);
            vTaskSuspend(NULL);
        }
        static void middle(void *unused) {
            (void)unused; vTaskDelay(4); printf("middle\\n"); work(80000); printf("middle done\\n"); vTaskDelete(NULL);
        }
        static void high(void *unused) {
            (void)unused; vTaskDelay(2); xSemaphoreTake(lock, portMAX_DELAY); printf("high\\n"); vTaskDelete(NULL);
        }
        int main(void) {
            lock = CREATE;
            xTaskCreate(low, "low", 256, NULL, 1, NULL);
            xTaskCreate(middle, "middle", 256, NULL, 2, NULL);
            xTaskCreate(high, "high", 256, NULL, 3, NULL);
            vTaskStartScheduler();
        }
        """
    )
    scenario = SCENARIO + "void scenario(void) { fb_end_at(FB_MS(200)); }" + ENDS
    mutex = on_freertos(candidate.replace("CREATE", "xSemaphoreCreateMutex()"), scenario)
    counting = on_freertos(candidate.replace("CREATE", "xSemaphoreCreateCounting(1, 1)"), scenario)
    assert mutex.lines("console")[:2] == ["low gives with priority 3", "high"]
    assert counting.lines("console")[:2] == ["middle", "middle done"]


def test_without_a_yield_a_woken_task_waits_for_the_tick(on_freertos: Play) -> None:
    candidate = (
        HEADERS
        + """
        static SemaphoreHandle_t given;
        void handler(void) {
            BaseType_t woken = pdFALSE;
            xSemaphoreGiveFromISR(given, &woken);
            YIELD;
        }
        static void task(void *unused) {
            (void)unused; xSemaphoreTake(given, portMAX_DELAY); printf("ran\\n"); vTaskDelete(NULL);
        }
        int main(void) {
            given = xSemaphoreCreateBinary();
            xTaskCreate(task, "task", 256, NULL, 3, NULL);
            vTaskStartScheduler();
        }
        """
    )
    scenario = INTERRUPTS + (
        "void scenario(void) { fb_at(FB_US(10300), raise, (void *)6); fb_end_at(FB_MS(20)); }\nvoid conclude(void) {\n"
        'FB_CHECK("ran", fb_traced("console", "ran") == 1, "", "%ld", (long)fb_traced_at("console", "ran", 0)); }'
    )
    at_once = on_freertos(candidate.replace("YIELD", "portYIELD_FROM_ISR(woken)"), scenario)
    at_tick = on_freertos(candidate.replace("YIELD", "(void)woken"), scenario)
    assert 10_300_000 < int(at_once.saw("ran")) < 10_310_000
    assert 11_000_000 <= int(at_tick.saw("ran")) < 11_010_000


def test_timers_run_in_the_service_task_and_the_heap_fragments(on_freertos: Play) -> None:
    played = on_freertos(
        HEADERS
        + """
        static void fired(TimerHandle_t timer) {
            printf("%s at %u in %s\\n", (char *)pvTimerGetTimerID(timer), xTaskGetTickCount(), pcTaskGetName(NULL));
            if (xTimerGetPeriod(timer) == 10) xTimerChangePeriod(timer, 25, 0);
        }
        int main(void) {
            TimerHandle_t a = xTimerCreate("a", 10, pdTRUE, "auto", fired);
            TimerHandle_t b = xTimerCreate("b", 15, pdFALSE, "once", fired);
            xTimerStart(a, 0);
            xTimerStart(b, 0);
            void *blocks[3];
            size_t before = xPortGetFreeHeapSize();
            for (int i = 0; i < 3; i++) blocks[i] = pvPortMalloc(500);
            vPortFree(blocks[0]);
            vPortFree(blocks[2]);
            HeapStats_t stats;
            vPortGetHeapStats(&stats);
            int smaller = stats.xSizeOfLargestFreeBlockInBytes < before;
            printf("%zu free blocks, largest %d\\n", stats.xNumberOfFreeBlocks, smaller);
            vPortFree(blocks[1]);
            vPortGetHeapStats(&stats);
            printf("%zu free block, all back %d\\n", stats.xNumberOfFreeBlocks, xPortGetFreeHeapSize() == before);
            printf("too much %d\\n", pvPortMalloc(100000) == NULL);
            vTaskStartScheduler();
        }
        """,
        SCENARIO + "void scenario(void) { fb_end_at(FB_MS(70)); }" + ENDS,
    )
    assert [line.split("console", 1)[1].strip() for line in played.record if "console" in line] == [
        "2 free blocks, largest 1",
        "1 free block, all back 1",
        "too much 1",
        "auto at 10 in Tmr Svc",
        "once at 15 in Tmr Svc",
        "auto at 35 in Tmr Svc",
        "auto at 60 in Tmr Svc",
    ]


FAULTS = {
    "isr_call": 2,
    "isr_priority": 1,
    "invalid_handle": 2,
    "mutex_owner": 2,
    "scheduler_state": 2,
    "blocking_in_critical": 1,
    "static_reuse": 1,
    "critical_unbalanced": 1,
    "task_return": 1,
    "stack_overflow": 1,
    "blocking_in_timer": 1,
    "heap": 1,
    "invalid_argument": 2,
    "self_deadlock": 1,
}


def test_misuse_is_told(on_freertos: Play) -> None:
    """Each of these is a fault, and the program goes on, so that one run shows them all."""
    played = on_freertos(
        HEADERS
        + """
        static SemaphoreHandle_t mutex;
        static StaticTask_t tcb;
        static StackType_t stack[256];
        static int phase;
        void handler(void) {
            if (phase++ == 0) { vTaskDelay(1); xSemaphoreTake(mutex, 0); }
            else vTaskNotifyGiveFromISR(xTaskGetHandle("misuse"), NULL);
        }
        static void waits(TimerHandle_t timer) { (void)timer; vTaskDelay(1); }
        static void returns(void *unused) { (void)unused; }
        static void deep(void *unused) {
            volatile char big[3000]; (void)unused; big[0] = big[2999] = 1; vTaskDelay(1); vTaskDelete(NULL);
        }
        static void holder(void *unused) { (void)unused; xSemaphoreTake(mutex, portMAX_DELAY); vTaskSuspend(NULL); }
        static void locks_itself(void *own) { xSemaphoreTake(own, portMAX_DELAY); xSemaphoreTake(own, portMAX_DELAY); }
        static void misuse(void *unused) {
            (void)unused;
            xQueueReceive(NULL, NULL, 0);
            QueueHandle_t gone = xQueueCreate(1, 4);
            vQueueDelete(gone);
            xQueueSend(gone, &phase, 0);
            xSemaphoreGive(mutex);
            xTaskCreate(holder, "holder", 256, NULL, 4, NULL);
            xSemaphoreGive(mutex);
            vTaskSuspendAll();
            vTaskDelay(1);
            xTaskResumeAll();
            xTaskResumeAll();
            taskENTER_CRITICAL();
            vTaskDelay(1);
            taskEXIT_CRITICAL();
            taskEXIT_CRITICAL();
            xTaskCreateStatic(returns, "again", 256, NULL, 1, stack, &tcb);
            xTaskCreate(returns, "returns", 128, NULL, 5, NULL);
            xTaskCreate(deep, "deep", 256, NULL, 5, NULL);
            xTimerStart(xTimerCreate("t", 1, pdFALSE, NULL, waits), 0);
            vPortFree(&phase);
            xTaskCreate(returns, "high", 128, NULL, 99, NULL);
            xQueueCreate(0, 4);
            xTaskCreate(locks_itself, "own", 256, xSemaphoreCreateMutex(), 5, NULL);
            for (;;) vTaskDelay(1000);
        }
        int main(void) {
            mutex = xSemaphoreCreateMutex();
            xTaskCreateStatic(misuse, "misuse", 256, NULL, 3, stack, &tcb);
            vTaskStartScheduler();
        }
        """,
        INTERRUPTS
        + "void scenario(void) { fb_at(FB_MS(20), raise, (void *)6); fb_at(FB_MS(21), raise, (void *)2);"
        + " fb_end_at(FB_MS(40)); }"
        + "\nvoid conclude(void) {\n"
        + "\n".join(
            f'FB_CHECK("{kind}", fb_faults("{kind}") >= {n}, "", "%zu", fb_faults("{kind}"));'
            for kind, n in FAULTS.items()
        )
        + "}",
    )
    missing = {kind: played.saw(kind) for kind in FAULTS if not played.checks[kind].passed}
    assert not missing, played.lines("fault")
    assert not played.checks["no_api_misuse"].passed


def test_a_kernel_without_a_heap(on_freertos: Play) -> None:
    """Nothing can be allocated, and the kernel's own tasks need memory from the application."""
    played = on_freertos(
        HEADERS
        + """
        int main(void) { printf("queue %d\\n", xQueueCreate(1, 1) != NULL); vTaskStartScheduler(); }
        """,
        SCENARIO + "void scenario(void) { freertos_static_only(); fb_end_at(FB_MS(5)); }" + ENDS,
    )
    assert played.lines("console") == ["queue 0"]
    assert [line.split()[0] for line in played.lines("fault")] == ["heap:", "static_memory:", "static_memory:"]

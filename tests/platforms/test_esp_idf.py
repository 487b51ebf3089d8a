"""The model of ESP-IDF: drivers that refuse, events that come, and what the outside of the chip sees."""

from functools import partial

import pytest

from corpora.platforms.model import platform
from tasks.sandbox import Sandbox
from tests.platforms.playing import Play, play

HEADERS = """
#include <string.h>
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"
#include "freertos/queue.h"
#include "driver/gpio.h"
#include "driver/ledc.h"
#include "driver/uart.h"
#include "esp_adc/adc_continuous.h"
#include "esp_adc/adc_oneshot.h"
#include "esp_heap_caps.h"
#include "esp_log.h"
#include "esp_system.h"
#include "esp_timer.h"
#include "nvs_flash.h"
"""
SCENARIO = '#include "sim.h"\n#include "esp_scenario.h"\n'
ENDS = '\nvoid conclude(void) { FB_CHECK("ends", true, "", "%d", 0); }\n'


@pytest.fixture
def on_esp(sandbox: Sandbox) -> Play:
    return partial(play, platform("esp_idf"), sandbox)


def test_pins_and_timers(on_esp: Play) -> None:
    """Handlers run in an interrupt and at once; a microsecond timer keeps its period beside the 10 ms tick."""
    played = on_esp(
        HEADERS
        + """
        static QueueHandle_t q;
        static void edge(void *arg) {
            int64_t now = esp_timer_get_time();
            BaseType_t woken = pdFALSE;
            (void)arg;
            xQueueSendFromISR(q, &now, &woken);
            portYIELD_FROM_ISR(woken);
        }
        static void blink(void *arg) { static int on; (void)arg; gpio_set_level(GPIO_NUM_5, on ^= 1); }
        void app_main(void) {
            int64_t at;
            gpio_config_t in = {.pin_bit_mask = BIT64(GPIO_NUM_4), .mode = GPIO_MODE_INPUT,
                                .pull_up_en = GPIO_PULLUP_ENABLE, .intr_type = GPIO_INTR_NEGEDGE};
            printf("config %d, invalid %s\\n", gpio_config(&in), esp_err_to_name(gpio_set_level(24, 1)));
            gpio_set_direction(GPIO_NUM_5, GPIO_MODE_OUTPUT);
            q = xQueueCreate(4, sizeof at);
            printf("no service %s\\n", esp_err_to_name(gpio_isr_handler_add(GPIO_NUM_4, edge, NULL)));
            gpio_install_isr_service(0);
            gpio_isr_handler_add(GPIO_NUM_4, edge, NULL);
            esp_timer_handle_t timer;
            esp_timer_create_args_t args = {.callback = blink};
            esp_timer_create(&args, &timer);
            esp_timer_start_periodic(timer, 300);
            printf("again %s\\n", esp_err_to_name(esp_timer_start_once(timer, 1)));
            xQueueReceive(q, &at, portMAX_DELAY);
            int later = (int)(esp_timer_get_time() - at);
            printf("edge at %d, handled %d us later\\n", (int)at / 10 * 10, later);
            esp_timer_stop(timer);
        }
        """,
        SCENARIO
        + """
        static void down(void *u) { (void)u; esp_pin_drive(4, false); }
        void scenario(void) { fb_at(FB_US(2345), down, NULL); fb_end_at(FB_MS(20)); }
        """
        + ENDS,
    )
    lines = played.lines("console")
    assert lines[:3] == [
        "config 0, invalid ESP_ERR_INVALID_ARG",
        "no service ESP_ERR_INVALID_STATE",
        "again ESP_ERR_INVALID_STATE",
    ]
    assert lines[3].startswith("edge at 2340, handled ")
    assert int(lines[3].split()[4]) < 20
    assert len([line for line in played.lines("pin") if line.startswith("GPIO5")]) == 8
    assert played.passed, played.reason


def test_ledc_divides_fades_and_refuses(on_esp: Play) -> None:
    played = on_esp(
        HEADERS
        + """
        static esp_err_t timer(uint32_t hz, ledc_timer_bit_t bits) {
            ledc_timer_config_t t = {.freq_hz = hz, .duty_resolution = bits, .timer_num = LEDC_TIMER_0};
            return ledc_timer_config(&t);
        }
        void app_main(void) {
            printf("too fine %d, too slow %d, right %d\\n", timer(5000, 14), timer(50, 8), timer(1000, 10));
            ledc_channel_config_t c = {.gpio_num = 7, .channel = LEDC_CHANNEL_0, .duty = 256};
            ledc_channel_config(&c);
            printf("fade %s\\n", esp_err_to_name(ledc_set_fade_with_time(LEDC_LOW_SPEED_MODE, 0, 768, 100)));
            ledc_fade_func_install(0);
            ledc_set_duty(LEDC_LOW_SPEED_MODE, LEDC_CHANNEL_0, 512);
            printf("set %u", ledc_get_duty(LEDC_LOW_SPEED_MODE, LEDC_CHANNEL_0));
            ledc_update_duty(LEDC_LOW_SPEED_MODE, LEDC_CHANNEL_0);
            printf(" updated %u\\n", ledc_get_duty(LEDC_LOW_SPEED_MODE, LEDC_CHANNEL_0));
            TickType_t begun = xTaskGetTickCount();
            ledc_set_fade_time_and_start(LEDC_LOW_SPEED_MODE, LEDC_CHANNEL_0, 0, 100, LEDC_FADE_NO_WAIT);
            vTaskDelay(5);
            uint32_t half = ledc_get_duty(LEDC_LOW_SPEED_MODE, LEDC_CHANNEL_0);
            printf("half way %d\\n", half > 230 && half < 290);
            ledc_set_duty(LEDC_LOW_SPEED_MODE, LEDC_CHANNEL_0, 1024);
            printf("waited for the fade %d\\n", xTaskGetTickCount() - begun >= 10);
            ledc_stop(LEDC_LOW_SPEED_MODE, LEDC_CHANNEL_0, 0);
        }
        """,
        SCENARIO + "void scenario(void) { fb_end_at(FB_S(1)); }" + ENDS,
    )
    assert played.lines("console") == [
        "too fine -1, too slow -1, right 0",
        "fade ESP_ERR_INVALID_STATE",
        "set 256 updated 512",
        "half way 1",
        "waited for the fade 1",
    ]
    assert played.lines("pwm") == [
        "GPIO7 period 1000000 high 250000",
        "GPIO7 period 1000000 high 500000",
        "GPIO7 period 1000000 high 0",
        "GPIO7 off",
    ]


def test_uart_events_and_full_buffers(on_esp: Play) -> None:
    """A pause and a full FIFO make data events; when the ring is full the FIFO overflows until someone reads."""
    played = on_esp(
        HEADERS
        + """
        void app_main(void) {
            QueueHandle_t q;
            uart_event_t e;
            uint8_t bytes[300];
            uart_config_t config = {.baud_rate = 115200, .data_bits = UART_DATA_8_BITS, .stop_bits = UART_STOP_BITS_1};
            printf("small %d\\n", uart_driver_install(UART_NUM_1, 100, 0, 8, &q, 0));
            uart_driver_install(UART_NUM_1, 200, 0, 8, &q, 0);
            uart_param_config(UART_NUM_1, &config);
            uart_set_pin(UART_NUM_1, 17, 18, UART_PIN_NO_CHANGE, UART_PIN_NO_CHANGE);
            for (int i = 0; i < 2; i++) {
                xQueueReceive(q, &e, portMAX_DELAY);
                printf("data %d of %zu by timeout %d\\n", e.type == UART_DATA, e.size, e.timeout_flag);
            }
            printf("read %d\\n", uart_read_bytes(UART_NUM_1, bytes, 300, 0));
            vTaskDelay(10);
            while (xQueueReceive(q, &e, 0)) printf("%d ", e.type);
            uart_flush_input(UART_NUM_1);
            size_t left;
            uart_get_buffered_data_len(UART_NUM_1, &left);
            printf("flushed %zu\\n", left);
            int wrote = uart_write_bytes(UART_NUM_1, "hi", 2);
            printf("wrote %d, done %d\\n", wrote, uart_wait_tx_done(UART_NUM_1, 2));
        }
        """,
        SCENARIO
        + """
        void scenario(void) {
            static char bytes[600];
            esp_uart_feed(18, FB_MS(10), bytes, 123, 115200);
            esp_uart_feed(18, FB_MS(40), bytes, 500, 115200);
            fb_end_at(FB_MS(300));
        }
        void conclude(void) {
            size_t n;
            esp_uart_sent(17, &n);
            FB_CHECK("sent", n == 2 && esp_uart_lost() > 0, "", "%zu, %zu lost", n, esp_uart_lost());
        }
        """,
    )
    assert played.lines("console") == [
        "small -1",
        "data 1 of 120 by timeout 0",
        "data 1 of 3 by timeout 1",
        "read 123",
        "0 0 2 3 3 flushed 0",
        "wrote 2, done 0",
    ]
    assert played.passed, played.reason


def test_storage_memory_and_conversions(on_esp: Play) -> None:
    played = on_esp(
        HEADERS
        + """
        void app_main(void) {
            nvs_handle_t h;
            uint32_t value = 0;
            char text[4];
            size_t size = sizeof text;
            printf("open %s\\n", esp_err_to_name(nvs_open("space", NVS_READWRITE, &h)));
            printf("init %s", esp_err_to_name(nvs_flash_init()));
            nvs_flash_erase();
            printf(" then %d\\n", nvs_flash_init());
            printf("missing %s\\n", esp_err_to_name(nvs_open("space", NVS_READONLY, &h)));
            nvs_open("space", NVS_READWRITE, &h);
            nvs_set_u32(h, "count", 41);
            nvs_set_str(h, "name", "longer");
            esp_err_t got = nvs_get_u32(h, "count", &value);
            printf("get %d %u", got, value);
            printf(" other type %s", esp_err_to_name(nvs_get_i32(h, "count", (int32_t *)&value)));
            got = nvs_get_str(h, "name", text, &size);
            printf(" short %s %zu\\n", esp_err_to_name(got), size);
            printf("long key %s\\n", esp_err_to_name(nvs_set_u8(h, "a_key_that_is_long", 1)));
            nvs_commit(h);
            nvs_close(h);
            void *internal = heap_caps_malloc(1000, MALLOC_CAP_DMA);
            void *outer = heap_caps_malloc(100000, MALLOC_CAP_SPIRAM);
            printf("dma %d spiram %d both %d\\n", internal != NULL, outer != NULL,
                   heap_caps_malloc(10, MALLOC_CAP_SPIRAM | MALLOC_CAP_DMA) != NULL);
            heap_caps_free(internal);
            ESP_LOGW("tag", "%ld %lu %lld", (int32_t)-5, (uint32_t)6, (long long)7);
            adc_continuous_handle_t adc;
            adc_continuous_handle_cfg_t hc = {.max_store_buf_size = 256, .conv_frame_size = 128};
            adc_continuous_new_handle(&hc, &adc);
            adc_digi_pattern_config_t pattern[2] = {{.atten = ADC_ATTEN_DB_12, .channel = 0, .bit_width = 12},
                                                    {.atten = ADC_ATTEN_DB_12, .channel = 1, .bit_width = 12}};
            adc_continuous_config_t c = {.pattern_num = 2, .adc_pattern = pattern, .sample_freq_hz = 100,
                                         .conv_mode = ADC_CONV_SINGLE_UNIT_1, .format = ADC_DIGI_OUTPUT_FORMAT_TYPE2};
            printf("slow %s\\n", esp_err_to_name(adc_continuous_config(adc, &c)));
            c.sample_freq_hz = 1000;
            adc_continuous_config(adc, &c);
            adc_continuous_start(adc);
            uint8_t buffer[256];
            uint32_t length;
            int64_t begun = esp_timer_get_time();
            printf("read %d", adc_continuous_read(adc, buffer, 256, &length, 1000));
            adc_digi_output_data_t *r = (void *)buffer;
            printf(" %u bytes after %d ms, channels %u %u\\n", length, (int)((esp_timer_get_time() - begun) / 1000),
                   r[0].type2.channel, r[1].type2.channel);
            printf("apart %d\\n", r[1].type2.data > r[0].type2.data);
            ESP_ERROR_CHECK(nvs_flash_deinit() == ESP_OK ? ESP_FAIL : ESP_OK);
            printf("not reached\\n");
        }
        """,
        SCENARIO
        + """
        void scenario(void) {
            esp_nvs_needs_erase();
            esp_spiram(1 << 20);
            esp_adc_input(1, 500);
            esp_adc_input(2, 2000);
            fb_end_at(FB_S(1));
        }
        """
        + ENDS,
    )
    lines = played.lines("console")
    assert lines[:6] == [
        "open ESP_ERR_NVS_NOT_INITIALIZED",
        "init ESP_ERR_NVS_NO_FREE_PAGES then 0",
        "missing ESP_ERR_NVS_NOT_FOUND",
        "get 0 41 other type ESP_ERR_NVS_NOT_FOUND short ESP_ERR_NVS_INVALID_LENGTH 7",
        "long key ESP_ERR_NVS_KEY_TOO_LONG",
        "dma 1 spiram 1 both 0",
    ]
    assert lines[6].endswith("tag: -5 6 7")
    assert lines[7:10] == ["slow ESP_ERR_INVALID_ARG", "read 0 128 bytes after 32 ms, channels 0 1", "apart 1"]
    assert lines[10].startswith("ESP_ERROR_CHECK failed")
    assert lines[-1] != "not reached"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("isr_call", "gpio_install_isr_service(0); gpio_set_intr_type(4, GPIO_INTR_ANYEDGE);"
         " gpio_isr_handler_add(4, logs, NULL); vTaskDelay(5);"),
        ("spinlock", "portMUX_TYPE lock = {0, 0}; portENTER_CRITICAL(&lock); portEXIT_CRITICAL(&lock);"),
        ("blocking_in_critical", "static portMUX_TYPE lock = portMUX_INITIALIZER_UNLOCKED; taskENTER_CRITICAL(&lock);"
         " vTaskDelay(1); taskEXIT_CRITICAL(&lock);"),
        ("scheduler_state", "vTaskStartScheduler();"),
        ("heap", "heap_caps_free((void *)app_main);"),
    ],
)  # fmt: skip
def test_misuse_is_told(on_esp: Play, kind: str, body: str) -> None:
    played = on_esp(
        HEADERS
        + 'static void logs(void *a) { (void)a; ESP_LOGI("isr", "x"); }\nvoid app_main(void) { (void)logs; '
        + body
        + " }",
        SCENARIO
        + "static void up(void *u) { (void)u; esp_pin_drive(4, true); }\n"
        + "void scenario(void) { fb_at(FB_MS(20), up, NULL); fb_end_at(FB_MS(100)); }"
        + ENDS,
    )
    assert {line.split(":")[0] for line in played.lines("fault")} == {kind}

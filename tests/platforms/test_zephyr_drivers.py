"""Zephyr's drivers: what the simulated flash, buses and sensors take, refuse and record."""

import pytest

from tests.platforms.playing import Play

NOTHING = '\nvoid conclude(void) { FB_CHECK("ends", true, "", "%d", 0); }\n'
HEADERS = "#include <zephyr/kernel.h>\n#include <zephyr/sys/printk.h>\n#include <errno.h>\n#include <string.h>\n"


def test_flash_is_written_once_an_erase(on_zephyr: Play) -> None:
    played = on_zephyr(
        HEADERS
        + """
        #include <zephyr/storage/flash_map.h>
        int main(void) {
            const struct flash_area *area;
            uint8_t data[16] = {1, 2, 3}, back[16];
            printk("open %d", flash_area_open(FIXED_PARTITION_ID(record_partition), &area));
            printk(" %d\\n", flash_area_open(99, &area));
            printk("align %u size %zu\\n", flash_area_align(area), area->fa_size);
            printk("unaligned %d %d\\n", flash_area_write(area, 4, data, 8), flash_area_write(area, 0, data, 7));
            printk("outside %d %d\\n", flash_area_write(area, 4096, data, 8), flash_area_read(area, -8, back, 8));
            printk("write %d", flash_area_write(area, 0, data, 16));
            printk(" again %d\\n", flash_area_write(area, 8, data, 8));
            flash_area_read(area, 0, back, 16);
            printk("back %d\\n", memcmp(back, data, 16));
            printk("erase %d part %d\\n", flash_area_erase(area, 0, 2048), flash_area_erase(area, 0, 100));
            flash_area_read(area, 0, back, 16);
            printk("erased %02x rewrite %d\\n", back[1], flash_area_write(area, 0, data, 8));
            flash_area_close(area);
            return 0;
        }
        """,
        '#include "sim.h"\n#include "fb_flash.h"\nvoid scenario(void) {}\n'
        """
        void conclude(void) {
            size_t at = FB_PARTITION_OFFSET(record_partition);
            FB_CHECK("wear", fb_flash_page_erases(at) == 1 && fb_flash_blocks_written(at, at + 4096) == 3, "", "%u",
                     fb_flash_blocks_written(at, at + 4096));
        }
        """,
    )
    assert played.lines("console") == [
        "open 0 -2",
        "align 8 size 4096",
        "unaligned -22 -22",
        "outside -22 -22",
        "write 0 again -5",
        "back 0",
        "erase 0 part -22",
        "erased ff rewrite 0",
    ]
    assert played.passed, played.reason


def test_power_is_cut_in_a_write_and_memory_begins_anew(on_zephyr: Play) -> None:
    """Blocks before are whole, the one in work is noise, those behind untouched; static data are as at the start."""
    played = on_zephyr(
        HEADERS
        + """
        #include <zephyr/storage/flash_map.h>
        int counter = 7;
        void report(int counter, const uint8_t *data);
        int main(void) {
            const struct flash_area *area;
            static uint8_t data[32] = {[0 ... 31] = 0x11};
            uint8_t back[32];
            flash_area_open(FIXED_PARTITION_ID(record_partition), &area);
            flash_area_read(area, 0, back, 32);
            report(counter++, back);
            flash_area_write(area, 0, data, 32);
            report(-1, data);
            return 0;
        }
        """,
        """
        #include "sim.h"
        #include "power.h"
        #include "fb_flash.h"
        FB_POWER_CYCLES;
        static struct kept { int counters[3]; uint8_t after[32]; bool passed_the_cut; } *kept;
        void report(int counter, const uint8_t *data) {
            if (counter < 0) { kept->passed_the_cut = true; return; }
            kept->counters[fb_boot()] = counter;
            for (int i = 0; fb_boot() == 1 && i < 32; i++) kept->after[i] = data[i];
            if (fb_boot() == 1) fb_flash_cut_after_erase(-1), fb_power_cycle("next");
            if (fb_boot() == 2) fb_stop("enough");
        }
        void scenario(void) { kept = fb_kept("scenario", sizeof *kept); if (fb_boot() == 0) fb_flash_cut_after(2); }
        void conclude(void) {
            FB_CHECK("boots", fb_boot() == 2 && !kept->passed_the_cut, "", "%u", fb_boot());
            FB_CHECK("fresh", kept->counters[0] == 7 && kept->counters[1] == 7 && kept->counters[2] == 7, "", "%d",
                     kept->counters[1]);
            const uint8_t *a = kept->after;
            FB_CHECK("whole", a[0] == 0x11 && a[15] == 0x11, "", "%02x", a[15]);
            bool noise = false;
            for (int i = 16; i < 24; i++) noise |= a[i] != 0x11 && a[i] != 0xff;
            FB_CHECK("torn", noise, "", "%02x %02x", a[16], a[17]);
            FB_CHECK("untouched", a[24] == 0xff && a[31] == 0xff, "", "%02x", a[24]);
        }
        """,
    )
    assert played.passed, played.checks


def test_i2c_target_is_reached_by_messages(on_zephyr: Play) -> None:
    played = on_zephyr(
        HEADERS
        + """
        #include <zephyr/drivers/i2c.h>
        static const struct device *const bus = DEVICE_DT_GET(DT_NODELABEL(i2c0));
        static void in_timer(struct k_timer *timer) { uint8_t v; i2c_reg_read_byte(bus, 0x21, 0, &v); }
        K_TIMER_DEFINE(timer, in_timer, NULL);
        int main(void) {
            uint8_t value = 0, two[2] = {0};
            printk("ready %d\\n", device_is_ready(bus));
            printk("write %d\\n", i2c_reg_write_byte(bus, 0x21, 3, 0x42));
            printk("read %d", i2c_reg_read_byte(bus, 0x21, 3, &value));
            printk(" %02x\\n", value);
            printk("burst %d", i2c_burst_read(bus, 0x21, 2, two, 2));
            printk(" %02x%02x\\n", two[0], two[1]);
            printk("nobody %d\\n", i2c_reg_read_byte(bus, 0x22, 0, &value));
            printk("refused %d\\n", i2c_reg_write_byte(bus, 0x21, 0x99, 0));
            struct i2c_msg turned[2] = {{two, 1, I2C_MSG_WRITE}, {two, 1, I2C_MSG_READ | I2C_MSG_STOP}};
            printk("no restart %d\\n", i2c_transfer(bus, turned, 2, 0x21));
            printk("injected %d", i2c_write(bus, two, 1, 0x21));
            printk(" %d\\n", i2c_write(bus, two, 1, 0x21));
            int64_t before = k_uptime_ticks();
            static uint8_t large[200];
            i2c_read(bus, large, 200, 0x21);
            printk("takes %d ms\\n", (int)k_ticks_to_ms_floor64(k_uptime_ticks() - before));
            k_timer_start(&timer, K_MSEC(1), K_NO_WAIT);
            k_msleep(5);
            return 0;
        }
        """,
        """
        #include "sim.h"
        #include "fb_i2c.h"
        #include <errno.h>
        static uint8_t registers[256], at;
        static bool first;
        static bool start(fb_i2c_target *t, bool read) { (void)t; first = !read; return true; }
        static bool put(fb_i2c_target *t, uint8_t b) {
            (void)t;
            if (first) { at = b; first = false; return b != 0x99; }
            registers[at++] = b;
            return true;
        }
        static uint8_t get(fb_i2c_target *t) { (void)t; return registers[at++]; }
        static fb_i2c_target target = {.address = 0x21, .start = start, .write = put, .read = get};
        void scenario(void) { registers[2] = 0x17; fb_i2c_attach(&target); fb_i2c_fail(6, 1, -EBUSY); }
        """
        + NOTHING,
    )
    assert played.lines("console") == [
        "ready 1",
        "write 0",
        "read 0 42",
        "burst 0 1742",
        "nobody -5",
        "refused -5",
        "no restart -22",
        "injected -16 0",
        "takes 4 ms",
    ]
    assert played.lines("i2c")[:4] == ["21 W0342: 0", "21 W03 R42: 0", "21 W02 R1742: 0", "22 W: -5"]
    assert played.saw("no_api_misuse").startswith("blocking_in_isr")


@pytest.mark.slow
def test_spi_target_hears_its_mode_only(on_zephyr: Play) -> None:
    played = on_zephyr(
        HEADERS
        + """
        #include <zephyr/drivers/spi.h>
        static const struct spi_dt_spec right =
            SPI_DT_SPEC_GET(DT_NODELABEL(encoder0), SPI_WORD_SET(8) | SPI_MODE_CPHA, 0);
        static const struct spi_dt_spec wrong = SPI_DT_SPEC_GET(DT_NODELABEL(encoder0), SPI_WORD_SET(8), 0);
        static const struct spi_dt_spec held =
            SPI_DT_SPEC_GET(DT_NODELABEL(encoder0), SPI_WORD_SET(8) | SPI_MODE_CPHA | SPI_HOLD_ON_CS, 0);
        static int swap(const struct spi_dt_spec *spec, uint8_t out, uint8_t *in) {
            struct spi_buf tx = {&out, 1}, rx[2] = {{NULL, 1}, {in, 1}};
            struct spi_buf_set txs = {&tx, 1}, rxs = {rx, 2};
            return spi_transceive_dt(spec, &txs, &rxs);
        }
        int main(void) {
            uint8_t in = 0;
            printk("right %d", swap(&right, 0x40, &in));
            printk(" %02x\\n", in);
            printk("wrong %d", swap(&wrong, 0x40, &in));
            printk(" %s\\n", in == 0x41 ? "right" : "garbage");
            swap(&held, 0x40, &in);
            swap(&held, 0x40, &in);
            printk("release %d\\n", spi_release_dt(&held));
            printk("injected %d\\n", swap(&right, 0x40, &in));
            return 0;
        }
        """,
        """
        #include "sim.h"
        #include "fb_spi.h"
        #include <zephyr/drivers/spi.h>
        static unsigned selections;
        static uint8_t last;
        static void select(fb_spi_target *t, bool on) { (void)t; selections += on; }
        static uint8_t exchange(fb_spi_target *t, uint8_t out) { 
            (void)t;
            uint8_t in = last + 1;
            last = out;
            return in;
        }
        static fb_spi_target target = {
            .mode = SPI_MODE_CPHA, .max_hz = 1000000, .select = select, .exchange = exchange};
        void scenario(void) { fb_spi_attach(&target); fb_spi_fail(4, 1, -EIO); }
        void conclude(void) { FB_CHECK("selections", selections == 3, "", "%u", selections); }
        """,
    )
    assert played.lines("console") == ["right 0 41", "wrong 0 garbage", "release 0", "injected -5"]
    assert played.passed, played.reason


@pytest.mark.slow
def test_nvs_returns_what_its_contract_says(on_zephyr: Play) -> None:
    played = on_zephyr(
        HEADERS
        + """
        #include <zephyr/fs/nvs.h>
        #include <zephyr/storage/flash_map.h>
        int main(void) {
            static struct nvs_fs fs = {.sector_size = 2048, .sector_count = 3};
            char back[8] = {0};
            printk("unmounted %d\\n", (int)nvs_read(&fs, 1, back, 8));
            fs.flash_device = FIXED_PARTITION_DEVICE(storage_partition);
            fs.offset = FIXED_PARTITION_OFFSET(storage_partition);
            fs.sector_count = 1;
            printk("one sector %d\\n", nvs_mount(&fs));
            fs.sector_count = 3;
            printk("mount %d\\n", nvs_mount(&fs));
            printk("missing %d\\n", (int)nvs_read(&fs, 1, back, 8));
            printk("write %d", (int)nvs_write(&fs, 1, "abcdef", 6));
            printk(" same %d\\n", (int)nvs_write(&fs, 1, "abcdef", 6));
            printk("short read %d", (int)nvs_read(&fs, 1, back, 3));
            printk(" %s\\n", back);
            nvs_write(&fs, 1, "xyz", 3);
            memset(back, 0, 8);
            printk("history %d", (int)nvs_read_hist(&fs, 1, back, 8, 1));
            printk(" %s\\n", back);
            printk("too long %d\\n", (int)nvs_write(&fs, 1, back, 3000));
            printk("full %d\\n", (int)nvs_write(&fs, 2, "q", 1));
            printk("delete %d", nvs_delete(&fs, 1));
            printk(" %d\\n", (int)nvs_read(&fs, 1, back, 8));
            fs.offset = 0;
            nvs_mount(&fs);
            return 0;
        }
        """,
        """
        #include "sim.h"
        #include "fb_nvs.h"
        #include <errno.h>
        void scenario(void) { fb_nvs_fail_writes(2, 1, -ENOSPC); }
        void conclude(void) { FB_CHECK("writes", fb_nvs_writes(1) == 3, "", "%u", fb_nvs_writes(1)); }
        """,
    )
    assert played.lines("console") == [
        "unmounted -13",
        "one sector -22",
        "mount 0",
        "missing -2",
        "write 6 same 0",
        "short read 6 abc",
        "history 6 abcdef",
        "too long -22",
        "full -28",
        "delete 0 -2",
    ]
    assert played.checks["writes"].passed
    assert played.saw("no_api_misuse").startswith("wrong_region")


@pytest.mark.slow
def test_accelerometer_announces_one_sample_at_a_time(on_zephyr: Play) -> None:
    played = on_zephyr(
        HEADERS
        + """
        #include <zephyr/drivers/sensor.h>
        static const struct device *const accel = DEVICE_DT_GET(DT_ALIAS(accel0));
        static int announced;
        static bool fetching = true;
        static void ready(const struct device *dev, const struct sensor_trigger *trig) {
            struct sensor_value v[3];
            announced++;
            if (!fetching) return;
            sensor_sample_fetch(dev);
            sensor_channel_get(dev, trig->chan, v);
            if (announced == 1) printk("z %d.%06d\\n", v[2].val1, -v[2].val2);
        }
        static int set_up(int hz) {
            struct sensor_trigger local = {SENSOR_TRIG_DATA_READY, SENSOR_CHAN_ACCEL_XYZ};
            static struct sensor_trigger lasting = {SENSOR_TRIG_DATA_READY, SENSOR_CHAN_ACCEL_XYZ};
            struct sensor_value value = {hz, 0};
            sensor_attr_set(accel, SENSOR_CHAN_ACCEL_XYZ, SENSOR_ATTR_SAMPLING_FREQUENCY, &value);
            return sensor_trigger_set(accel, hz == 50 ? &lasting : &local, ready);
        }
        int main(void) {
            struct sensor_trigger tap = {SENSOR_TRIG_TAP, SENSOR_CHAN_ACCEL_XYZ};
            printk("tap %d\\n", sensor_trigger_set(accel, &tap, ready));
            set_up(50);
            k_msleep(1010);
            printk("announced %d\\n", announced);
            fetching = false;
            k_msleep(1000);
            printk("without fetch %d\\n", announced);
            set_up(100);
            memset(__builtin_alloca(600), 0x55, 600);
            k_msleep(100);
            return 0;
        }
        """,
        """
        #include "sim.h"
        #include "fb_accel.h"
        static bool source(double xyz[3]) { xyz[0] = xyz[1] = 0; xyz[2] = -0.25; return true; }
        void scenario(void) { fb_accel_source(source); fb_end_at(FB_S(4)); }
        """
        + NOTHING,
    )
    assert played.lines("console") == ["tap -95", "z 0.250000", "announced 50", "without fetch 51"]
    assert played.saw("no_api_misuse").startswith("dangling_pointer")


@pytest.mark.slow
def test_uart_interrupt_is_a_level_and_its_fifo_ends(on_zephyr: Play) -> None:
    played = on_zephyr(
        HEADERS
        + """
        #include <zephyr/drivers/uart.h>
        static const struct device *const uart = DEVICE_DT_GET(DT_NODELABEL(uart1));
        static int calls, left = 20;
        static uint8_t got[32];
        static int count;
        static void isr(const struct device *dev, void *data) {
            calls++;
            if (uart_irq_rx_ready(dev)) count += uart_fifo_read(dev, got + count, 3);
            if (uart_irq_tx_ready(dev)) {
                left -= uart_fifo_fill(dev, (const uint8_t *)"abcdefghijklmnopqrst" + (20 - left), left);
                if (!left) uart_irq_tx_disable(dev);
            }
        }
        int main(void) {
            k_msleep(10);
            printk("polled %d", uart_poll_in(uart, got));
            printk(" %c\\n", got[0]);
            printk("errors %d", uart_err_check(uart));
            printk(" then %d\\n", uart_err_check(uart));
            uart_irq_callback_set(uart, isr);
            uart_irq_rx_enable(uart);
            k_msleep(1);
            printk("drained %d in %d calls\\n", count, calls);
            uart_irq_tx_enable(uart);
            k_msleep(5);
            printk("left %d off %d\\n", left, uart_irq_tx_ready(uart));
            uart_fifo_fill(uart, (const uint8_t *)"x", 1);
            return 0;
        }
        """,
        """
        #include "sim.h"
        #include "fb_uart.h"
        static unsigned sent;
        static int64_t last;
        static void heard(uint8_t byte) { if (byte == 'a' + sent) sent++; last = fb_now(); }
        void scenario(void) { fb_uart_receive(FB_MS(1), "ABCDEFGHIJ", 10, 0); fb_uart_on_sent(heard); }
        void conclude(void) {
            FB_CHECK("lost", fb_uart_lost() == 2, "", "%u", fb_uart_lost());
            FB_CHECK("sent", sent == 20, "", "%u", sent);
        }
        """,
    )
    assert played.lines("console") == ["polled 0 A", "errors 1 then 0", "drained 7 in 3 calls", "left 0 off 0"]
    assert played.checks["lost"].passed
    assert played.checks["sent"].passed
    assert played.saw("no_api_misuse").startswith("fifo_outside_isr")


@pytest.mark.slow
def test_adc_reads_what_was_set_up(on_zephyr: Play) -> None:
    played = on_zephyr(
        HEADERS
        + """
        #include <zephyr/drivers/adc.h>
        static const struct adc_dt_spec spec = ADC_DT_SPEC_GET_BY_IDX(DT_PATH(zephyr_user), 1);
        static enum adc_action again(const struct device *dev, const struct adc_sequence *s, uint16_t index) {
            static int repeated;
            return index == 1 && !repeated++ ? ADC_ACTION_REPEAT : ADC_ACTION_CONTINUE;
        }
        int main(void) {
            int16_t raw[4] = {0};
            struct adc_sequence sequence = {.buffer = raw, .buffer_size = 2};
            adc_sequence_init_dt(&spec, &sequence);
            printk("not set up %d\\n", adc_read_dt(&spec, &sequence));
            printk("set up %d\\n", adc_channel_setup_dt(&spec));
            printk("read %d", adc_read_dt(&spec, &sequence));
            int32_t mv = raw[0];
            adc_raw_to_millivolts_dt(&spec, &mv);
            printk(" raw %d is %d mV\\n", raw[0], (int)mv);
            struct adc_sequence_options more = {.extra_samplings = 2, .callback = again, .interval_us = 1000};
            sequence.options = &more;
            printk("small buffer %d\\n", adc_read_dt(&spec, &sequence));
            sequence.buffer_size = sizeof raw;
            printk("three %d", adc_read_dt(&spec, &sequence));
            printk(" %d %d %d %d\\n", raw[0], raw[1], raw[2], raw[3]);
            sequence.options = NULL;
            sequence.oversampling = 2;
            printk("mean %d", adc_read_dt(&spec, &sequence));
            printk(" %d\\n", raw[0]);
            sequence.resolution = 16;
            printk("resolution %d\\n", adc_read_dt(&spec, &sequence));
            return 0;
        }
        """,
        """
        #include "sim.h"
        #include "fb_adc.h"
        static double input(unsigned channel, unsigned sampling) { return channel == 5 ? 900.5 + 90 * sampling : 0; }
        void scenario(void) { fb_adc_source(input); }
        void conclude(void) { FB_CHECK("samplings", fb_adc_samplings() == 9, "", "%u", fb_adc_samplings()); }
        """,
    )
    assert played.lines("console") == [
        "not set up -22",
        "set up 0",
        "read 0 raw 1024 is 900 mV",
        "small buffer -12",
        "three 0 1126 1331 1434 0",
        "mean 0 1690",
        "resolution -22",
    ]
    assert played.passed, played.reason


@pytest.mark.slow
def test_pwm_counts_microseconds(on_zephyr: Play) -> None:
    played = on_zephyr(
        HEADERS
        + """
        #include <zephyr/drivers/pwm.h>
        static const struct pwm_dt_spec led = PWM_DT_SPEC_GET(DT_ALIAS(pwm_led0));
        int main(void) {
            printk("half %d\\n", pwm_set_pulse_dt(&led, PWM_USEC(500) + 999));
            printk("longer than the period %d\\n", pwm_set_dt(&led, PWM_MSEC(1), PWM_MSEC(2)));
            printk("too long %d\\n", pwm_set_dt(&led, PWM_SEC(2U), 0));
            printk("no channel %d\\n", pwm_set(led.dev, 9, PWM_MSEC(1), 0, 0));
            return 0;
        }
        """,
        '#include "sim.h"\n#include "fb_pwm.h"\nvoid scenario(void) {}\n'
        'void conclude(void) { FB_CHECK("pulse", fb_pwm_pulse(0) == 500000, "", "%d", (int)fb_pwm_pulse(0)); }\n',
    )
    assert played.lines("console") == ["half 0", "longer than the period -22", "too long -95", "no channel -22"]
    assert played.passed, played.reason

/* A battery whose voltage, noise and spikes are known, and an application that measures it.
 * Boots: 0 no ADC, 1 the channel cannot be set up, 2 works. */
#include <string.h>

#include "fb_adc.h"
#include "fb_application.h"
#include "fb_zephyr.h"
#include "power.h"
#include "sim.h"

FB_POWER_CYCLES;

enum battery_state { BATTERY_OK, BATTERY_LOW, BATTERY_EMPTY };
int battery_init(void);
int battery_measure(int32_t *millivolts);
enum battery_state battery_state(void);

enum { BOOT_NO_ADC, BOOT_NO_CHANNEL, BOOT_WORKS };

static struct kept {
    int no_adc, no_channel;
} *kept;

static double battery = 3900; /* mV */
static const double *spikes;  /* added at the input, for nine samplings */
static unsigned first_sampling;
static unsigned other_channel;
static bool measuring_at_once;

static struct k_thread threads[2];
static K_THREAD_STACK_ARRAY_DEFINE(stacks, 2, 2048);
static struct k_sem done;

/* While two threads measure, each finds a battery of its own. */
static double voltage(void)
{
    for (int i = 0; i < 2; i++)
        if (k_current_get() == &threads[i])
            return i ? 3700 : 4300;
    return battery;
}

static double input(unsigned channel, unsigned sampling)
{
    other_channel += channel != 2;
    double spike = spikes && sampling - first_sampling < 9 ? spikes[sampling - first_sampling] : 0;
    if (measuring_at_once) /* falling, so that a sort has something to do */
        spike = 4.0 - sampling % 9;
    return voltage() / 2 + spike;
}

static struct {
    int init, first, spiked[3], failed, after, together[2];
    int32_t value, spiked_value[3], kept, after_value;
    unsigned samples;
    enum battery_state at_start, steps[12], kept_state;
    bool near, together_right, finished;
} saw;

static const int32_t voltages[12] = {3510, 3490, 3590, 3610, 3450, 3590, 3190, 3390, 3410, 3150, 3650, 3100};
static const enum battery_state wanted[12] = {
    BATTERY_OK,    BATTERY_LOW,   BATTERY_LOW, BATTERY_OK,    BATTERY_LOW, BATTERY_LOW,
    BATTERY_EMPTY, BATTERY_EMPTY, BATTERY_LOW, BATTERY_EMPTY, BATTERY_OK,  BATTERY_EMPTY,
};

static bool near(int32_t value, double millivolts)
{
    return value >= millivolts - 5 && value <= millivolts + 5;
}

static int measure(double millivolts, const double *noise, int32_t *value)
{
    battery = millivolts;
    spikes = noise;
    first_sampling = fb_adc_samplings();
    int ret = battery_measure(value);
    spikes = NULL;
    return ret;
}

static void use_values(void)
{
    static const double high[9] = {900, 0, 900, 0, 900, 0, 900, 0, 0}, low[9] = {0, -900, -900, -900, -900, 0, 0, 0, 0},
                        both[9] = {900, -900, 0, 900, -900, 10, -10, 900, -900};
    const double *noises[3] = {high, low, both};
    saw.at_start = battery_state();
    unsigned before = fb_adc_samplings();
    saw.first = measure(3900, NULL, &saw.value);
    saw.samples = fb_adc_samplings() - before;
    for (int i = 0; i < 3; i++)
        saw.spiked[i] = measure(4000, noises[i], &saw.spiked_value[i]);
    saw.near = true;
    for (int millivolts = 3650; millivolts <= 4250; millivolts += 50) {
        int32_t value = 0;
        saw.near &= measure(millivolts, NULL, &value) == 0 && near(value, millivolts);
    }
}

static void use_states(void)
{
    int32_t value = 0;
    for (int i = 0; i < 12; i++) {
        measure(voltages[i], NULL, &value);
        saw.steps[i] = battery_state();
    }
    measure(3700, NULL, &value);
    saw.kept = 1234;
    fb_adc_fail_read(0, 1, -EBUSY);
    saw.failed = measure(3000, NULL, &saw.kept);
    fb_adc_fail_read(0, 0, 0);
    saw.kept_state = battery_state();
    saw.after = measure(3800, NULL, &saw.after_value);
}

static void run(void *index, void *unused, void *unused2)
{
    (void)unused;
    (void)unused2;
    for (int i = 0; i < 30; i++) {
        int32_t value = 0;
        saw.together[(intptr_t)index] |= battery_measure(&value);
        saw.together_right &= near(value, voltage()) || near(value, battery);
        if (index) /* the more urgent one comes in at all points of a measurement of the other */
            k_usleep(100 + 100 * (i % 3));
    }
    k_sem_give(&done);
}

static void application(void)
{
    saw.init = battery_init();
    if (fb_boot() == BOOT_NO_ADC) {
        kept->no_adc = saw.init;
        fb_power_cycle("next boot");
    }
    if (fb_boot() == BOOT_NO_CHANNEL) {
        kept->no_channel = saw.init;
        fb_power_cycle("next boot");
    }
    use_values();
    use_states();
    battery = 4000;
    saw.together_right = measuring_at_once = true;
    k_sem_init(&done, 0, 2);
    for (intptr_t i = 0; i < 2; i++)
        k_thread_create(&threads[i], stacks[i], K_THREAD_STACK_SIZEOF(stacks[i]), run, (void *)i, NULL, NULL, i ? 8 : 9,
                        0, K_NO_WAIT);
    k_sem_take(&done, K_FOREVER);
    k_sem_take(&done, K_FOREVER);
    saw.finished = true;
    fb_stop("the application has seen enough");
}

void scenario(void)
{
    fb_application(application);
    kept = fb_kept("scenario", sizeof *kept);
    fb_adc_source(input);
    if (fb_boot() == BOOT_NO_ADC)
        fb_device_broken(FB_ADC);
    if (fb_boot() == BOOT_NO_CHANNEL)
        fb_adc_fail_setup(0, 1, -EBUSY);
    fb_end_at(FB_S(10));
}

void conclude(void)
{
    FB_CHECK("adc_not_ready", kept->no_adc == -ENODEV, "-ENODEV", "%d", kept->no_adc);
    FB_CHECK("setup_error_passed_on", kept->no_channel == -EBUSY, "-EBUSY", "%d", kept->no_channel);
    FB_CHECK("battery_measured", saw.init == 0 && saw.first == 0 && near(saw.value, 3900), "0, 3900 mV", "%d, %d mV",
             saw.first, saw.value);
    FB_CHECK("nine_samples", saw.first == 0 && saw.samples == 9, "9", "%u", saw.samples);
    FB_CHECK("right_channel", saw.samples > 0 && other_channel == 0, "channel 2 alone", "%u of others", other_channel);
    FB_CHECK("whole_range_measured", saw.near, "3650 to 4250 mV within 5 mV", "%d", saw.near);
    bool right = true;
    for (int i = 0; i < 3; i++)
        right &= saw.spiked[i] == 0 && near(saw.spiked_value[i], 4000);
    FB_CHECK("spikes_dropped", right, "4000 mV with up to four spikes", "%d, %d, %d mV", saw.spiked_value[0],
             saw.spiked_value[1], saw.spiked_value[2]);
    FB_CHECK("state_at_start", saw.at_start == BATTERY_OK, "BATTERY_OK", "%d", saw.at_start);
    int steps = 0;
    while (steps < 12 && saw.steps[steps] == wanted[steps])
        steps++;
    FB_CHECK("states_with_hysteresis", saw.finished && steps == 12, "the state after each of 12 voltages",
             "%d right, then %d at %d mV", steps, steps < 12 ? (int)saw.steps[steps] : 0,
             steps < 12 ? voltages[steps] : 0);
    FB_CHECK("error_passed_on", saw.failed == -EBUSY, "-EBUSY", "%d", saw.failed);
    FB_CHECK("kept_on_error", saw.finished && saw.kept == 1234 && saw.kept_state == BATTERY_OK, "1234, BATTERY_OK",
             "%d, %d", saw.kept, saw.kept_state);
    FB_CHECK("works_after_error", saw.after == 0 && near(saw.after_value, 3800), "0, 3800 mV", "%d, %d mV", saw.after,
             saw.after_value);
    FB_CHECK("calls_kept_apart", saw.finished && saw.together_right && !saw.together[0] && !saw.together[1],
             "two threads measure what each finds", "%s, results %d and %d", saw.together_right ? "right" : "wrong",
             saw.together[0], saw.together[1]);
}

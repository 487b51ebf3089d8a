#include <zephyr/kernel.h>

#define PERIOD_MS 10
#define WINDOW 10

int32_t sensor_read(void);
void publish(int32_t mean, uint32_t missed);

static K_TIMER_DEFINE(grid, NULL, NULL);

int main(void)
{
	k_timer_start(&grid, K_MSEC(PERIOD_MS), K_MSEC(PERIOD_MS));

	for (;;) {
		int64_t sum = 0;
		uint32_t missed = 0;

		for (int i = 0; i < WINDOW; i++) {
			/* Points that went by since the last read began; then the next one. */
			missed += k_timer_status_get(&grid);
			k_timer_status_sync(&grid);
			sum += sensor_read();
		}
		missed += k_timer_status_get(&grid);
		publish((int32_t)(sum / WINDOW), missed);
	}
}

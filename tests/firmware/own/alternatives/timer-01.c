#include <zephyr/kernel.h>

int32_t sensor_read(void);
void publish(int32_t mean, uint32_t missed);

int main(void)
{
	const int64_t step = 10;
	int64_t next = k_uptime_get() + step;
	uint32_t missed = 0;
	int64_t sum = 0;
	unsigned int n = 0;

	while (true) {
		int64_t now = k_uptime_get();

		while (next <= now) {
			next += step;
			missed++;
		}
		k_sleep(K_TIMEOUT_ABS_MS(next));
		next += step;
		sum += sensor_read();
		if (++n == 10) {
			now = k_uptime_get();
			while (next <= now) {
				next += step;
				missed++;
			}
			uint32_t m = missed;

			missed = 0;
			publish(sum / 10, m);
			sum = 0;
			n = 0;
		}
	}
	return 0;
}

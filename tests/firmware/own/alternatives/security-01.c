/* One way out, a sum of differences, erasure behind a barrier. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum command_result { COMMAND_OK, COMMAND_MALFORMED, COMMAND_BAD_TAG, COMMAND_REPLAYED, COMMAND_STORAGE };
struct command {
	uint8_t length;
	uint8_t payload[32];
};
void key_load(uint8_t key[16]);
void mac_compute(const uint8_t key[16], const uint8_t *data, size_t n, uint8_t tag[16]);
uint32_t counter_load(void);
int counter_store(uint32_t value);

static void erase(void *p, size_t n)
{
	memset(p, 0, n);
	__asm__ volatile("" : : "r"(p) : "memory");
}

enum command_result command_accept(const uint8_t *frame, size_t size, struct command *command)
{
	struct {
		uint8_t key[16], tag[16];
	} secret;
	enum command_result result = COMMAND_MALFORMED;
	uint32_t counter = 0, wrong = 0;

	if (size < 21 || size > 53 || frame[4] != size - 21)
		return result;

	key_load(secret.key);
	mac_compute(secret.key, frame, size - 16, secret.tag);
	for (int i = 0; i < 16; i++)
		wrong += (uint32_t)(secret.tag[i] ^ frame[size - 16 + (size_t)i]);

	if (wrong) {
		result = COMMAND_BAD_TAG;
		goto out;
	}
	memcpy(&counter, frame, sizeof counter);
	if (!(counter > counter_load())) {
		result = COMMAND_REPLAYED;
		goto out;
	}
	if (counter_store(counter)) {
		result = COMMAND_STORAGE;
		goto out;
	}
	result = COMMAND_OK;
	command->length = frame[4];
	for (size_t i = 0; i < frame[4]; i++)
		command->payload[i] = frame[5 + i];
out:
	erase(&secret, sizeof secret);
	return result;
}

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

enum command_result command_accept(const uint8_t *frame, size_t size, struct command *command);

#define COUNTER_SIZE 4
#define HEADER_SIZE 5
#define PAYLOAD_MAX 32
#define KEY_SIZE 16
#define TAG_SIZE 16

static void wipe(void *at, size_t n)
{
	volatile uint8_t *byte = at;

	while (n--) {
		*byte++ = 0;
	}
}

static int tags_equal(const uint8_t *a, const uint8_t *b)
{
	uint8_t difference = 0;

	for (size_t i = 0; i < TAG_SIZE; i++) {
		difference |= a[i] ^ b[i];
	}
	return difference == 0;
}

static int tag_right(const uint8_t *frame, size_t covered)
{
	uint8_t key[KEY_SIZE];
	uint8_t tag[TAG_SIZE];

	key_load(key);
	mac_compute(key, frame, covered, tag);
	const int equal = tags_equal(tag, frame + covered);
	wipe(key, sizeof(key));
	wipe(tag, sizeof(tag));
	return equal;
}

enum command_result command_accept(const uint8_t *frame, size_t size, struct command *command)
{
	if (size < HEADER_SIZE + TAG_SIZE) {
		return COMMAND_MALFORMED;
	}

	const size_t length = frame[COUNTER_SIZE];
	if (length > PAYLOAD_MAX || size != HEADER_SIZE + length + TAG_SIZE) {
		return COMMAND_MALFORMED;
	}

	if (!tag_right(frame, HEADER_SIZE + length)) {
		return COMMAND_BAD_TAG;
	}

	const uint32_t counter = (uint32_t)frame[0] | (uint32_t)frame[1] << 8 |
				 (uint32_t)frame[2] << 16 | (uint32_t)frame[3] << 24;
	if (counter <= counter_load()) {
		return COMMAND_REPLAYED;
	}
	if (counter_store(counter) < 0) {
		return COMMAND_STORAGE;
	}

	command->length = (uint8_t)length;
	memcpy(command->payload, frame + HEADER_SIZE, length);
	return COMMAND_OK;
}

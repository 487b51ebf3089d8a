/* Fields instead of the whole manifest, the signed part hashed from a copy, states by an enumeration. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum update_result { UPDATE_OK, UPDATE_STATE, UPDATE_SIGNATURE, UPDATE_VERSION, UPDATE_SIZE, UPDATE_RANGE, UPDATE_FLASH, UPDATE_HASH };
struct update_manifest {
	uint32_t version;
	uint32_t size;
	uint8_t hash[32];
	uint8_t signature[64];
};
#define UPDATE_SLOT_SIZE 0x10000u
int signature_verify(const void *data, size_t n, const uint8_t signature[64]);
void hash_begin(void);
void hash_add(const void *data, size_t n);
void hash_end(uint8_t hash[32]);
int flash_erase(void);
int flash_write(uint32_t offset, const void *data, size_t n);
int flash_read(uint32_t offset, void *data, size_t n);
uint32_t version_counter(void);
int version_counter_raise(uint32_t version);
int boot_request(void);
uint32_t running_version(void);

static enum { IDLE, RECEIVING } state;
static uint32_t size, at;
static uint8_t wanted[32];

static enum update_result over(enum update_result result)
{
	state = IDLE;
	return result;
}

enum update_result update_begin(const struct update_manifest *given)
{
	struct update_manifest m;

	state = IDLE;
	memcpy(&m, given, sizeof m);
	if (signature_verify(&m, 40, m.signature))
		return UPDATE_SIGNATURE;
	if (version_counter() > m.version)
		return UPDATE_VERSION;
	if (m.size - 1u >= UPDATE_SLOT_SIZE)
		return UPDATE_SIZE;
	if (flash_erase())
		return UPDATE_FLASH;
	size = m.size;
	memcpy(wanted, m.hash, sizeof wanted);
	at = 0;
	state = RECEIVING;
	return UPDATE_OK;
}

enum update_result update_data(uint32_t offset, const void *data, size_t n)
{
	uint32_t end;

	if (state != RECEIVING)
		return UPDATE_STATE;
	if (offset != at || __builtin_add_overflow(offset, n, &end) || end > size)
		return UPDATE_RANGE;
	if (flash_write(offset, data, n))
		return over(UPDATE_FLASH);
	at = end;
	return UPDATE_OK;
}

enum update_result update_finish(void)
{
	static uint8_t page[512];
	uint8_t hash[32];
	uint8_t difference = 0;

	if (state != RECEIVING)
		return UPDATE_STATE;
	if (at < size)
		return UPDATE_RANGE;
	hash_begin();
	for (uint32_t i = 0, n; i < size; i += n) {
		n = size - i > sizeof page ? sizeof page : size - i;
		if (flash_read(i, page, n) != 0)
			return over(UPDATE_FLASH);
		hash_add(page, n);
	}
	hash_end(hash);
	for (int i = 0; i < 32; i++)
		difference |= hash[i] ^ wanted[i];
	if (difference)
		return over(UPDATE_HASH);
	return over(boot_request() ? UPDATE_FLASH : UPDATE_OK);
}

enum update_result update_confirm(void)
{
	uint32_t now = running_version();

	if (now <= version_counter())
		return UPDATE_OK;
	return version_counter_raise(now) == 0 ? UPDATE_OK : UPDATE_FLASH;
}

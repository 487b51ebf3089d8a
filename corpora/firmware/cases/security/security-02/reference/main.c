#include <stdbool.h>
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
#define SIGNED_SIZE offsetof(struct update_manifest, signature)
#define CHUNK 256u

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

enum update_result update_begin(const struct update_manifest *manifest);
enum update_result update_data(uint32_t offset, const void *data, size_t n);
enum update_result update_finish(void);
enum update_result update_confirm(void);

static struct update_manifest current;
static uint32_t received;
static bool going_on;

enum update_result update_begin(const struct update_manifest *manifest)
{
	going_on = false;

	current = *manifest;
	if (signature_verify(&current, SIGNED_SIZE, current.signature) != 0) {
		return UPDATE_SIGNATURE;
	}
	if (current.version < version_counter()) {
		return UPDATE_VERSION;
	}
	if (current.size == 0 || current.size > UPDATE_SLOT_SIZE) {
		return UPDATE_SIZE;
	}
	if (flash_erase() < 0) {
		return UPDATE_FLASH;
	}
	received = 0;
	going_on = true;
	return UPDATE_OK;
}

enum update_result update_data(uint32_t offset, const void *data, size_t n)
{
	if (!going_on) {
		return UPDATE_STATE;
	}
	if (offset != received || n > current.size - received) {
		return UPDATE_RANGE;
	}
	if (flash_write(offset, data, n) < 0) {
		going_on = false;
		return UPDATE_FLASH;
	}
	received += n;
	return UPDATE_OK;
}

enum update_result update_finish(void)
{
	uint8_t chunk[CHUNK];
	uint8_t hash[32];

	if (!going_on) {
		return UPDATE_STATE;
	}
	if (received != current.size) {
		return UPDATE_RANGE;
	}
	going_on = false;

	hash_begin();
	for (uint32_t at = 0; at < current.size;) {
		const uint32_t left = current.size - at;
		const uint32_t n = left < CHUNK ? left : CHUNK;

		if (flash_read(at, chunk, n) < 0) {
			return UPDATE_FLASH;
		}
		hash_add(chunk, n);
		at += n;
	}
	hash_end(hash);
	if (memcmp(hash, current.hash, sizeof(hash)) != 0) {
		return UPDATE_HASH;
	}
	return boot_request() < 0 ? UPDATE_FLASH : UPDATE_OK;
}

enum update_result update_confirm(void)
{
	const uint32_t version = running_version();

	if (version > version_counter() && version_counter_raise(version) < 0) {
		return UPDATE_FLASH;
	}
	return UPDATE_OK;
}

#include <stdbool.h>
#include <stdint.h>

#include "CMSDK_CM3.h"

#define SLOT_A 0x00040000u
#define SLOT_B 0x00041000u
#define SLOT_SIZE 0x1000u
#define APP_OFFSET 0x100u
#define MAGIC 0x474D4931u
#define RAM_START 0x20000000u
#define RAM_END 0x20010000u

struct image_header {
	uint32_t magic;
	uint32_t version;
	uint32_t size;
	uint32_t crc;
	uint32_t reserved;
};

void boot_recovery(void);
uint32_t boot_select(void);
void boot_jump(uint32_t slot);

static uint32_t crc32(const uint8_t *data, uint32_t size)
{
	uint32_t crc = 0xFFFFFFFFu;

	for (uint32_t i = 0; i < size; i++) {
		crc ^= data[i];
		for (int bit = 0; bit < 8; bit++) {
			crc = (crc >> 1) ^ (0xEDB88320u & (0u - (crc & 1u)));
		}
	}
	return ~crc;
}

static bool image_valid(uint32_t slot)
{
	const struct image_header *header = (const struct image_header *)slot;
	const uint32_t app = slot + APP_OFFSET;
	const uint32_t *vectors = (const uint32_t *)app;

	if (header->magic != MAGIC) {
		return false;
	}
	if (header->size < 8 || header->size > SLOT_SIZE - APP_OFFSET) {
		return false;
	}
	if (crc32((const uint8_t *)app, header->size) != header->crc) {
		return false;
	}

	const uint32_t sp = vectors[0];
	if (sp % 8 != 0 || sp <= RAM_START || sp > RAM_END) {
		return false;
	}

	const uint32_t reset = vectors[1];
	const uint32_t entry = reset & ~1u;
	return (reset & 1u) && entry >= app + 8 && entry < app + header->size;
}

uint32_t boot_select(void)
{
	const bool a = image_valid(SLOT_A);
	const bool b = image_valid(SLOT_B);

	if (a && b) {
		const uint32_t version_a = ((const struct image_header *)SLOT_A)->version;
		const uint32_t version_b = ((const struct image_header *)SLOT_B)->version;

		return version_b > version_a ? SLOT_B : SLOT_A;
	}
	return a ? SLOT_A : b ? SLOT_B : 0;
}

void boot_jump(uint32_t slot)
{
	const uint32_t *vectors = (const uint32_t *)(slot + APP_OFFSET);
	const uint32_t sp = vectors[0];
	const uint32_t reset = vectors[1];

	__disable_irq();

	SysTick->CTRL = 0;
	for (unsigned int i = 0; i < 8; i++) {
		NVIC->ICER[i] = 0xFFFFFFFFu;
		NVIC->ICPR[i] = 0xFFFFFFFFu;
	}
	SCB->ICSR = SCB_ICSR_PENDSTCLR_Msk | SCB_ICSR_PENDSVCLR_Msk;

	SCB->VTOR = (uint32_t)vectors;
	__DSB();
	__set_BASEPRI(0);
	__set_CONTROL(0);

	__asm volatile("msr msp, %0\n\t"
		       "isb\n\t"
		       "cpsie i\n\t"
		       "bx %1\n\t"
		       : : "r"(sp), "r"(reset) : "memory");
	__builtin_unreachable();
}

int main(void)
{
	const uint32_t slot = boot_select();

	if (slot) {
		boot_jump(slot);
	}
	boot_recovery();
	return 0;
}

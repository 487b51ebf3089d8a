/* A CRC four bits at a time, one loop over the slots, the jump through a function pointer. */
#include "CMSDK_CM3.h"

static const uint32_t slots[2] = {0x00040000, 0x00041000};
void boot_recovery(void);

static uint32_t word(uint32_t at) { return *(const volatile uint32_t *)at; }

static uint32_t crc(uint32_t at, uint32_t n)
{
	static const uint32_t nibble[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
		0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
	uint32_t c = ~0u;

	for (; n; n--, at++) {
		c ^= *(const uint8_t *)at;
		c = c >> 4 ^ nibble[c & 15];
		c = c >> 4 ^ nibble[c & 15];
	}
	return c ^ 0xffffffff;
}

static int good(uint32_t slot)
{
	uint32_t app = slot + 0x100, size = word(slot + 8), sp, pc;

	if (word(slot) != 0x474D4931 || size < 8 || size > 0xf00 || crc(app, size) != word(slot + 12))
		return 0;
	sp = word(app);
	pc = word(app + 4);
	return !(sp & 7) && sp - 0x20000001 < 0x10000 && (pc & 1) && pc - 1 - (app + 8) < size - 8;
}

uint32_t boot_select(void)
{
	uint32_t best = 0;

	for (int i = 0; i < 2; i++)
		if (good(slots[i]) && (!best || word(slots[i] + 4) > word(best + 4)))
			best = slots[i];
	return best;
}

void boot_jump(uint32_t slot)
{
	void (*start)(void);
	uint32_t top = word(slot + 0x100);

	start = (void (*)(void))word(slot + 0x104);
	__disable_irq();
	SysTick->CTRL = 0;
	SysTick->LOAD = 0;
	SysTick->VAL = 0;
	for (int i = 0; i < 240; i++) {
		NVIC_DisableIRQ((IRQn_Type)i);
		NVIC_ClearPendingIRQ((IRQn_Type)i);
	}
	SCB->ICSR = SCB_ICSR_PENDSVCLR_Msk;
	SCB->ICSR = SCB_ICSR_PENDSTCLR_Msk;
	SCB->VTOR = slot + 0x100;
	__set_BASEPRI(0);
	__set_CONTROL(__get_CONTROL() & ~2u);
	__DSB();
	__ISB();
	__set_MSP(top);
	__enable_irq();
	start();
	for (;;)
		;
}

int main(void)
{
	uint32_t slot = boot_select();

	if (!slot)
		boot_recovery();
	else
		boot_jump(slot);
	return 0;
}

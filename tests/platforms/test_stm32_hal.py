"""The model of the STM32 HAL: registers that act, clocks that gate, DMA past the cache, interrupts to be handled."""

from functools import partial

import pytest

from corpora.platforms.model import platform
from tasks.sandbox import Sandbox
from tests.platforms.playing import Play, play

F4 = '#include <stdio.h>\n#include <string.h>\n#include "stm32f4xx_hal.h"\n'
F7 = '#include <stdio.h>\n#include <string.h>\n#include "stm32f7xx_hal.h"\n'
SCENARIO = '#include "sim.h"\n#include "stm32_scenario.h"\n'
ENDS = '\nvoid conclude(void) { FB_CHECK("ends", true, "", "%d", 0); }\n'
UART = """
    UART_HandleTypeDef uart = {.Instance = USART2, .Init = {.BaudRate = 9600, .Mode = UART_MODE_TX_RX}};
    static void pins(void) {
        GPIO_InitTypeDef pins = {GPIO_PIN_2 | GPIO_PIN_3, GPIO_MODE_AF_PP, GPIO_PULLUP, 0, GPIO_AF7_USART2};
        __HAL_RCC_GPIOA_CLK_ENABLE();
        HAL_GPIO_Init(GPIOA, &pins);
    }
"""


@pytest.fixture
def on_stm32(sandbox: Sandbox) -> Play:
    return partial(play, platform("stm32_hal"), sandbox)


def test_registers_and_pins(on_stm32: Play) -> None:
    """A port without its clock takes nothing; registers and HAL move the same pins; edges raise what is armed."""
    played = on_stm32(
        F4
        + """
        static volatile int edges;
        void EXTI15_10_IRQHandler(void) { HAL_GPIO_EXTI_IRQHandler(GPIO_PIN_13); }
        void HAL_GPIO_EXTI_Callback(uint16_t pin) { edges += pin == GPIO_PIN_13; }
        int main(void) {
            GPIO_InitTypeDef out = {GPIO_PIN_5, GPIO_MODE_OUTPUT_PP, GPIO_NOPULL, 0, 0};
            GPIO_InitTypeDef in = {GPIO_PIN_13, GPIO_MODE_IT_FALLING, GPIO_PULLUP, 0, 0};
            HAL_Init();
            HAL_GPIO_Init(GPIOA, &out);
            HAL_GPIO_WritePin(GPIOA, GPIO_PIN_5, GPIO_PIN_SET);
            printf("without clock %x\\n", GPIOA->ODR);
            __HAL_RCC_GPIOA_CLK_ENABLE();
            __HAL_RCC_GPIOC_CLK_ENABLE();
            HAL_GPIO_Init(GPIOA, &out);
            GPIOA->BSRR = GPIO_PIN_5;
            printf("ODR %x, BSRR %x\\n", GPIOA->ODR, GPIOA->BSRR);
            GPIOA->ODR ^= GPIO_PIN_5;
            HAL_GPIO_TogglePin(GPIOA, GPIO_PIN_5);
            HAL_GPIO_Init(GPIOC, &in);
            printf("pulled up %d\\n", HAL_GPIO_ReadPin(GPIOC, GPIO_PIN_13));
            HAL_NVIC_EnableIRQ(EXTI15_10_IRQn);
            HAL_Delay(20);
            printf("edges %d, level %d\\n", edges, HAL_GPIO_ReadPin(GPIOC, GPIO_PIN_13));
        }
        """,
        SCENARIO
        + """
        static void down(void *u) { (void)u; stm32_pin_drive(GPIOC, GPIO_PIN_13, false); }
        static void up(void *u) { (void)u; stm32_pin_release(GPIOC, GPIO_PIN_13); }
        void scenario(void) { fb_at(FB_MS(5), down, NULL); fb_at(FB_MS(6), up, NULL); fb_at(FB_MS(7), down, NULL); }
        """
        + ENDS,
    )
    assert played.lines("console") == ["without clock 0", "ODR 20, BSRR 0", "pulled up 1", "edges 2, level 0"]
    assert played.lines("pin") == ["PA5 0", "PA5 1", "PA5 0", "PA5 1"]
    assert played.passed, played.reason


def test_a_timer_counts_reloads_and_captures(on_stm32: Play) -> None:
    played = on_stm32(
        F4
        + """
        static TIM_HandleTypeDef base, capture;
        static volatile int periods;
        static volatile uint32_t captured[4], captures;
        void TIM2_IRQHandler(void) { HAL_TIM_IRQHandler(&base); }
        void TIM4_IRQHandler(void) { HAL_TIM_IRQHandler(&capture); }
        void HAL_TIM_PeriodElapsedCallback(TIM_HandleTypeDef *t) { periods += t == &base; }
        void HAL_TIM_IC_CaptureCallback(TIM_HandleTypeDef *t) {
            captured[captures++ % 4] = HAL_TIM_ReadCapturedValue(t, TIM_CHANNEL_1);
        }
        int main(void) {
            HAL_Init();
            __HAL_RCC_TIM2_CLK_ENABLE();
            __HAL_RCC_TIM4_CLK_ENABLE();
            __HAL_RCC_GPIOB_CLK_ENABLE();
            base.Instance = TIM2;
            base.Init.Prescaler = 83;
            base.Init.Period = 999;
            HAL_TIM_Base_Init(&base);
            __HAL_TIM_CLEAR_FLAG(&base, TIM_FLAG_UPDATE);
            HAL_NVIC_EnableIRQ(TIM2_IRQn);
            HAL_TIM_Base_Start_IT(&base);
            while (TIM2->CNT < 500) { }
            printf("half way\\n");
            GPIO_InitTypeDef pin = {GPIO_PIN_6, GPIO_MODE_AF_PP, GPIO_NOPULL, 0, GPIO_AF2_TIM4};
            HAL_GPIO_Init(GPIOB, &pin);
            capture.Instance = TIM4;
            capture.Init.Prescaler = 83;
            capture.Init.Period = 0xFFFF;
            HAL_TIM_IC_Init(&capture);
            TIM_IC_InitTypeDef ic = {TIM_ICPOLARITY_RISING, TIM_ICSELECTION_DIRECTTI, TIM_ICPSC_DIV1, 0};
            HAL_TIM_IC_ConfigChannel(&capture, &ic, TIM_CHANNEL_1);
            HAL_NVIC_EnableIRQ(TIM4_IRQn);
            HAL_TIM_IC_Start_IT(&capture, TIM_CHANNEL_1);
            while (captures < 3) __WFI();
            printf("%u us and %u us\\n", captured[1] - captured[0], captured[2] - captured[1]);
            HAL_TIM_Base_Stop_IT(&base);
            printf("periods %d\\n", periods);
        }
        """,
        SCENARIO
        + """
        static void set(void *level) { stm32_pin_drive(GPIOB, GPIO_PIN_6, level != NULL); }
        void scenario(void) {
            static const int rising[] = {2000, 3500, 6000};
            for (int i = 0; i < 3; i++) {
                fb_at(FB_US(rising[i]), set, (void *)1);
                fb_at(FB_US(rising[i] + 300), set, NULL);
            }
        }
        """
        + ENDS,
    )
    assert played.lines("console") == ["half way", "1500 us and 2500 us", "periods 5"]
    assert played.passed, played.reason


def test_a_uart_keeps_its_rate_overruns_and_reports_idle(on_stm32: Play) -> None:
    played = on_stm32(
        F4
        + UART
        + """
        static uint8_t bytes[32];
        static volatile int events, errors;
        void USART2_IRQHandler(void) { HAL_UART_IRQHandler(&uart); }
        void HAL_UARTEx_RxEventCallback(UART_HandleTypeDef *h, uint16_t size) { (void)h; events = size; }
        void HAL_UART_ErrorCallback(UART_HandleTypeDef *h) { errors = h->ErrorCode; }
        int main(void) {
            HAL_Init();
            HAL_UART_Init(&uart);
            printf("without clock %d\\n", HAL_UART_Transmit(&uart, (uint8_t *)"x", 1, 5));
            pins();
            __HAL_RCC_USART2_CLK_ENABLE();
            HAL_UART_Init(&uart);
            printf("sent %d\\n", HAL_UART_Transmit(&uart, (uint8_t *)"ok", 2, 100));
            printf("nothing %d\\n", HAL_UART_Receive(&uart, bytes, 1, 5));
            HAL_NVIC_EnableIRQ(USART2_IRQn);
            HAL_UARTEx_ReceiveToIdle_IT(&uart, bytes, sizeof bytes);
            printf("busy %d\\n", HAL_UART_Receive_IT(&uart, bytes, 1));
            while (!events) __WFI();
            printf("%d bytes %.3s\\n", events, bytes);
            HAL_Delay(50);
            HAL_UART_Receive_IT(&uart, bytes, 8);
            __disable_irq();
            while (uwTick < 1 && !(USART2->SR & USART_SR_ORE)) { }
            while (!(USART2->SR & USART_SR_ORE)) { }
            __enable_irq();
            printf("error %d, state %x\\n", errors, uart.RxState);
        }
        """,
        SCENARIO
        + """
        void scenario(void) {
            stm32_uart_feed(USART2, FB_MS(40), "abc", 3, 9600);
            stm32_uart_feed(USART2, FB_MS(150), "defg", 4, 9600);
            fb_end_at(FB_MS(400));
        }
        void conclude(void) {
            size_t n;
            const uint8_t *sent = stm32_uart_sent(USART2, &n);
            int64_t byte = n == 2 ? stm32_uart_sent_at(USART2, 1) - stm32_uart_sent_at(USART2, 0) : 0;
            bool right = n == 2 && sent[0] == 'o' && byte > 1041000 && byte < 1043000;
            FB_CHECK("line", right, "", "%zu at %ld", n, (long)byte);
        }
        """,
    )
    assert played.lines("console") == [
        "without clock 3",
        "sent 0",
        "nothing 3",
        "busy 2",
        "3 bytes abc",
        "error 8, state 20",
    ]
    assert played.passed, played.reason


def test_dma_reads_and_writes_behind_the_cache(on_stm32: Play) -> None:
    """Without maintenance the copy is stale both ways, with it right; on a part without cache it is right anyway."""
    body = """
        static uint8_t from[64] __ALIGNED(32), to[64] __ALIGNED(32);
        static DMA_HandleTypeDef dma = {.Instance = DMA2_Stream1, .Init = {.Direction = DMA_MEMORY_TO_MEMORY,
            .PeriphInc = DMA_PINC_ENABLE, .MemInc = DMA_MINC_ENABLE}};
        static int copy(void) {
            HAL_DMA_Start(&dma, (uint32_t)from, (uint32_t)to, 64);
            return HAL_DMA_PollForTransfer(&dma, HAL_DMA_FULL_TRANSFER, 10);
        }
        int main(void) {
            HAL_Init();
            __HAL_RCC_DMA2_CLK_ENABLE();
            HAL_DMA_Init(&dma);
            memset(from, 1, 64);
            printf("%d:", copy());
            printf(" %d", to[0]);
            CLEAN
            copy();
            printf(" %d", to[0]);
            INVALIDATE
            printf(" %d\\n", to[0]);
        }
        """
    scenario = SCENARIO + "void scenario(void) { CACHE }" + ENDS
    f4 = on_stm32(F4 + body.replace("CLEAN", "").replace("INVALIDATE", ""), scenario.replace("CACHE", ""))
    f7 = on_stm32(
        F7
        + body.replace("CLEAN", "SCB_CleanDCache_by_Addr(from, 64);").replace(
            "INVALIDATE", "SCB_InvalidateDCache_by_Addr(to, 64);"
        ),
        scenario.replace("CACHE", "stm32_dcache_on();"),
    )
    assert f4.lines("console") == ["0: 1 1 1"]
    assert f7.lines("console") == ["0: 0 0 1"]


@pytest.mark.parametrize(
    ("kind", "candidate"),
    [
        ("unhandled_interrupt", "__HAL_RCC_TIM7_CLK_ENABLE(); TIM7->ARR = 99; TIM7->DIER = 1; TIM7->CR1 = 1;"
         " HAL_NVIC_EnableIRQ(TIM7_IRQn); HAL_Delay(5);"),
        ("interrupt_storm", "__HAL_RCC_TIM2_CLK_ENABLE(); TIM2->ARR = 99; TIM2->DIER = 1; TIM2->CR1 = 1;"
         " HAL_NVIC_EnableIRQ(TIM2_IRQn); HAL_Delay(5);"),
        ("delay_in_isr", "HAL_NVIC_SetPriority(EXTI0_IRQn, 2, 0); HAL_NVIC_EnableIRQ(EXTI0_IRQn);"
         " HAL_NVIC_SetPendingIRQ(EXTI0_IRQn); HAL_Delay(5);"),
        ("delay_without_tick", "__disable_irq(); HAL_Delay(1);"),
        ("dma_not_linked", "uint8_t x = 1; UART_HandleTypeDef u = {.Instance = USART1};"
         " HAL_UART_Transmit_DMA(&u, &x, 1);"),
        ("dma_memory_to_memory", "DMA_HandleTypeDef d = {.Instance = DMA1_Stream0};"
         " d.Init.Direction = DMA_MEMORY_TO_MEMORY; __HAL_RCC_DMA1_CLK_ENABLE(); HAL_DMA_Init(&d);"
         " HAL_DMA_Start(&d, 0x1000, 0x2000, 4);"),
        ("not_initialised", "ADC_HandleTypeDef a = {.Instance = ADC1}; HAL_ADC_Start(&a);"),
    ],
)  # fmt: skip
def test_misuse_is_told(on_stm32: Play, kind: str, candidate: str) -> None:
    handlers = "void TIM2_IRQHandler(void) { }\nvoid EXTI0_IRQHandler(void) { HAL_Delay(1); }\n"
    played = on_stm32(
        F4 + handlers + "int main(void) { HAL_Init(); " + candidate + " }",
        SCENARIO + "void scenario(void) { fb_end_at(FB_MS(50)); }" + ENDS,
    )
    assert [line.split(":")[0] for line in played.lines("fault")] == [kind]

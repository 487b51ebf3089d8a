/* DMA streams. */
#ifndef STM32_HAL_DMA_H
#define STM32_HAL_DMA_H

#include "stm32_hal_def.h"

typedef struct {
    uint32_t Channel, Direction, PeriphInc, MemInc, PeriphDataAlignment, MemDataAlignment, Mode, Priority, FIFOMode,
        FIFOThreshold, MemBurst, PeriphBurst;
} DMA_InitTypeDef;
typedef enum {
    HAL_DMA_STATE_RESET = 0x00U,
    HAL_DMA_STATE_READY = 0x01U,
    HAL_DMA_STATE_BUSY = 0x02U,
    HAL_DMA_STATE_TIMEOUT = 0x03U,
    HAL_DMA_STATE_ERROR = 0x04U,
    HAL_DMA_STATE_ABORT = 0x05U
} HAL_DMA_StateTypeDef;
typedef enum { HAL_DMA_FULL_TRANSFER = 0x00U, HAL_DMA_HALF_TRANSFER = 0x01U } HAL_DMA_LevelCompleteTypeDef;
typedef enum {
    HAL_DMA_XFER_CPLT_CB_ID = 0x00U,
    HAL_DMA_XFER_HALFCPLT_CB_ID = 0x01U,
    HAL_DMA_XFER_M1CPLT_CB_ID = 0x02U,
    HAL_DMA_XFER_M1HALFCPLT_CB_ID = 0x03U,
    HAL_DMA_XFER_ERROR_CB_ID = 0x04U,
    HAL_DMA_XFER_ABORT_CB_ID = 0x05U,
    HAL_DMA_XFER_ALL_CB_ID = 0x06U
} HAL_DMA_CallbackIDTypeDef;
typedef struct __DMA_HandleTypeDef {
    DMA_Stream_TypeDef *Instance;
    DMA_InitTypeDef Init;
    HAL_LockTypeDef Lock;
    __IO HAL_DMA_StateTypeDef State;
    void *Parent;
    void (*XferCpltCallback)(struct __DMA_HandleTypeDef *hdma);
    void (*XferHalfCpltCallback)(struct __DMA_HandleTypeDef *hdma);
    void (*XferM1CpltCallback)(struct __DMA_HandleTypeDef *hdma);
    void (*XferM1HalfCpltCallback)(struct __DMA_HandleTypeDef *hdma);
    void (*XferErrorCallback)(struct __DMA_HandleTypeDef *hdma);
    void (*XferAbortCallback)(struct __DMA_HandleTypeDef *hdma);
    __IO uint32_t ErrorCode;
    uint32_t StreamBaseAddress, StreamIndex;
} DMA_HandleTypeDef;

#define HAL_DMA_ERROR_NONE 0x0U
#define HAL_DMA_ERROR_TE 0x1U
#define HAL_DMA_ERROR_FE 0x2U
#define HAL_DMA_ERROR_DME 0x4U
#define HAL_DMA_ERROR_TIMEOUT 0x20U
#define HAL_DMA_ERROR_PARAM 0x40U
#define HAL_DMA_ERROR_NO_XFER 0x80U
#define HAL_DMA_ERROR_NOT_SUPPORTED 0x100U
#define DMA_CHANNEL_0 0x0U
#define DMA_CHANNEL_1 0x2000000U
#define DMA_CHANNEL_2 0x4000000U
#define DMA_CHANNEL_3 0x6000000U
#define DMA_CHANNEL_4 0x8000000U
#define DMA_CHANNEL_5 0xA000000U
#define DMA_CHANNEL_6 0xC000000U
#define DMA_CHANNEL_7 0xE000000U
#define DMA_PERIPH_TO_MEMORY 0x0U
#define DMA_MEMORY_TO_PERIPH DMA_SxCR_DIR_0
#define DMA_MEMORY_TO_MEMORY DMA_SxCR_DIR_1
#define DMA_PINC_ENABLE DMA_SxCR_PINC
#define DMA_PINC_DISABLE 0x0U
#define DMA_MINC_ENABLE DMA_SxCR_MINC
#define DMA_MINC_DISABLE 0x0U
#define DMA_PDATAALIGN_BYTE 0x0U
#define DMA_PDATAALIGN_HALFWORD DMA_SxCR_PSIZE_0
#define DMA_PDATAALIGN_WORD DMA_SxCR_PSIZE_1
#define DMA_MDATAALIGN_BYTE 0x0U
#define DMA_MDATAALIGN_HALFWORD DMA_SxCR_MSIZE_0
#define DMA_MDATAALIGN_WORD DMA_SxCR_MSIZE_1
#define DMA_NORMAL 0x0U
#define DMA_CIRCULAR DMA_SxCR_CIRC
#define DMA_PFCTRL DMA_SxCR_PFCTRL
#define DMA_PRIORITY_LOW 0x0U
#define DMA_PRIORITY_MEDIUM DMA_SxCR_PL_0
#define DMA_PRIORITY_HIGH DMA_SxCR_PL_1
#define DMA_PRIORITY_VERY_HIGH (DMA_SxCR_PL_0 | DMA_SxCR_PL_1)
#define DMA_FIFOMODE_DISABLE 0x0U
#define DMA_FIFOMODE_ENABLE 0x4U
#define DMA_FIFO_THRESHOLD_1QUARTERFULL 0x0U
#define DMA_FIFO_THRESHOLD_HALFFULL 0x1U
#define DMA_FIFO_THRESHOLD_3QUARTERSFULL 0x2U
#define DMA_FIFO_THRESHOLD_FULL 0x3U
#define DMA_MBURST_SINGLE 0x0U
#define DMA_MBURST_INC4 0x800000U
#define DMA_MBURST_INC8 0x1000000U
#define DMA_MBURST_INC16 0x1800000U
#define DMA_PBURST_SINGLE 0x0U
#define DMA_PBURST_INC4 0x200000U
#define DMA_PBURST_INC8 0x400000U
#define DMA_PBURST_INC16 0x600000U
#define DMA_IT_TC DMA_SxCR_TCIE
#define DMA_IT_HT DMA_SxCR_HTIE
#define DMA_IT_TE DMA_SxCR_TEIE
#define DMA_IT_DME DMA_SxCR_DMEIE

#define FB_DMA_INDEX(handle) ((unsigned)((handle)->Instance - fb_stm32.stream))
#define FB_DMA_SHIFT(handle) ((const uint8_t[]){0, 6, 16, 22}[FB_DMA_INDEX(handle) % 4])
#define FB_DMA_PLACE(handle, low, high)                                                                               \
    (*(FB_DMA_INDEX(handle) % 8 < 4 ? &fb_stm32.dma[FB_DMA_INDEX(handle) / 8].low                                     \
                                    : &fb_stm32.dma[FB_DMA_INDEX(handle) / 8].high))
#define __HAL_DMA_GET_TC_FLAG_INDEX(handle) (0x20U << FB_DMA_SHIFT(handle))
#define __HAL_DMA_GET_HT_FLAG_INDEX(handle) (0x10U << FB_DMA_SHIFT(handle))
#define __HAL_DMA_GET_TE_FLAG_INDEX(handle) (0x08U << FB_DMA_SHIFT(handle))
#define __HAL_DMA_GET_DME_FLAG_INDEX(handle) (0x04U << FB_DMA_SHIFT(handle))
#define __HAL_DMA_GET_FE_FLAG_INDEX(handle) (0x01U << FB_DMA_SHIFT(handle))
#define __HAL_DMA_GET_FLAG(handle, flag) (FB_DMA_PLACE(handle, LISR, HISR) & (flag))
#define __HAL_DMA_CLEAR_FLAG(handle, flag) (FB_DMA_PLACE(handle, LIFCR, HIFCR) = (flag))
#define __HAL_DMA_RESET_HANDLE_STATE(handle) ((handle)->State = HAL_DMA_STATE_RESET)
#define __HAL_DMA_ENABLE(handle) ((handle)->Instance->CR |= DMA_SxCR_EN)
#define __HAL_DMA_DISABLE(handle) ((handle)->Instance->CR &= ~DMA_SxCR_EN)
#define __HAL_DMA_ENABLE_IT(handle, interrupt) ((handle)->Instance->CR |= (interrupt))
#define __HAL_DMA_DISABLE_IT(handle, interrupt) ((handle)->Instance->CR &= ~(interrupt))
#define __HAL_DMA_GET_IT_SOURCE(handle, interrupt) ((handle)->Instance->CR & (interrupt))
#define __HAL_DMA_SET_COUNTER(handle, counter) ((handle)->Instance->NDTR = (uint16_t)(counter))
#define __HAL_DMA_GET_COUNTER(handle) ((handle)->Instance->NDTR)

HAL_StatusTypeDef HAL_DMA_Init(DMA_HandleTypeDef *hdma);
HAL_StatusTypeDef HAL_DMA_DeInit(DMA_HandleTypeDef *hdma);
HAL_StatusTypeDef HAL_DMA_Start(DMA_HandleTypeDef *hdma, uint32_t SrcAddress, uint32_t DstAddress, uint32_t DataLength);
HAL_StatusTypeDef HAL_DMA_Start_IT(DMA_HandleTypeDef *hdma, uint32_t SrcAddress, uint32_t DstAddress,
                                   uint32_t DataLength);
HAL_StatusTypeDef HAL_DMA_Abort(DMA_HandleTypeDef *hdma);
HAL_StatusTypeDef HAL_DMA_Abort_IT(DMA_HandleTypeDef *hdma);
HAL_StatusTypeDef HAL_DMA_PollForTransfer(DMA_HandleTypeDef *hdma, HAL_DMA_LevelCompleteTypeDef CompleteLevel,
                                          uint32_t Timeout);
void HAL_DMA_IRQHandler(DMA_HandleTypeDef *hdma);
HAL_StatusTypeDef HAL_DMA_RegisterCallback(DMA_HandleTypeDef *hdma, HAL_DMA_CallbackIDTypeDef CallbackID,
                                           void (*pCallback)(DMA_HandleTypeDef *_hdma));
HAL_StatusTypeDef HAL_DMA_UnRegisterCallback(DMA_HandleTypeDef *hdma, HAL_DMA_CallbackIDTypeDef CallbackID);
HAL_DMA_StateTypeDef HAL_DMA_GetState(DMA_HandleTypeDef *hdma);
uint32_t HAL_DMA_GetError(DMA_HandleTypeDef *hdma);

#endif

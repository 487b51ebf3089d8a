"""Calls that belong to one platform: seeing one in code for another is a sign of a mixed-up answer."""

FOREIGN: dict[str, str] = {
    "FreeRTOS": (
        r"[xv]Task[A-Z]\w*|[xv]Queue[A-Z]\w*|[xv]Semaphore[A-Z]\w*|[xv]Timer[A-Z]\w*|x(?:Event|Stream|Message)[A-Z]\w*"
        r"|ul?Task[A-Z]\w*|pvPortMalloc|vPortFree|portYIELD\w*|port(?:ENTER|EXIT)_CRITICAL\w*|pdMS_TO_TICKS"
    ),
    "Arduino": (
        r"digital(?:Write|Read)|analog(?:Write|Read)|pinMode|attachInterrupt|delayMicroseconds|millis|micros"
        r"|Serial\d?\.\w+|Wire\.\w+|SPI\.\w+"
    ),
    "STM32_HAL": r"HAL_[A-Z]\w*|__HAL_\w+|LL_[A-Z]\w+_\w+",
    "POSIX": (
        r"pthread_\w+|usleep|nanosleep|sem_(?:init|wait|post|open|timedwait|destroy)|mq_\w+|timer_(?:create|settime)"
        r"|sigaction|clock_gettime"
    ),
    "Linux_Userspace": r"fopen|fclose|mmap|munmap|ioctl|fork|execvp?e?|popen|system|printf|malloc|calloc|free",
}
"""Platform → what the name of one of its functions looks like."""

BLOCKING = (
    "k_sleep", "k_msleep", "k_usleep", "k_mutex_lock", "k_malloc", "k_calloc", "k_free", "malloc", "calloc", "free",
    "printk", "printf", "k_thread_join", "k_fifo_get", "k_lifo_get", "vTaskDelay", "xSemaphoreTake", "HAL_Delay",
    "mutex_lock", "msleep", "usleep_range", "copy_to_user", "copy_from_user",
)  # fmt: skip
"""Calls that block, allocate or print: not for an interrupt handler."""

SLEEPS = r"(?:k_(?:sleep|msleep|usleep|busy_wait)|vTaskDelay\w*|HAL_Delay|msleep\w*|usleep\w*|nanosleep|sleep|osDelay)"
OUTPUTS = (
    r"(?:v?printk?|printf|fprintf|puts|putchar|LOG_(?:ERR|WRN|INF|DBG)|ESP_LOG[EWIDV]|pr_\w+"
    r"|dev_(?:err|warn|info|dbg))"
)

#include "platform_device.h"

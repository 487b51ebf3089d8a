#include "../../linux/ioctl.h"

#include "../linux/atomic.h"

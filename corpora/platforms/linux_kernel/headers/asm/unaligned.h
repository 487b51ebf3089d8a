#include "../linux/bits.h"

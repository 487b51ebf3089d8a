#include "../linux/kernel.h"

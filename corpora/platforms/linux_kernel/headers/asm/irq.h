#include "../linux/interrupt.h"

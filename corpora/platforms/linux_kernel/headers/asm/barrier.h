#include "../linux/types.h"

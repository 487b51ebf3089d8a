#include "../../linux/types.h"

#include "atomic.h"

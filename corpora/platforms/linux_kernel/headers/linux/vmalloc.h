#include "slab.h"

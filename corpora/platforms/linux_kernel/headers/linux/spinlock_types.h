#include "spinlock.h"

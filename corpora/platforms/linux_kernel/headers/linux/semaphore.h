#include "mutex.h"

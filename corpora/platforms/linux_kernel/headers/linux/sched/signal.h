#include "../sched.h"

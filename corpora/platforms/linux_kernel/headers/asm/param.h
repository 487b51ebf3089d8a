#include "../linux/sched.h"

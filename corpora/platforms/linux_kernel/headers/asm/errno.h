#include "../linux/errno.h"

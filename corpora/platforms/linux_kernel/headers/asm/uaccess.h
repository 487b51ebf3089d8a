#include "../linux/uaccess.h"

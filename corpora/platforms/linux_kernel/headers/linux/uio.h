#include "uaccess.h"

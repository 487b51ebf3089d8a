#include "../linux/io.h"

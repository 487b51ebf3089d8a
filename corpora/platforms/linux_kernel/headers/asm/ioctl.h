#include "../linux/fs.h"

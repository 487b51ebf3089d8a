#include "module.h"

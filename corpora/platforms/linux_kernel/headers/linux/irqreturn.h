#include "interrupt.h"

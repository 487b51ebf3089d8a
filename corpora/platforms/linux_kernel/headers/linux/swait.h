#include "wait.h"

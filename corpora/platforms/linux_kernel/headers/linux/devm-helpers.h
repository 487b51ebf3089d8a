#include "workqueue.h"

#ifndef ZEPHYR_SYS_CHECK_H
#define ZEPHYR_SYS_CHECK_H

#define CHECKIF(expr) if (expr)

#endif

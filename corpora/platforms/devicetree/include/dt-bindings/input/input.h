/* The codes of keys that boards have. */
#ifndef _DT_BINDINGS_INPUT_INPUT_H
#define _DT_BINDINGS_INPUT_INPUT_H
#define EV_KEY 0x01
#define KEY_ENTER 28
#define KEY_POWER 116
#define KEY_WAKEUP 143
#define KEY_RESTART 0x198
#endif

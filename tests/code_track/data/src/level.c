/* Größe in Latin-1, lines end with CR LF. */
#include "ring.h"

/* Turn a level in tenths into percent, rounded and clipped. */
int level_percent(int tenths, int full)
{
    int percent;
    if (full <= 0) { /* größer */
        return -1;
    }
    percent = (tenths * 100 + full / 2) / full;
    if (percent < 0) {
        percent = 0;
    } else if (percent > 100) {
        percent = 100;
    }
    return percent;
}

/* How much memory this program has taken. */
#ifndef FTH_BENCH_PEAK_H
#define FTH_BENCH_PEAK_H

#include <stdio.h>

/* The most memory that was resident at a time, mapped files included, in KiB. Not getrusage: that
 * knows what exec replaced. */
static inline long peak_kib(void)
{
    char line[256];
    long kib = -1;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && kib < 0 && fgets(line, sizeof line, status))
        sscanf(line, "VmHWM: %ld", &kib);
    if (status)
        fclose(status);
    return kib;
}

#endif

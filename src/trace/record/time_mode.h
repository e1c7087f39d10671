/* How times are kept in a trace: each of them at a resolution, each of them in bins that grow
 * with it, or means. This is the form of the option `--time`, of FATHOM_TIME, and of the
 * section PROC. */
#ifndef FTH_TRACE_RECORD_TIME_MODE_H
#define FTH_TRACE_RECORD_TIME_MODE_H

#include <stdbool.h>
#include <stdint.h>

/* `within` of a mode, and what stands in PROC: 0, 1, or 1 + percent. */
enum { FTH_TIMES_EXACT = 0, FTH_TIMES_OF_MEANS = 1, FTH_TIMES_MOST_PERCENT = 50 };

struct fth_time_mode {
    uint64_t resolution_ns;
    uint32_t kept; /* FTH_TIMES_EXACT, FTH_TIMES_OF_MEANS, or 1 + percent of a bin */
};

/* Percent of bins; 0: exact times, or means. */
static inline unsigned fth_time_percent(uint64_t kept)
{
    return kept > FTH_TIMES_OF_MEANS ? (unsigned)kept - 1 : 0;
}

/* The words of `--time`, with a comma between: a resolution, `mean`, or a number of percent. "" and
 * NULL are the default. False: they are not that; *mode is the default. */
bool fth_time_mode_parse(const char *text, struct fth_time_mode *mode);
enum { FTH_LONGEST_TIME_MODE = 16 }; /* "100us,mean", and the zero behind it */

#endif

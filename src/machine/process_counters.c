/* What the kernel counts for a process. */
#include "machine/process_counters.h"

#include <string.h>
#include <unistd.h>

/* Fields of /proc/PID/stat behind the name, which may have blanks and brackets in it, and the
 * state: numbered as in proc(5), from 4. */
enum {
    FIRST = 4,
    MINOR_FAULTS = 10,
    MAJOR_FAULTS = 12,
    USER = 14,
    SYSTEM = 15,
    THREADS = 20,
    BORN = 22,
    RSS = 24,
    END
};

static uint64_t times(uint64_t one, uint64_t other)
{
    uint64_t product;
    return __builtin_mul_overflow(one, other, &product) ? UINT64_MAX : product;
}

bool fth_process_stat(const char *stat, uint64_t *born, const struct fth_taker *taker)
{
    const uint64_t tick = 1000000000 / (uint64_t)sysconf(_SC_CLK_TCK),
                   page = (uint64_t)sysconf(_SC_PAGESIZE);
    const char *at = strrchr(stat, ')');
    uint64_t fields[END] = {0};
    char state[2];
    if (!at || (at++, !fth_reading_next_word(&at, state, sizeof state)) || strchr("ZXx", *state))
        return false;
    for (int i = FIRST; i < END; i++) {
        at += strspn(at, " ");
        at += *at == '-'; /* a terminal or a group that is none */
        if (!fth_reading_next_number(&at, &fields[i]))
            return false;
    }
    *born = fields[BORN];
    fth_reading_take(taker, "process.user", "", FTH_SERIES_RATE, FTH_SERIES_NANOSECONDS,
                     times(fields[USER], tick));
    fth_reading_take(taker, "process.system", "", FTH_SERIES_RATE, FTH_SERIES_NANOSECONDS,
                     times(fields[SYSTEM], tick));
    fth_reading_take(taker, "process.rss", "", FTH_SERIES_GAUGE, FTH_SERIES_BYTES,
                     times(fields[RSS], page));
    fth_reading_take(taker, "process.threads", "", FTH_SERIES_GAUGE, FTH_SERIES_COUNT,
                     fields[THREADS]);
    fth_reading_take(taker, "process.minor_faults", "", FTH_SERIES_RATE, FTH_SERIES_COUNT,
                     fields[MINOR_FAULTS]);
    fth_reading_take(taker, "process.major_faults", "", FTH_SERIES_RATE, FTH_SERIES_COUNT,
                     fields[MAJOR_FAULTS]);
    return true;
}

static void take_line(const char *text, const char *key, const char *name,
                      enum fth_series_unit unit, const struct fth_taker *taker)
{
    uint64_t number;
    for (; *text; text = fth_reading_next_line(text)) {
        const char *at = text + strlen(key);
        if (strncmp(text, key, strlen(key)) == 0 && fth_reading_next_number(&at, &number))
            fth_reading_take(taker, name, "", FTH_SERIES_RATE, unit, number);
    }
}

void fth_process_switches(const char *status, const struct fth_taker *taker)
{
    take_line(status, "voluntary_ctxt_switches:", "process.voluntary_switches", FTH_SERIES_COUNT,
              taker);
    take_line(status, "nonvoluntary_ctxt_switches:", "process.involuntary_switches",
              FTH_SERIES_COUNT, taker);
}

void fth_process_io(const char *io, const struct fth_taker *taker)
{
    take_line(io, "read_bytes:", "process.read", FTH_SERIES_BYTES, taker);
    take_line(io, "write_bytes:", "process.written", FTH_SERIES_BYTES, taker);
}

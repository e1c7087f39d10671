/* Reading what `--time` says. */
#include "trace/record/time_mode.h"

#include "base/settings.h"

#include <stddef.h>
#include <string.h>

/* Calls are shorter than 100 ns, and a mean is kept but once. */
#define DEFAULT_RESOLUTION_OF_MEANS "10ns"
/* A percentage says itself how much is kept of what is long. */
#define DEFAULT_RESOLUTION_OF_PERCENT "100ns"

static uint64_t read_resolution(const char *word, size_t length)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } known[] = {{"1ns", 1},      {"10ns", 10},      {"100ns", 100},  {"1us", 1000},
                 {"10us", 10000}, {"100us", 100000}, {"1ms", 1000000}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == length && memcmp(known[i].name, word, length) == 0)
            return known[i].ns;
    return 0;
}

/* "10%"; 0: it is none. */
static uint32_t read_percent(const char *word, size_t length)
{
    uint32_t percent = 0;
    if (length < 2 || length > 3 || word[length - 1] != '%')
        return 0;
    for (size_t i = 0; i + 1 < length; i++) {
        if (word[i] < '0' || word[i] > '9')
            return 0;
        percent = percent * 10 + (uint32_t)(word[i] - '0');
    }
    return percent <= FTH_TIMES_MOST_PERCENT ? percent : 0;
}

static bool read_word(const char *word, size_t length, struct fth_time_mode *mode)
{
    uint64_t ns = read_resolution(word, length);
    uint32_t percent = read_percent(word, length);
    if (ns && !mode->resolution_ns)
        mode->resolution_ns = ns;
    else if (percent && mode->kept == FTH_TIMES_EXACT)
        mode->kept = 1 + percent;
    else if (length == 4 && memcmp(word, "mean", 4) == 0 && mode->kept == FTH_TIMES_EXACT)
        mode->kept = FTH_TIMES_OF_MEANS;
    else
        return false;
    return true;
}

bool fth_time_mode_parse(const char *text, struct fth_time_mode *mode)
{
    *mode = (struct fth_time_mode){0, FTH_TIMES_EXACT};
    bool good = true;
    for (const char *word = text; good && word && *text; word = strchr(word, ',')) {
        word += *word == ',';
        good = read_word(word, strcspn(word, ","), mode);
    }
    if (!good)
        *mode = (struct fth_time_mode){0, FTH_TIMES_EXACT};
    const char *usual = mode->kept == FTH_TIMES_OF_MEANS ? DEFAULT_RESOLUTION_OF_MEANS
                        : mode->kept != FTH_TIMES_EXACT  ? DEFAULT_RESOLUTION_OF_PERCENT
                                                         : FTH_DEFAULT_RESOLUTION;
    if (!mode->resolution_ns)
        mode->resolution_ns = read_resolution(usual, strlen(usual));
    return good;
}

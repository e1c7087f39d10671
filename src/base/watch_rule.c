/* The rule of `fathom record --select`: words, one after the other. */
#include "base/watch_rule.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_WORD = 160 };
#define MOST_PHASES 1000000u
#define SHORTEST_NS UINT64_C(1000000)      /* 1 ms: a choice costs microseconds */
#define LONGEST_NS UINT64_C(3600000000000) /* 1 hour */

struct reading {
    const char *at;
    char word[LONGEST_WORD];
    bool is_too_long;
};

/* The next word; "": there is none. */
static const char *next(struct reading *reading)
{
    reading->at += strspn(reading->at, " \t");
    size_t length = strcspn(reading->at, " \t");
    reading->is_too_long = length >= sizeof reading->word;
    snprintf(reading->word, sizeof reading->word, "%.*s", (int)length, reading->at);
    reading->at += length;
    return reading->word;
}

static int expected(const struct reading *reading, const char *what, struct fth_error **error)
{
    if (!*reading->word)
        return fth_fail(error, "%s is missing at its end", what);
    return fth_fail(error, "'%s' stands where %s is expected", reading->word, what);
}

/* A whole number; false: the word is none. */
static bool read_number(const char *word, uint64_t *number)
{
    char *end;
    if (*word < '0' || *word > '9' || strlen(word) > 18)
        return false;
    *number = strtoull(word, &end, 10);
    return !*end;
}

/* "100ms": a number and its unit; false: the word is none. */
static bool read_time(const char *word, uint64_t *ns)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}};
    char *end;
    if (*word < '0' || *word > '9' || word[1] == 'x' || word[1] == 'X')
        return false;
    double value = strtod(word, &end);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].name) == 0 && value * units[i].ns < 1e18) {
            *ns = (uint64_t)(value * units[i].ns);
            return true;
        }
    return false;
}

static int read_layer(struct reading *reading, struct fth_watch_rule *rule,
                      struct fth_error **error)
{
    const char *word = next(reading);
    if (strcmp(word, "of") != 0)
        return 0;
    word = next(reading);
    if (!*word || strcmp(word, "per") == 0)
        return expected(reading, "the name of a layer (posix, mpiio, hdf5 ...)", error);
    if (strlen(word) >= sizeof rule->layer)
        return fth_fail(error, "there is no layer '%s'", word);
    if (strcmp(word, "all") != 0)
        strcpy(rule->layer, word);
    next(reading);
    return 0;
}

static int read_unit(struct reading *reading, struct fth_watch_rule *rule, struct fth_error **error)
{
    const char *word = next(reading);
    rule->unit = FTH_WATCH_PHASES;
    rule->every = 1;
    if (strcmp(word, "phase") == 0)
        return 0;
    if (strcmp(word, "mark") == 0) {
        rule->unit = FTH_WATCH_MARKS;
        word = next(reading);
        if (!*word)
            return expected(reading, "the name of a region (<fathom/mark.h>)", error);
        if (reading->is_too_long || strlen(word) >= sizeof rule->mark)
            return fth_fail(error, "the name of a region has at most %d bytes", FTH_WATCH_MARK - 1);
        strcpy(rule->mark, word);
        return 0;
    }
    if (read_number(word, &rule->every)) {
        if (!rule->every || rule->every > MOST_PHASES)
            return fth_fail(error, "'%s' phases: 1 to %u are possible", word, MOST_PHASES);
        word = next(reading);
        return strcmp(word, "phases") == 0 || strcmp(word, "phase") == 0
                   ? 0
                   : expected(reading, "'phases', or the unit of a time (100ms)", error);
    }
    if (!read_time(word, &rule->every))
        return expected(reading, "'phase', 'N phases', 'mark NAME' or a time (100ms)", error);
    rule->unit = FTH_WATCH_TIME;
    if (rule->every < SHORTEST_NS || rule->every > LONGEST_NS)
        return fth_fail(error, "'%s': a phase lasts 1 ms to 1 hour", word);
    return 0;
}

int fth_watch_rule_parse(const char *text, struct fth_watch_rule *rule, struct fth_error **error)
{
    struct reading reading = {.at = text};
    *rule = (struct fth_watch_rule){0};
    if (strcmp(next(&reading), "slowest") != 0)
        return expected(&reading, "'slowest'", error);
    if (!read_number(next(&reading), &rule->slowest))
        return expected(&reading, "a number of processes", error);
    if (!rule->slowest || rule->slowest > FTH_WATCH_MOST)
        return fth_fail(error, "'%s' processes: 1 to %d are possible", reading.word,
                        FTH_WATCH_MOST);
    if (read_layer(&reading, rule, error))
        return -1;
    if (strcmp(reading.word, "per") != 0)
        return expected(&reading, *rule->layer ? "'per'" : "'of LAYER' or 'per'", error);
    if (read_unit(&reading, rule, error))
        return -1;
    return *next(&reading) ? expected(&reading, "the end", error) : 0;
}

void fth_watch_rule_write(const struct fth_watch_rule *rule, char text[FTH_WATCH_TEXT])
{
    snprintf(text, FTH_WATCH_TEXT, "%" PRIu64 " %d %" PRIu64 " %s %s", rule->slowest,
             (int)rule->unit, rule->every, *rule->layer ? rule->layer : "-", rule->mark);
}

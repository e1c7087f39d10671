/* Thresholds of findings: all of them, with what they mean; `fathom report --threshold NAME=VALUE`
 * sets one. */
#ifndef FTH_ANALYSIS_THRESHOLDS_H
#define FTH_ANALYSIS_THRESHOLDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fth_threshold_unit { FTH_THRESHOLD_NUMBER, FTH_THRESHOLD_BYTES, FTH_THRESHOLD_SHARE };

/* NAME, word, unit, default, meaning */
#define FTH_THRESHOLDS(X)                                                                          \
    X(SMALL, "small", BYTES, 65536, "accesses below are small")                                    \
    X(MANY, "many", NUMBER, 100, "so many calls of one kind are many")                             \
    X(SPREAD, "spread", SHARE, 0.5,                                                                \
      "share of accesses that do not follow the one before: they are scattered")                   \
    X(AMPLIFIED, "amplified", SHARE, 0.05,                                                         \
      "share of bytes moved below beyond those asked for: they are amplified")                     \
    X(FAN, "fan", NUMBER, 2, "calls below for one above: it fans out")                             \
    X(REOPENED, "reopened", NUMBER, 3,                                                             \
      "times that a process opens a file: it is opened again and again")                           \
    X(METADATA, "metadata", SHARE, 0.3,                                                            \
      "share of metadata in the time of I/O of a file that is worth telling")                      \
    X(PROXIES, "proxies", SHARE, 0.5,                                                              \
      "share of ranks that reach the system, of those that ask: the others have proxies")          \
    X(UNEVEN, "uneven", NUMBER, 2,                                                                 \
      "longest to median duration of the same step on the ranks: it is uneven")                    \
    X(BURST, "burst", NUMBER, 8,                                                                   \
      "processes that open a file at the same moment: a burst, if so many of all do (`storm`)")    \
    X(STORM, "storm", SHARE, 0.5,                                                                  \
      "share of processes that ask the same of a file system: it is one for all of them")          \
    X(MESSAGES, "messages", SHARE, 0.1,                                                            \
      "share of messages in the time of calls that do I/O, from which on that is told")            \
    X(GATHERS, "gathers", NUMBER, 4,                                                               \
      "size of accesses below to pieces asked for: collective buffering puts these together")      \
    X(STRAGGLES, "straggles", SHARE, 0.5,                                                          \
      "share of late collective calls, and of waits there, that one rank makes: a straggler")      \
    X(BUSY, "busy", SHARE, 0.7,                                                                    \
      "share of its time that an I/O server may do I/O before there are too few of them")          \
    X(SHRINKS, "shrinks", NUMBER, 0.5,                                                             \
      "power of the ranks by which requests get smaller: 1 is half of it with twice the ranks")    \
    X(WORTH, "worth", SHARE, 0.005,                                                                \
      "share of all time from which on a finding about time is told")                              \
    X(MINOR, "minor", SHARE, 0.02,                                                                 \
      "share of the run below which what a finding would gain is minor: --all shows it")

enum fth_threshold {
#define FTH_THRESHOLD_NAME(name, word, unit, value, meaning) FTH_THRESHOLD_##name,
    FTH_THRESHOLDS(FTH_THRESHOLD_NAME)
#undef FTH_THRESHOLD_NAME
        FTH_THRESHOLD_COUNT
};

struct fth_thresholds {
    double values[FTH_THRESHOLD_COUNT];
};

struct fth_threshold_facts {
    const char *name;
    enum fth_threshold_unit unit;
    double value; /* by default */
    const char *meaning;
};
const struct fth_threshold_facts *fth_threshold_facts(enum fth_threshold threshold);
/* SIZE_MAX: there is none of that name. */
size_t fth_threshold_find(const char *name, size_t length);

void fth_thresholds_init(struct fth_thresholds *thresholds);

#endif

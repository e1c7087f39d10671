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
    X(SMALL, "small", BYTES, 65536, "smaller accesses are small")                                  \
    X(MANY, "many", NUMBER, 100, "this many calls of one kind are many")                           \
    X(SPREAD, "spread", SHARE, 0.5,                                                                \
      "share of accesses that do not follow the one before, from which they are scattered")        \
    X(AMPLIFIED, "amplified", SHARE, 0.05,                                                         \
      "share of extra bytes transferred by the system, from which accesses are amplified")         \
    X(FAN, "fan", NUMBER, 2, "system calls per call, from which it fans out")                      \
    X(REOPENED, "reopened", NUMBER, 3,                                                             \
      "openings of a file by one process, from which it is reopened too often")                    \
    X(METADATA, "metadata", SHARE, 0.3,                                                            \
      "share of metadata in the I/O time of a file that is worth a finding")                       \
    X(PROXIES, "proxies", SHARE, 0.5,                                                              \
      "share of the calling ranks that reach the system, up to which they are aggregators")        \
    X(UNEVEN, "uneven", NUMBER, 2,                                                                 \
      "ratio of the longest to the median over ranks, from which a step is uneven")                \
    X(BURST, "burst", NUMBER, 8,                                                                   \
      "processes that open a file at the same time, from which it is a burst (see storm)")         \
    X(STORM, "storm", SHARE, 0.5,                                                                  \
      "share of all processes that must take part in a burst or in equal lookups")                 \
    X(MESSAGES, "messages", SHARE, 0.1,                                                            \
      "share of messages in the time of I/O calls that is worth a finding")                        \
    X(GATHERS, "gathers", NUMBER, 4,                                                               \
      "ratio of system access size to piece size, from which buffering is at work")                \
    X(STRAGGLES, "straggles", SHARE, 0.5,                                                          \
      "share of late collective calls and of their waits, from which a rank is a straggler")       \
    X(BUSY, "busy", SHARE, 0.7,                                                                    \
      "share of their time that I/O servers may be busy before there are too few")                 \
    X(SHRINKS, "shrinks", NUMBER, 0.5,                                                             \
      "exponent by which requests shrink with ranks: 1 halves them with twice the ranks")          \
    X(WORTH, "worth", SHARE, 0.005, "share of all time that is worth a finding")                   \
    X(MINOR, "minor", SHARE, 0.02,                                                                 \
      "share of the run below which a possible gain is minor (--all shows it)")

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

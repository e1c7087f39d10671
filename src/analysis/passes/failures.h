/* What is known of calls that fail, for the findings about them. Inner header of the passes. */
#ifndef FTH_ANALYSIS_FAILURES_H
#define FTH_ANALYSIS_FAILURES_H

#include "analysis/passes/finding_texts.h"
#include "base/indexed.h"
#include "base/keyed.h"
#include "base/number_set.h"

struct fth_failure_key {
    uint32_t function, file;
    int64_t error; /* 0: they did not fail */
};

/* What comes together under a function and an error; of those that did not fail only the calls. */
struct fth_failures {
    uint64_t calls, processes;
    uint64_t direct; /* of them on descriptors that avoid the cache (O_DIRECT) */
    uint64_t asked;  /* bytes of one of them */
    uint64_t most;   /* calls of one process on one file */
    int64_t time;    /* ns */
    size_t last;     /* of these, + 1 */
    struct fth_example example;
    uint32_t file; /* of the example */
    const char *error_name;
};

/* One process asks again and again, on one file, until it gets what it asks for. */
struct fth_failure_wait {
    uint64_t calls;
    int64_t from, time; /* ns: when the first began, and from there to the last */
    uint32_t function, file;
    struct fth_example example;
};

/* Who got a lock of a file, and when first. */
struct fth_failure_holder {
    int64_t since;
};
struct fth_failure_holder_key {
    uint32_t file, proc;
};

/* Calls of a layer on handles of no file, by processes that could not open one there. */
struct fth_failure_going_on {
    uint64_t calls;
    const char *name; /* of the function of the first */
    bool writes;
};

struct fth_failure_run {
    const struct fth_survey *survey;
    struct fth_keyed failures; /* of struct fth_failures, by key without a file */
    struct fth_keyed refused;  /* the same: openings of files by libraries, by key with the file */
    struct fth_keyed holders;  /* of struct fth_failure_holder */
    struct fth_number_set found; /* files: a call on it was successful */
    uint64_t *calls;             /* by function: of those, and of those that did not fail */
    int64_t *reasons; /* by function: why calls of the system inside failed; 0: none, -1: several */
    struct fth_failure_going_on *going_on; /* by layer */
    uint64_t all, failed;
    struct fth_failure_wait for_file, for_lock; /* the longest of each */
    /* locks that somebody else held: calls of all processes that asked for one in vain */
    struct {
        uint64_t calls, processes;
        size_t last; /* of these, + 1 */
    } refused_locks;
};

void fth_failures_find(struct fth_failure_run *run, struct fth_results *results);

#endif

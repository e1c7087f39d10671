/* What is known of the life of a file, for the findings about it. Inner header of the passes. */
#ifndef FTH_ANALYSIS_FILE_LIFETIMES_H
#define FTH_ANALYSIS_FILE_LIFETIMES_H

#include "analysis/passes/file_presence.h"
#include "analysis/passes/file_safety.h"
#include "analysis/passes/finding_texts.h"
#include "base/indexed.h"

/* Openings of a file inside a call on another one. */
struct fth_unexpected_openings {
    uint64_t count;
    int64_t time;
    const struct fth_function *in; /* a function that did so */
    struct fth_example example;
};

/* Of one process, on the system. */
struct fth_file_life {
    uint64_t bytes[2], calls[2];
    int64_t time[2];
    struct fth_example examples[2];
    int64_t first_write; /* ns; -1: none */
    uint64_t next;
    struct fth_file_safety safety;
    /* it is also read or written by other means than calls with its bytes: it is mapped, or the
     * other end of a copy from or to nobody knows where */
    bool elsewhere;
    bool appends; /* each write begins where the last one ended: at `next` */
    bool deleted;
    bool mapped;
    bool named; /* a file of another name got this one, too, or instead */
    /* Most files are not renamed, and not opened by a library: then these are NULL. */
    struct fth_renaming *renaming;
    struct fth_unexpected_openings *unexpected;
};

/* Of all processes together. */
struct fth_shared_file_life {
    struct fth_file_life all;
    uint64_t readers, writers, deleters;
    uint64_t movers, finders; /* that read or write; in which a library opens it unasked */
    struct fth_shared_safety safety;
    uint64_t renamed;              /* by so many processes while not safe */
    struct fth_renaming *renaming; /* of those; NULL: of none */
    bool synced_early;             /* made safe, and then written to once more */
};

/* Of the run. */
struct fth_file_lifetimes_run {
    const struct fth_survey *survey;
    struct fth_indexed files; /* of struct fth_shared_file_life */
    struct fth_presences presences;
    struct fth_shared_safety of_all; /* syncs of all files */
};

/* What became of the bytes of a file. */
static inline struct fth_fate fth_file_lifetimes_fate(struct fth_results *results, uint32_t file)
{
    results->fates.size = sizeof(struct fth_fate); /* of a pass that did not run there are none */
    return *(const struct fth_fate *)fth_indexed_get(&results->fates, file, 0);
}

void fth_file_lifetimes_find(struct fth_file_lifetimes_run *run, struct fth_results *results);

#endif

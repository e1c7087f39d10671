/* From layer to layer: what the data calls of a function on a file became in the system, and the
 * findings that follow. Inner header of the analysis room. */
#ifndef FTH_ANALYSIS_LEVELS_H
#define FTH_ANALYSIS_LEVELS_H

#include "analysis/extents/access_sizes.h"
#include "analysis/passes/finding_texts.h"

/* Of a file and a function. */
struct fth_level {
    uint64_t calls, bytes, ranges; /* of the function */
    int64_t time, messages;
    struct fth_moved below[2];
    uint64_t views;    /* calls through a file view with holes */
    uint64_t together; /* collective calls */
    uint64_t alike;    /* calls that became one of the system with the same bytes */
    uint64_t groups;   /* calls on a file that a group has open */
    uint64_t processes, reach;
    uint64_t split; /* calls that are not collective inside of collective ones */
    uint64_t asked; /* of the calls: by the program itself */
    struct fth_level_small {
        uint64_t calls, asked, bytes;
        int64_t time;
        struct fth_sizes sizes;
        struct fth_example example;
    } small; /* small calls of libraries with arrays */
    struct fth_example example;
};

/* The functions of stdio that read a file, or write it. They share buffers: what one of them moves
 * on the system may be for another one, or for one that seeks. */
struct fth_level_stream {
    uint64_t functions, bytes;     /* that move bytes; that these moved */
    bool vague;                    /* of some it is not known how many */
    struct fth_moved below;        /* of these and of those that seek */
    const struct fth_level *first; /* the one that moved most */
    const struct fth_level *most;  /* the one that moved most on the system */
};

/* The same with what findings need besides. */
struct fth_level_story {
    const struct fth_survey *survey;
    const struct fth_speed *best; /* of the system in this run: of reads, of writes */
    struct fth_results *results;
    uint32_t file;
    const struct fth_function *function;
    bool writes;
    const struct fth_level *level;
    uint64_t system_calls, system_bytes; /* in the direction of the function */
    int64_t system_time;
    const struct fth_level_stream *stream; /* of functions of stdio; else NULL */
};

void fth_level_find(const struct fth_level_story *story);

#endif

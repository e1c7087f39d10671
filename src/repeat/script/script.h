/* Writes the scripts of a replay (player/player_script.h): what each thread of a run did, on files
 * below one folder. */
#ifndef FTH_REPEAT_SCRIPT_H
#define FTH_REPEAT_SCRIPT_H

#include "player/player_script.h"
#include "repeat/what/file_places.h"

struct fth_repeat_request {
    const char *folder; /* where the scripts go: private, and there */
    /* below which the files of the replay are, absolute; NULL: they are those of the run */
    const char *into;
    const char *directory; /* where processes work; NULL: where they are started */
    double scale;          /* of recorded times; 0: no gaps */
    int (*is_over)(void);  /* not 0: nobody wants the scripts any more; NULL: never */
};

/* Calls that are not repeated. */
struct fth_repeat_omission {
    const struct fth_function *function;
    const char *why;
    uint64_t calls;
};

/* The first call that changes a file and is not repeated. */
struct fth_repeat_missing {
    const struct fth_function *function; /* NULL: there is none */
    const char *why;
};

/* What the recorded run did, of what is repeated. */
struct fth_repeat_summary {
    size_t function_count;               /* of the trace, as numbered by fth_trace_function */
    struct fth_script_outcome *recorded; /* by function: calls, bytes, time */
    size_t omission_count;
    struct fth_repeat_omission *omissions;
    struct fth_repeat_missing *missing; /* by file, as numbered by fth_repeat_place_at */
    uint32_t ranks;                     /* 0: a run without MPI */
    uint32_t processes;                 /* that are played */
    int64_t begin, end; /* ns since the start of the run: see struct fth_script_plan */
    uint64_t calls, script_bytes, buffer_bytes, words_bytes;
    uint64_t unseen_bytes; /* that macros gave to streams: written, but in no call */
};

/* 0, or -1 with *error: the trace is damaged, or the folder cannot be written to. What *summary
 * points to is freed by fth_repeat_summary_free. */
int fth_repeat_write_script(struct fth_trace *trace, const struct fth_repeat_ways *ways,
                            const struct fth_repeat_places *places,
                            const struct fth_repeat_request *request,
                            struct fth_repeat_summary *summary, struct fth_error **error);
void fth_repeat_summary_free(struct fth_repeat_summary *summary);

#endif

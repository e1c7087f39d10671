/* The passes of `fathom report`, in the order of their tables. To add one: a file here, beginning
 * with a copy of the smallest (spent.c), and a line in each of these two places. */
#ifndef FTH_ANALYSIS_PASSES_H
#define FTH_ANALYSIS_PASSES_H

#include "analysis/survey/survey.h"

extern const struct fth_pass fth_pass_spent;          /* where the time went */
extern const struct fth_pass fth_pass_patterns;       /* of access, by file */
extern const struct fth_pass fth_pass_levels;         /* from data calls to those of the system */
extern const struct fth_pass fth_pass_metadata;       /* and who asks for it */
extern const struct fth_pass fth_pass_stalls;         /* by what moves nothing */
extern const struct fth_pass fth_pass_file_lifetimes; /* of files */
extern const struct fth_pass fth_pass_setups;         /* again and again */
extern const struct fth_pass fth_pass_storms;         /* metadata that all ask for */
extern const struct fth_pass fth_pass_bursts;         /* of openings */
extern const struct fth_pass fth_pass_roles;          /* of processes */
extern const struct fth_pass fth_pass_striped;        /* files, and their servers */
extern const struct fth_pass fth_pass_sharing;        /* of the work */
extern const struct fth_pass fth_pass_failures;       /* that nobody minds */
extern const struct fth_pass fth_pass_short_writes;   /* whose rest nobody writes */
extern const struct fth_pass fth_pass_unwritten; /* what was in buffers when a process was ended */
extern const struct fth_pass fth_pass_entering;  /* what time calls took, for what findings claim */
extern const struct fth_pass fth_pass_activity;  /* what the time of calls went to, programs */
/* how accesses of all processes follow one another */
extern const struct fth_pass fth_pass_in_time;
extern const struct fth_pass fth_pass_over_time; /* bytes */
extern const struct fth_pass fth_pass_tuned;     /* files whose hints the program did not give */
extern const struct fth_pass fth_pass_volume;    /* rates, and how files were used */

/* Not among fth_passes: which bytes of files were accessed when, for pictures. Its outcome is
 * `file_maps` of the results. */
extern const struct fth_pass fth_pass_file_maps;
/* Likewise: where in their files accesses began. Its outcome is `offsets`. */
extern const struct fth_pass fth_pass_offsets;

/* For runs that are compared: calls whose number depends on who comes first. */
extern const struct fth_pass fth_pass_unsteady;
enum fth_unsteady_column {
    FTH_UNSTEADY_WORLD,
    FTH_UNSTEADY_RANK,
    FTH_UNSTEADY_PROC,
    FTH_UNSTEADY_LAYER,
    FTH_UNSTEADY_FUNCTION,
    FTH_UNSTEADY_PATH,
    FTH_UNSTEADY_CALLS,
    FTH_UNSTEADY_READ, /* bytes */
    FTH_UNSTEADY_WRITTEN,
    FTH_UNSTEADY_COLUMNS
};

/* For runs that are compared; its table has one row. */
extern const struct fth_pass fth_pass_requests;
enum fth_requests_column {
    FTH_REQUESTS_READS,
    FTH_REQUESTS_BYTES_READ,
    FTH_REQUESTS_READ_TIME,
    FTH_REQUESTS_WRITES,
    FTH_REQUESTS_BYTES_WRITTEN,
    FTH_REQUESTS_WRITE_TIME,
    FTH_REQUESTS_COLUMNS
};

extern const struct fth_pass *const fth_passes[];
extern const size_t fth_pass_count;
/* Does nothing come of it but its tables? No finding depends on it. */
bool fth_pass_only_shows(const struct fth_pass *pass);

#endif

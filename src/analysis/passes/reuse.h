/* How often bytes of a file are read and written, by one process again, and by several
 * processes. Inner header of the passes. The numbers are exact as long as the bytes fit into a
 * bounded number of pieces (analysis/extents/extents.h). Otherwise `vague` is set and all
 * numbers are 0. The order of the accesses of several processes is unknown, and the numbers over
 * these hold in any order; but what no process could hand to another in time is not passed on. */
#ifndef FTH_ANALYSIS_REUSE_H
#define FTH_ANALYSIS_REUSE_H

#include "analysis/extents/extents.h"
#include "analysis/survey/survey.h"

/* Bytes, each counted as often as it was accessed so. */
struct fth_reuse_counts {
    uint64_t read_again;    /* though it had not been written since the process read it */
    uint64_t read_back;     /* for the first time since the process wrote it */
    uint64_t written_again; /* by the process that wrote it before */
    int64_t again_time;     /* ns of the calls that read again, by their own bytes */
    int64_t back_time;      /* the same of read_back */
};

/* Of one process to one file. All zero, but for room, is none. */
struct fth_reuse {
    struct fth_strided range;        /* what goes on, one behind the other: count 0 or 1 */
    struct fth_strided series;       /* ranges before it, a stride apart */
    int64_t range_time, series_time; /* ns of the calls that made these */
    int writes;                      /* they are writes */
    /* ns, + 1; 0: never: begin of the first write, end of the last read */
    int64_t first_write, last_read;
    int64_t first, last; /* the same of all accesses */
    uint64_t behind;     /* the end of the last byte that was accessed */
    bool may_be_cut; /* the file was cut off after the first write: what is read back is unknown */
    bool again;      /* what the series accesses was accessed by the one before it: stride 0 */
    struct fth_reuse_counts counts;
    struct fth_extents extents;
};

void fth_reuse_see(struct fth_reuse *reuse, const struct fth_frame *frame);
/* There are accesses of which nobody knows where they are. */
void fth_reuse_see_unplaced(struct fth_reuse *reuse);
/* All that was in the file is gone from some moment between `start` and `end` (ns): what is read
 * then is not what was read or written before. Calls of other threads may have come before this one
 * is known. */
void fth_reuse_empty(struct fth_reuse *reuse, int64_t start, int64_t end);

/* Of all processes to one file. */
struct fth_reuse_of_all {
    struct fth_reuse_counts counts;
    bool may_be_cut;         /* by some process, after its first write: `read_back` is 0 */
    uint64_t read_by_others; /* bytes, each as often as one more process had read it */
    size_t processes, writers, readers;
    /* of two processes: those that wrote first; those that read last, with -time */
    struct fth_reuse_moment {
        int64_t time;
        size_t process;
    } first_writes[2], last_reads[2];
    struct fth_extents extents;
};
/* error: ns that the clock of the process may be wrong; -1: nobody knows. */
void fth_reuse_add(struct fth_reuse_of_all *all, struct fth_reuse *reuse, int64_t error);

/* Bytes of the file, each counted once. */
struct fth_coverage {
    uint64_t first, behind; /* of all accesses */
    uint64_t covered;       /* read or written */
    uint64_t read, written;
    uint64_t by_several; /* accessed by more than one process */
    uint64_t written_by_several;
    uint64_t passed_on;  /* written by one process, read by another; 0: all read before */
    uint64_t never_read; /* after they were written for the last time */
};
struct fth_coverage fth_reuse_coverage(const struct fth_reuse_of_all *all);

#endif

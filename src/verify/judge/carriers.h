/* Accesses that one process makes for others: with collective buffering, a rank's system call
 * carries bytes that other ranks gave to the same collective call of MPI-IO. They are exchanged
 * inside the library, where no message is seen; what is certain is that each rank's call began
 * before its bytes were written, and ended after that. Inner header of the verify room. */
#ifndef FTH_VERIFY_JUDGE_CARRIERS_H
#define FTH_VERIFY_JUDGE_CARRIERS_H

#include "verify/gather/run_accesses.h"

/* Calls that several processes made together: the situations of those that access a file. */
struct fth_carriers {
    const struct fth_run_accesses *accesses;
    uint32_t first_proc; /* of the run whose calls are read now */
    /* by situation of a collective call of MPI-IO: its group + 1; 0: none */
    uint32_t *group_of;
    uint32_t *first_member; /* by group; group_count + 1 of them */
    uint32_t *members;      /* situations */
    uint32_t group_count;
    uint32_t member_count;
    /* by opening, of those of MPI: the call of several processes that made it + 1; 0: not known */
    uint32_t *opened_by;
    uint32_t *open_index; /* openings of MPI in order of (process, thread, call) */
    size_t open_count;
    uint32_t open_calls;
    /* by mark that is in a collective call of several processes: that call + 1; 0: not known */
    uint32_t *marked_by;
    uint32_t *mark_index; /* such marks in order of (process, thread, call) */
    size_t mark_count, marks_known;
    uint32_t mark_calls;
    uint32_t *call_index; /* situations of collective calls, in order of (process, thread, call) */
    size_t call_count;
    /* Ranges and series by situation: places in `ranges` and `series`, situation_count + 1 of
     * them. */
    uint32_t *first_range, *ranges, *first_series, *series;
};

/* `accesses` are whole, and must outlive it. */
void fth_carriers_open(struct fth_carriers *carriers, const struct fth_run_accesses *accesses);
void fth_carriers_close(struct fth_carriers *carriers);
/* Of fth_order_options.together, with the carriers as its context: first_proc is set before. */
void fth_carriers_together(void *context, const struct fth_order_member *members, size_t count);
/* The situations of other processes' calls whose bytes this one's accesses may have carried: sets
 * *found, to be freed, and returns how many there are. */
size_t fth_carriers_of(const struct fth_carriers *carriers, const struct fth_situation *situation,
                       uint32_t **found);
/* The situations of all calls that made the collective call which it is part of, as long as the
 * carriers live. */
size_t fth_carriers_with(const struct fth_carriers *carriers, const struct fth_situation *situation,
                         const uint32_t **members);
/* Did one collective call make the handles of MPI by which two situations are? */
bool fth_carriers_opened_together(const struct fth_carriers *carriers,
                                  const struct fth_situation *a, const struct fth_situation *b);

/* Are two marks parts of one collective call, or inside of its parts? */
bool fth_carriers_marked_together(const struct fth_carriers *carriers,
                                  const struct fth_sync_mark *a, const struct fth_sync_mark *b);

#endif

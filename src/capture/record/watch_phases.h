/* Phases of a run in which some processes are recorded in full and the others are only watched
 * (`fathom record --select`). A phase ends when all ranks have met, when a region begins, or when
 * its time is over. Who was among the slowest in it, is recorded in the next one. Processes of a
 * node agree on that by a page that they share; nobody waits for anybody.
 *
 * Given: the rule, from the settings. What changes: fth_wanted, for all threads of this process.
 * Inner header of the capture room. */
#ifndef FTH_CAPTURE_RECORD_WATCH_PHASES_H
#define FTH_CAPTURE_RECORD_WATCH_PHASES_H

#include "capture/record/watched_calls.h"

/* Calls are only watched now. */
extern bool fth_is_only_watched;
/* What has to be done before calls are recorded again. */
extern void (*fth_recorded_again)(void);

/* The filters have decided what is wanted; now the rule. `also`: functions that may be watched,
 * though their rows do not say so, ended by a negative number, and what they move. */
struct fth_also_watched {
    int function;
    uint8_t as;
};
void fth_phases_start(const struct fth_also_watched *also);
/* In a forked child, which has its own file: it is recorded until its first phase ends. */
void fth_phases_in_child(void);
/* The process ends, or its recording does. */
void fth_phases_end(void);
/* The process's files are elsewhere now. */
bool fth_phases_remap(void);

/* The call is over, and is only watched; leaves it. False: it has made its process slow, and is to
 * be recorded after all. */
bool fth_phase_watched(struct fth_draft *draft);
/* The same for a call that will be recorded; does not leave it. */
void fth_phase_recorded(struct fth_draft *draft);
/* A region of this name begins. */
void fth_phase_marked(const char *name);

#endif

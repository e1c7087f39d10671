/* File positions of descriptors that other processes may move: one that shares the descriptor,
 * or, for O_APPEND, any process that extends the file. Inner header of the capture room. A
 * reader follows positions from call to call. For such descriptors it cannot, so the position
 * is queried (lseek) before and after calls that read or write at it, and unexpected values are
 * noted. Descriptors that only this process has opened, and has not passed on, need no query. */
#ifndef FTH_CAPTURE_FOLLOW_STANDING_H
#define FTH_CAPTURE_FOLLOW_STANDING_H

#include "capture/record/runtime.h"

/* By slot of descriptors. */
struct fth_standing {
    uint32_t quiet;    /* copies of this process when there was nothing to ask */
    uint32_t own;      /* copies of this process when nobody else had it */
    uint32_t reported; /* copies of this process when `at` was recorded */
    uint32_t once;     /* copies of this process when it was to be asked once */
    uint32_t looks;    /* so often was it asked where a socket's connection leads */
    int64_t at;        /* where a reader takes it to stand; -1: nowhere */
};
extern struct fth_standing *fth_standings;
extern uint32_t fth_copies; /* of this process that were made, plus 1 */

enum { FTH_QUIET = -1, FTH_TO_END = -2, FTH_ON_SOCKET = -3 };

int64_t fth_ask_standing(int32_t slot, int descriptor);
void fth_note_standing(struct fth_draft *draft, int32_t slot, int descriptor, int64_t before,
                       int64_t moved);

/* Before the real function: where it stands, or FTH_QUIET: nobody needs to ask, or FTH_TO_END: it
 * will be known behind the call, or FTH_ON_SOCKET: so will be where its connection leads. */
static inline int64_t fth_standing(int32_t slot, int descriptor)
{
    if (FTH_LIKELY(slot < 0 || fth_standings[slot].quiet == fth_copies))
        return FTH_QUIET;
    return fth_ask_standing(slot, descriptor);
}

/* Behind it, before the call is committed. */
static inline void fth_stood(struct fth_draft *draft, int32_t slot, int descriptor, int64_t before,
                             int64_t moved)
{
    if (FTH_UNLIKELY(before != FTH_QUIET) && moved >= 0)
        fth_note_standing(draft, slot, descriptor, before, moved);
}

/* A seek has moved it there. A reader takes it for that where it has been noted before. */
void fth_standing_is_sought(int32_t slot, int64_t position);
static inline void fth_sought(int32_t slot, int64_t position)
{
    if (slot >= 0 && position >= 0 && FTH_UNLIKELY(fth_standings[slot].quiet != fth_copies))
        fth_standing_is_sought(slot, position);
}

/* There has to be memory for it before a slot is handed out. */
bool fth_standing_is_kept(int32_t slot);
/* A descriptor has this slot from now on. `own`: it was opened here. */
void fth_standing_begins(int32_t slot, bool own);
/* It is a copy of the descriptor with the other slot, which writes to the end of its file: as long
 * as nobody else has that one, nobody has this one. */
void fth_standing_is_copied(int32_t slot, int32_t of);
/* Writes go to the end of its file. */
static inline void fth_standing_is_asked(int64_t slot)
{
    fth_standings[slot].quiet = 0;
}
/* This process has been copied, or is about to be. */
void fth_standings_copied(void);
/* Calls were only watched for a while: where descriptors stand is asked once more. */
void fth_standings_unseen(void);
/* This process is the copy: nothing was recorded of it yet. */
void fth_standings_in_child(void);

#endif

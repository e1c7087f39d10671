/* Loops of calls that do not come again by themselves. Some open files and close them again: open,
 * write, close, open ...; or they start messages and wait for them. Each opening makes a handle
 * with a number of its own and may bind a descriptor anew, so that no call is known to come again
 * by itself. Others are of calls that somebody wants one by one, as they order processes. But if
 * two rounds were of the same signatures, with the same values, and the second one has left
 * everything as it found it, but for the numbers of handles, so do all rounds of these signatures
 * behind it: they differ in times and these numbers only, and are not decoded.
 *
 * What a round leaves is compared where it has closed all that it has opened (struct
 * fth_loop_mark). Inner header of the model room. */
#ifndef FTH_MODEL_CALLS_LOOPS_H
#define FTH_MODEL_CALLS_LOOPS_H

#include "model/calls/turns.h"

/* A call of the last rounds. */
struct fth_loop_call {
    struct fth_read_notes notes;
    struct fth_raw_call raw;
    uint32_t site; /* FTH_NO_SITE: its turn could not be remembered */
    /* what it accesses, and what it is about: a class and a number in it; -1: none */
    struct fth_loop_access {
        enum fth_access_kind kind;
        uint64_t length;
        int64_t at;
        int file_class;
        int64_t file;
    } access;
};

/* What is known between two calls that the calls of a round may have changed. */
struct fth_loop_mark {
    uint64_t at; /* calls before it */
    uint32_t period;
    uint64_t handles, ended; /* made so far; of these, those that are over */
    uint64_t first_ended;    /* the least number of those that ended since the mark before */
    /* by call of the round before it */
    struct fth_cursor_state cursors[FTH_MOST_ROUND];
    int64_t positions[FTH_MOST_ROUND];
};

struct fth_loops {
    enum fth_opening_role *openings; /* by function */
    size_t thread;                   /* whose calls these are */
    struct fth_repeats
        repeats; /* of numbers of signatures, of calls in no other, with none inside */
    /* counts of `repeats`: behind the last that opened or closed something; and behind the last of
     * these and of those that somebody wants one by one */
    uint64_t opened, wanted;
    uint32_t failed; /* rounds that were not like those before them */
    bool goes_round; /* the last two were alike, and no call came since */
    uint64_t taken;  /* rounds, since then */
    uint32_t kept;   /* calls right before the next one that are in the list */
    struct fth_loop_call calls[2 * FTH_MOST_ROUND]; /* by count of `repeats` */
    struct fth_loop_mark mark;                      /* at 0: there is none */
};

/* `openings`, by function, is theirs from now on. */
struct fth_loops *fth_loops_new(enum fth_opening_role *openings);
void fth_loops_free(struct fth_loops *loops); /* NULL is allowed */
/* Something came that is in no loop. */
void fth_loops_break(struct fth_loops *loops);
/* Does this call go on with such a loop? Then it is wanted call by call. */
bool fth_loops_expect(const struct fth_loops *loops, size_t thread, const struct fth_raw_call *raw);
/* It comes: `plain` if it leaves handles as they are, `by_itself` if it is known to come again by
 * itself. Returns what its call of the list becomes, which is filled in by others; NULL: it is not
 * in the list. */
struct fth_loop_call *fth_loops_follow(struct fth_loops *loops, size_t thread,
                                       const struct fth_raw_call *raw, bool plain, bool by_itself);
/* The place of the call that came last among those of its round: the same in each. */
uint32_t fth_loops_place(const struct fth_loops *loops);
/* A call of the list, so many before the next one, from 1. */
struct fth_loop_call *fth_loops_ago(struct fth_loops *loops, uint32_t ago);
/* May a round have ended with the call that came last, and is that worth a mark? */
bool fth_loops_may_end(struct fth_loops *loops);
/* Have the last two rounds been the same? `mark`: what is known now, compared with what was known
 * when it was asked last. */
bool fth_loops_go_round(struct fth_loops *loops, const struct fth_loop_mark *mark);
/* The round, as it stands in the trace. False: it is too long. */
bool fth_loops_read_round(struct fth_loops *loops, struct fth_read_round *round);

/* ---- between call_loops.c and opening_rounds.c ---- */

void fth_calls_know_loops(struct fth_calls *calls, enum fth_opening_role *openings);
/* May rounds come now? Then cursors and handles of the mark are filled in. */
bool fth_calls_mark(struct fth_calls *calls, struct fth_loop_mark *mark);
/* Takes as many rounds as come, into those of the turns. False: none. */
bool fth_calls_take_openings(struct fth_calls *calls);

#endif

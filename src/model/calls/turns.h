/* Turns that come again. A *turn* is an outermost call and the calls inside of it. A program that
 * repeats itself makes turns of the same signatures again and again, and most of what is to be
 * known of their calls was known when the first of them came: file, handles, the calls around. Who
 * goes through all calls of a process (the survey) may have them told apart by that: a call of a
 * turn that came before, while nothing has changed that it depends on, is the *site* of that turn's
 * call again, at another time and another place in its file.
 *
 * Only calls that are *plain* make such turns: those that move bytes, or seek, or ask, and leave
 * handles, views and operations as they are. Any other call begins a new *epoch*: what is known of
 * turns before it does not hold any more. Inner header of the model room. */
#ifndef FTH_MODEL_CALLS_TURNS_H
#define FTH_MODEL_CALLS_TURNS_H

#include "base/keyed.h"
#include "model/calls/again.h"
#include "model/reading/thread.h"

enum {
    FTH_MOST_TURN = 256,      /* calls in a turn that is remembered */
    FTH_MOST_SITES = 1 << 14, /* of a process */
    FTH_MOST_ALIKE = 1 << 10, /* calls that are given with the one before them */
};

struct fth_turn {
    uint32_t count;
    uint32_t first_site;     /* its calls, in order of entry, are this one and those behind it */
    uint64_t epoch, version; /* when it came; of the bindings of its thread */
    bool refused;
    uint32_t *exits;   /* by place in order of entry: that in order of exit */
    uint32_t *entries; /* and the other way round */
    uint32_t *arounds; /* by place in order of exit: that of the call around; `count`: none */
};

/* A call of a turn. */
struct fth_site {
    struct fth_access access; /* as it came last */
    uint32_t around;          /* the site around it; FTH_NO_SITE */
    struct fth_turn *turn;
    /* An access in one piece, which moves nothing but the place where it is made: those behind it,
     * of the same signature, are known when it is. */
    bool straight;
    bool placed; /* it says itself where that is */
};

struct fth_turns {
    bool *plain; /* by function */
    uint64_t epoch;
    struct fth_keyed known;  /* of struct fth_turn *, by the numbers of the signatures */
    struct fth_turn **alone; /* those of one call, by its number */
    uint32_t alone_limit;
    struct fth_site **sites;
    uint32_t site_count;
    uint32_t given; /* site of the call that was given last */
    /* the turn that is being gathered: signatures and depths, in order of exit, as long as all its
     * calls are plain */
    bool is_plain;
    uint32_t count, numbers[FTH_MOST_TURN], depths[FTH_MOST_TURN];
    /* the turn that comes again */
    const struct fth_turn *turn;
    const struct fth_raw_call *raw; /* its calls in order of exit */
    const struct fth_thread_reader *reader;
    struct fth_arena *arena;
    uint64_t first_number;
    /* calls in a row behind the turn, which is of one call: they are like it, each `step` bytes
     * further on */
    uint32_t alike_count;
    int64_t step;
    struct fth_again_time alike[FTH_MOST_ALIKE];
};

/* `plain`, by function, is theirs from now on. */
struct fth_turns *fth_turns_new(bool *plain);
void fth_turns_free(struct fth_turns *turns); /* NULL is allowed */
/* A turn of these signatures that came in this epoch, with these bindings; or NULL. */
const struct fth_turn *fth_turns_find(const struct fth_turns *turns, const uint32_t *numbers,
                                      uint32_t count, uint64_t version);
/* One has come, and its calls are about to be given one by one. `parents`, in order of entry: place
 * of the call around, or -1. NULL: it cannot be remembered. */
const struct fth_turn *fth_turns_note(struct fth_turns *turns, const uint32_t *numbers,
                                      const uint32_t *depths, uint32_t count, uint64_t version,
                                      const int64_t *parents);
/* Do these calls lie inside one another as those of the turn did? */
bool fth_turn_fits(const struct fth_turn *turn, const struct fth_raw_call *raw);

/* ---- between calls.c and access.c ---- */

/* By function: whether its calls leave handles, views, datatypes and operations as they are
 * (plain.c). The caller frees it. */
bool *fth_plain_functions(struct fth_accesses *accesses);

/* From now on fth_calls_next returns FTH_AGAIN for a turn that comes again. Of calls opened with
 * handles from the start on. */
void fth_calls_know_turns(struct fth_calls *calls, bool *plain);
struct fth_turns *fth_calls_turns(struct fth_calls *calls); /* NULL: nobody asked for them */
/* Brings the site of a call of the present turn up to date: times, result, values that change. */
void fth_calls_again(struct fth_calls *calls, uint32_t entry);

#endif

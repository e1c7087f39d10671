/* Turns that come again. A *turn* is an outermost call and the calls inside of it. A program that
 * repeats itself makes turns of the same signatures again and again, and most of what is to be
 * known of their calls was known when the first of them came: file, handles, the calls around. Who
 * goes through all calls of a process (the survey) may have them distinguished by that: a call of a
 * turn that came before, while nothing has changed that it depends on, is the *site* of that turn's
 * call again, at another time and another place in its file.
 *
 * Only calls that are *plain* make such turns: those that move bytes, or seek, or ask, and leave
 * handles, views and operations as they are. Any other call begins a new *generation*: what is
 * known of turns before it does not hold any more. Inner header of the model room. */
#ifndef FTH_MODEL_CALLS_TURNS_H
#define FTH_MODEL_CALLS_TURNS_H

#include "base/keyed.h"
#include "model/calls/again.h"
#include "model/reading/thread.h"

enum {
    FTH_MOST_TURN = 256,      /* calls in a turn that is remembered */
    FTH_MOST_SITES = 1 << 14, /* of a process */
};

struct fth_turn {
    uint32_t count;
    uint32_t first_site; /* its calls, in order of entry, are this one and those behind it */
    uint64_t generation, version; /* when it came; of the bindings of its thread */
    bool refused;
    bool of_round;     /* a place of a round of loops.h */
    uint32_t *exits;   /* by place in order of entry: that in order of exit */
    uint32_t *entries; /* and the other way round */
    uint32_t *arounds; /* by place in order of exit: that of the call around; `count`: none */
};

/* What is known of the calls of a site before they come, if each is a turn by itself: an access in
 * one piece, or none at all. */
enum fth_site_way {
    FTH_SITE_ODD, /* nothing */
    FTH_SITE_STILL,
    FTH_SITE_PLACED,      /* it says where it is */
    FTH_SITE_AT_POSITION, /* it is where its descriptor stands, and moves it on */
    FTH_SITE_SEEKS,       /* its result is where its descriptor stands then */
};

/* A call of a turn. */
struct fth_site {
    struct fth_access access; /* as it came last */
    uint32_t around;          /* the site around it; FTH_NO_SITE */
    struct fth_turn *turn;
    enum fth_site_way way;
    int64_t *position; /* of its descriptor */
    int place;         /* value that says where an access is */
};

/* What calls of a function do beyond what plain ones do. */
enum fth_opening_role {
    FTH_OPENS_NOTHING,  /* or who knows what */
    FTH_OPENS_HANDLE,   /* make one handle of a file, or a request for a message */
    FTH_CLOSES_HANDLES, /* give up one of a file, or requests that they have waited for */
};

/* What came last, by numbers, and whether that repeats itself: as many as `matching` came `period`
 * before, too. */
struct fth_repeats {
    uint32_t recent[FTH_MOST_ROUND];
    uint64_t count;
    uint32_t period, matching;
};
void fth_repeats_follow(struct fth_repeats *repeats, uint32_t number);
void fth_repeats_break(struct fth_repeats *repeats);
/* What came so many times ago, from 1. */
static inline uint32_t fth_repeats_ago(const struct fth_repeats *repeats, uint32_t ago)
{
    return repeats->recent[(repeats->count - ago) % FTH_MOST_ROUND];
}

struct fth_turns {
    bool *plain; /* by function */
    uint64_t generation;
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
    struct fth_repeats
        repeats;              /* of sites of turns, each of which was of one call and came again */
    struct fth_rounds rounds; /* behind the turn */
    struct fth_loops *loops;  /* NULL: nobody asked for them */
};

/* `plain`, by function, is theirs from now on. */
struct fth_turns *fth_turns_new(bool *plain);
void fth_turns_free(struct fth_turns *turns); /* NULL is allowed */
/* A turn of these signatures that came in this generation, with these bindings; or NULL. */
const struct fth_turn *fth_turns_find(const struct fth_turns *turns, const uint32_t *numbers,
                                      uint32_t count, uint64_t version);
/* One has come, and its calls are about to be given one by one. `parents`, in order of entry: place
 * of the call around, or -1. NULL: it cannot be remembered. */
const struct fth_turn *fth_turns_note(struct fth_turns *turns, const uint32_t *numbers,
                                      const uint32_t *depths, uint32_t count, uint64_t version,
                                      const int64_t *parents);

/* A call has come by itself, at this place of a round (loops.h): a turn that is
 * never found. NULL: it cannot be remembered. */
const struct fth_turn *fth_turns_note_place(struct fth_turns *turns, uint32_t number,
                                            uint32_t place, uint64_t version);

static inline bool fth_raw_fails(const struct fth_raw_call *raw)
{
    int result = raw->meaning->result;
    return result >= 0 && FTH_IS_FAILURE(raw->values[result]);
}

/* ---- rounds (rounds.c) ---- */

/* A turn of one call came again, or something else came. */
void fth_rounds_follow(struct fth_turns *turns, uint32_t site);
void fth_rounds_break(struct fth_turns *turns);
/* Does what came last repeat what came before? Then the rounds are empty, and begin. */
bool fth_rounds_begin(struct fth_turns *turns, uint64_t first_number);
/* Is this the next call of the rounds? Then it is taken. */
bool fth_rounds_take(struct fth_turns *turns, const struct fth_raw_call *raw, uint64_t version,
                     struct fth_again_time time);
/* Where cursors and descriptors stand at the end of a round, by place. */
struct fth_round_standing {
    int64_t ends[FTH_MOST_ROUND], views[FTH_MOST_ROUND], positions[FTH_MOST_ROUND];
};
void fth_rounds_note_standing(const struct fth_turns *turns, struct fth_thread_state *state,
                              struct fth_round_standing *standing);
/* The signatures of a round, whose calls need not be decoded; false: they have to be. */
bool fth_rounds_read(const struct fth_turns *turns, struct fth_read_round *round);
/* `count` more rounds move everything on as the last one did, between these two standings; false:
 * beyond what places are. */
bool fth_rounds_go_on(struct fth_turns *turns, struct fth_thread_state *state,
                      const struct fth_round_standing *before,
                      const struct fth_round_standing *last, uint32_t count);
/* Is `next`, which comes right behind the turn of `raw`, one that a row begins with, though it has
 * another signature: the same access, *step behind? Then it is taken. */
bool fth_rounds_lead(struct fth_turns *turns, const struct fth_raw_call *raw,
                     const struct fth_raw_call *next, uint64_t version, int64_t *step);
/* No more come. */
void fth_rounds_end(struct fth_turns *turns);

/* Do these calls lie inside one another as those of the turn did? */
bool fth_turn_fits(const struct fth_turn *turn, const struct fth_raw_call *raw);

/* ---- between calls.c and access.c ---- */

/* By function: whether its calls leave handles, views, datatypes and operations as they are
 * (plain.c). The caller frees it. */
bool *fth_plain_functions(struct fth_accesses *accesses);
/* By function: whether its calls open something, or close it, and leave everything else as it is
 * (plain.c). The caller frees it. */
enum fth_opening_role *fth_opening_functions(struct fth_accesses *accesses);

/* From now on fth_calls_next returns FTH_AGAIN for a turn that comes again. Of calls opened with
 * handles from the start on. */
void fth_calls_know_turns(struct fth_calls *calls, bool *plain);
struct fth_turns *fth_calls_turns(struct fth_calls *calls); /* NULL: nobody asked for them */
/* Brings the site of a call of the present turn up to date: times, result, values that change. */
void fth_calls_again(struct fth_calls *calls, uint32_t entry);
/* Takes the calls behind the turn into its rounds. What moves positions moves them. */
void fth_calls_rounds(struct fth_calls *calls);

#endif

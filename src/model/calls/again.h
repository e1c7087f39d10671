/* Accesses of a process whose *turns*, outermost calls with the calls inside of them, come again
 * and again: who goes through them may have those distinguished that are like some that came
 * before, but for times, numbers of bytes and places in files (turns.h). Such a call is the *site*
 * of that call again: it is about the same file, in the same calls. */
#ifndef FTH_MODEL_CALLS_AGAIN_H
#define FTH_MODEL_CALLS_AGAIN_H

#include <fathom/access.h>

#define FTH_NO_SITE UINT32_MAX
enum {
    FTH_AGAIN = 2,
    FTH_OPENED_AGAIN = 3,
    FTH_MOST_ROUND = 16,      /* calls of a round */
    FTH_MOST_BEHIND = 1 << 10 /* calls that are given with a turn */
};

/* When a call came, ns. */
struct fth_again_time {
    int64_t start, end;
};

/* Calls that come right behind a turn of one call, in no other and with none inside. They differ
 * from those that came before, at the same sites, in times and places only. Call number i is of
 * site i % period: these sites take turns, and one call of each is a round. */
struct fth_rounds {
    uint32_t count, period;
    uint32_t sites[FTH_MOST_ROUND];
    /* of accesses: the first byte of the first one of this site, and how far each is behind the one
     * before */
    struct fth_round_place {
        uint64_t first;
        int64_t step;
    } places[FTH_MOST_ROUND];
    /* while they are taken: the place of the next call in its round, how many rounds came before;
     * and by place the signature that was found to be its site's, plus 1 */
    uint32_t at, round;
    uint32_t known[FTH_MOST_ROUND];
    uint64_t version; /* of the bindings then */
    /* by place: the slot and class of the handle whose cursor it moves; class -1: it moves none */
    int32_t slots[FTH_MOST_ROUND], classes[FTH_MOST_ROUND];
    bool varies; /* signatures leave values to columns, so calls must be decoded */
    bool stays;  /* accesses are where they were when they came last: `places` is not filled in */
    /* of one site, and going on from the turn: of the same site, or of one that differs from it in
     * nothing but how far it is behind what came before */
    bool in_a_row;
    uint64_t first_number;
    /* of rounds of loops.h: how many handles each makes and ends, the number of the first one
     * that the last round made which came call by call, and how many rounds came since */
    uint64_t handles, first_handle, before;
    struct fth_again_time times[FTH_MOST_BEHIND];
};

/* From now on fth_accesses_next returns FTH_AGAIN, and no call, for a turn that comes again:
 * fth_accesses_again gives its calls. Must be asked for before the first call. */
void fth_accesses_know_turns(struct fth_accesses *accesses);
/* Who gets rounds: the last calls, so many, came twice, and may come again as rounds. Does he take
 * these? NULL: he does. */
struct fth_round_listener {
    bool (*takes)(void *context, uint32_t period);
    void *context;
};
/* The same for rounds that open files and close them again, that start messages and wait for them,
 * or that are of calls wanted one by one (fth_accesses_refuse_alone): fth_accesses_next returns
 * FTH_OPENED_AGAIN, and no call, when the last calls come again in rounds, which
 * fth_accesses_opened_again has then. They differ in times and in the numbers of the handles that
 * they make. Asked for behind fth_accesses_know_turns. */
void fth_accesses_know_openings(struct fth_accesses *accesses,
                                const struct fth_round_listener *listener);
const struct fth_rounds *fth_accesses_opened_again(const struct fth_accesses *accesses);
/* Leaves the call that came last handles as they are? What does not is a site in such rounds
 * only. */
bool fth_accesses_is_plain(const struct fth_accesses *accesses);
/* Of the call that came last: its site, and the one around it (FTH_NO_SITE: there is none). The
 * call of a site may come anew when a generation has begun; it is in another situation then. */
uint32_t fth_accesses_site(const struct fth_accesses *accesses, uint32_t *around);
/* The turn of the call that came last must not come again in this generation: it is wanted call by
 * call. */
void fth_accesses_refuse(struct fth_accesses *accesses);
/* It may come again only in rounds of fth_accesses_know_openings. */
void fth_accesses_refuse_alone(struct fth_accesses *accesses);
/* After FTH_AGAIN: how many calls the turn has, and its first site; those of the others follow, in
 * order of entry. */
uint32_t fth_accesses_turn(const struct fth_accesses *accesses, uint32_t *first_site);
/* Each of these calls, in order of entry, once. Until the next one fth_accesses_range gives its
 * ranges. */
const struct fth_access *fth_accesses_again(struct fth_accesses *accesses, uint32_t entry);
/* Takes the calls behind the turn, which is of one call and has been asked for, as far as they go
 * on in rounds; `count` 0: they do not. The next call is behind these. */
const struct fth_rounds *fth_accesses_rounds(struct fth_accesses *accesses);
/* Place in order of entry of the turn's call that is over as number `exit`, from 0. */
uint32_t fth_accesses_over(const struct fth_accesses *accesses, uint32_t exit);

/* Operations that the call which came last completes. */
const struct fth_operation *fth_accesses_completed(const struct fth_accesses *accesses,
                                                   size_t *count);

#endif

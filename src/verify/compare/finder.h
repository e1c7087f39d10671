/* Conflicts, held against the models one after the other, by one thread. Inner header of the verify
 * room. */
#ifndef FTH_VERIFY_COMPARE_FINDER_H
#define FTH_VERIFY_COMPARE_FINDER_H

#include "verify/compare/alone.h"
#include "verify/compare/compare.h"
#include "verify/compare/conflict.h"

enum { FTH_AT_ONCE = 64 };

/* What one thread has found. */
struct fth_finder {
    const struct fth_comparing *comparing;
    unsigned layers; /* whose accesses the conflicts at hand are between */
    struct fth_judge judge, possible;
    unsigned thread;
    bool has_violation; /* then: */
    bool is_synchronized;
    struct fth_judge synchronized;
    bool collectives_matter;          /* a violation would be none by that one */
    struct fth_verdict_model *counts; /* by model: only counts */
    struct fth_alone_finder alone;
    struct fth_groups groups, threads;
    /* Situations are all over the memory: while those of some conflicts are on their way from
     * there, others are judged. */
    struct fth_conflict waiting[FTH_AT_ONCE];
    size_t waiting_count;
    const struct fth_alike *alike;
    struct fth_alike_conflicts *judged; /* a small table of what was judged last */
};

/* `alike`: for the judge, and the one of what is possible, if there is one; it outlives the
 * finder. */
void fth_finder_open(struct fth_finder *finder, const struct fth_comparing *comparing,
                     const struct fth_alike *alike, unsigned thread);
/* The next conflicts are between accesses of these layers. */
void fth_finder_set_layers(struct fth_finder *finder, unsigned layers);
/* Who hears of conflicts. It may judge them later: before the layers change, or at
 * fth_finder_settle. */
struct fth_conflict_listener fth_finder_listener(struct fth_finder *finder);
void fth_finder_settle(struct fth_finder *finder);
/* Of a violation under the first model: would it be none if all collective calls were barriers?
 * `context` is the finder. */
void fth_finder_ask(void *context, uint32_t x, uint32_t y, bool ordered);
/* Adds what was found; returns whether collective calls matter. */
bool fth_finder_close(struct fth_finder *finder, struct fth_verdict_model *verdicts,
                      struct fth_groups *groups, struct fth_groups *threads);

#endif

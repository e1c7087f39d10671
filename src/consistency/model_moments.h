/* When a file system has to act that is to keep a consistency model: from the model's text to the
 * moments at which what a process wrote is published (others see it from then on) and at which it
 * fetches (sees what others published). The file system and its simulation act by these.
 *
 * A construct that begins "x po S" publishes at the calls of S, any other at each write; one that
 * ends "T po y" fetches at the calls of T, any other at each read. All constructs are kept. */
#ifndef FTH_CONSISTENCY_MODEL_MOMENTS_H
#define FTH_CONSISTENCY_MODEL_MOMENTS_H

#include "consistency/language.h"

enum fth_model_moment {
    FTH_AT_ACCESS = 1, /* at each write; at each read */
    FTH_AT_OPEN = 2,
    FTH_AT_CLOSE = 4,
    FTH_AT_SYNC = 8,
    /* of the file system only: */
    FTH_OF_RANKS = 16, /* at each access only of files that are not opened with MPI */
    FTH_AT_BOUND = 32, /* when it is old enough */
};

/* Bits of enum fth_model_moment, at least one of each. More of them would be right as well. */
struct fth_moments {
    unsigned publishes, fetches;
};

/* Of handles that are not in atomic mode. `none`: the moment where the model says none, as others
 * see a write at some time. */
struct fth_moments fth_moments_of(const struct fth_consistency *model, enum fth_model_moment none);
/* Does it depend on what only MPI knows: accesses that its library makes for other ranks, at times
 * of its own, or atomic mode? Below MPI all has to be published and fetched at each access then. */
bool fth_moments_are_of_ranks(const struct fth_consistency *model);

#endif

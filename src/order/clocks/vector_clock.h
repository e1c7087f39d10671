/* One vector clock: of each timeline, how many of its events came before. Inner header of the order
 * room.
 *
 * A clock is made of pieces, and clocks that follow each other share those in which nothing
 * changed: of a few thousand timelines, most of which have a few neighbours, a clock costs what it
 * differs in from the one before. */
#ifndef FTH_ORDER_CLOCKS_VECTOR_CLOCK_H
#define FTH_ORDER_CLOCKS_VECTOR_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FTH_CLOCK_SHIFT = 6, FTH_CLOCK_PIECE = 1 << FTH_CLOCK_SHIFT };

struct fth_clock_piece {
    uint32_t references;
    uint32_t known[FTH_CLOCK_PIECE];
};

struct fth_vector_clock {
    uint32_t references;
    struct fth_clock_piece *pieces[];
};

/* What clocks of as many timelines are made of; let go and used again. */
struct fth_clock_store {
    size_t piece_count;              /* of each clock */
    void *idle_clocks, *idle_pieces; /* lists */
};

void fth_clock_store_begin(struct fth_clock_store *store, size_t timelines);
void fth_clock_store_end(struct fth_clock_store *store);

/* Knows what `like` knows; NULL: nothing. It has one reference. */
struct fth_vector_clock *fth_clock_new(struct fth_clock_store *store,
                                       const struct fth_vector_clock *like);
struct fth_vector_clock *fth_clock_share(struct fth_vector_clock *clock);
void fth_clock_let_go(struct fth_clock_store *store, struct fth_vector_clock *clock);

/* `to` has one reference, and learns all that `from` knows. */
void fth_clock_join(struct fth_clock_store *store, struct fth_vector_clock *to,
                    const struct fth_vector_clock *from);
/* It learns that so many events of a timeline came before. */
void fth_clock_learn(struct fth_clock_store *store, struct fth_vector_clock *clock,
                     uint32_t timeline, uint32_t known);
/* Does `clock` know all that `other` knows, but for what it knows of `own`? */
bool fth_clock_covers(const struct fth_clock_store *store, const struct fth_vector_clock *clock,
                      const struct fth_vector_clock *other, uint32_t own);

static inline uint32_t fth_clock_known(const struct fth_vector_clock *clock, uint32_t timeline)
{
    return clock->pieces[timeline >> FTH_CLOCK_SHIFT]->known[timeline % FTH_CLOCK_PIECE];
}

#endif

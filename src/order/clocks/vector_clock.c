/* Clocks in pieces that are shared until they change. */
#include "order/clocks/vector_clock.h"
#include "base/memory.h"

#include <string.h>

/* ---- what was let go ---- */

static void *take_idle(void **list)
{
    void *first = *list;
    if (first)
        memcpy(list, first, sizeof *list);
    return first;
}

static void put_idle(void **list, void *memory)
{
    memcpy(memory, list, sizeof *list);
    *list = memory;
}

static void free_idle(void **list)
{
    for (void *idle; (idle = take_idle(list));)
        free(idle);
}

void fth_clock_store_begin(struct fth_clock_store *store, size_t timelines)
{
    *store = (struct fth_clock_store){.piece_count =
                                          (timelines + FTH_CLOCK_PIECE - 1) / FTH_CLOCK_PIECE};
}

void fth_clock_store_end(struct fth_clock_store *store)
{
    free_idle(&store->idle_clocks);
    free_idle(&store->idle_pieces);
}

/* ---- pieces ---- */

static struct fth_clock_piece *new_piece(struct fth_clock_store *store)
{
    struct fth_clock_piece *piece = take_idle(&store->idle_pieces);
    if (!piece)
        piece = fth_resize(NULL, 1, sizeof *piece);
    piece->references = 1;
    return piece;
}

static void let_piece_go(struct fth_clock_store *store, struct fth_clock_piece *piece)
{
    if (--piece->references == 0)
        put_idle(&store->idle_pieces, piece);
}

/* One that only this clock has. */
static struct fth_clock_piece *own_piece(struct fth_clock_store *store,
                                         struct fth_clock_piece **piece)
{
    if ((*piece)->references > 1) {
        struct fth_clock_piece *copy = new_piece(store);
        memcpy(copy->known, (*piece)->known, sizeof copy->known);
        (*piece)->references--;
        *piece = copy;
    }
    return *piece;
}

static bool knows_more(const struct fth_clock_piece *one, const struct fth_clock_piece *other)
{
    uint32_t more = 0;
    for (size_t i = 0; i < FTH_CLOCK_PIECE; i++)
        more |= one->known[i] > other->known[i];
    return more;
}

/* ---- clocks ---- */

struct fth_vector_clock *fth_clock_new(struct fth_clock_store *store,
                                       const struct fth_vector_clock *like)
{
    size_t size = sizeof(struct fth_vector_clock) + store->piece_count * sizeof(void *);
    struct fth_vector_clock *clock = take_idle(&store->idle_clocks);
    if (!clock)
        clock = fth_resize(NULL, 1, size < 2 * sizeof(void *) ? 2 * sizeof(void *) : size);
    clock->references = 1;
    struct fth_clock_piece *nothing = NULL;
    for (size_t i = 0; i < store->piece_count; i++) {
        if (!like && !nothing) {
            nothing = new_piece(store);
            memset(nothing->known, 0, sizeof nothing->known);
            nothing->references = 0;
        }
        clock->pieces[i] = like ? like->pieces[i] : nothing;
        clock->pieces[i]->references++;
    }
    return clock;
}

struct fth_vector_clock *fth_clock_share(struct fth_vector_clock *clock)
{
    clock->references++;
    return clock;
}

void fth_clock_let_go(struct fth_clock_store *store, struct fth_vector_clock *clock)
{
    if (!clock || --clock->references)
        return;
    for (size_t i = 0; i < store->piece_count; i++)
        let_piece_go(store, clock->pieces[i]);
    put_idle(&store->idle_clocks, clock);
}

void fth_clock_join(struct fth_clock_store *store, struct fth_vector_clock *to,
                    const struct fth_vector_clock *from)
{
    for (size_t i = 0; i < store->piece_count; i++) {
        struct fth_clock_piece *theirs = from->pieces[i];
        if (to->pieces[i] == theirs || !knows_more(theirs, to->pieces[i]))
            continue;
        if (!knows_more(to->pieces[i], theirs)) {
            let_piece_go(store, to->pieces[i]);
            to->pieces[i] = theirs;
            theirs->references++;
            continue;
        }
        uint32_t *mine = own_piece(store, &to->pieces[i])->known;
        for (size_t k = 0; k < FTH_CLOCK_PIECE; k++)
            mine[k] = mine[k] > theirs->known[k] ? mine[k] : theirs->known[k];
    }
}

void fth_clock_learn(struct fth_clock_store *store, struct fth_vector_clock *clock,
                     uint32_t timeline, uint32_t known)
{
    struct fth_clock_piece **piece = &clock->pieces[timeline >> FTH_CLOCK_SHIFT];
    if ((*piece)->known[timeline % FTH_CLOCK_PIECE] < known)
        own_piece(store, piece)->known[timeline % FTH_CLOCK_PIECE] = known;
}

bool fth_clock_covers(const struct fth_clock_store *store, const struct fth_vector_clock *clock,
                      const struct fth_vector_clock *other, uint32_t own)
{
    for (size_t i = 0; i < store->piece_count; i++) {
        const struct fth_clock_piece *mine = clock->pieces[i], *theirs = other->pieces[i];
        if (mine == theirs || !knows_more(theirs, mine))
            continue;
        if (i != own >> FTH_CLOCK_SHIFT)
            return false;
        for (size_t k = 0; k < FTH_CLOCK_PIECE; k++)
            if (k != own % FTH_CLOCK_PIECE && theirs->known[k] > mine->known[k])
                return false;
    }
    return true;
}

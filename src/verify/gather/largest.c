/* A tree in an array: the values are its leaves, in order, with zeros behind them up to a power of
 * two. */
#include "verify/gather/largest.h"

#include "base/memory.h"

struct fth_largest fth_largest_new(size_t count)
{
    struct fth_largest largest = {.count = count, .room = 1};
    while (largest.room < count)
        largest.room *= 2;
    largest.tree = fth_new(2 * largest.room, sizeof *largest.tree);
    return largest;
}

void fth_largest_free(struct fth_largest *largest)
{
    free(largest->tree);
}

void fth_largest_settle(struct fth_largest *largest)
{
    uint64_t *tree = largest->tree;
    for (size_t i = largest->room; i-- > 1;)
        tree[i] = tree[2 * i] > tree[2 * i + 1] ? tree[2 * i] : tree[2 * i + 1];
}

uint64_t fth_largest_in(const struct fth_largest *largest, size_t from, size_t to)
{
    const uint64_t *tree = largest->tree;
    uint64_t found = 0;
    for (from += largest->room, to += largest->room; from < to; from /= 2, to /= 2) {
        if (from & 1 && tree[from] > found)
            found = tree[from];
        if (to & 1 && tree[to - 1] > found)
            found = tree[to - 1];
        from += from & 1;
    }
    return found;
}

size_t fth_largest_first(const struct fth_largest *largest, size_t from, uint64_t than)
{
    const uint64_t *tree = largest->tree;
    size_t at = largest->room + from;
    if (from >= largest->count)
        return largest->count;
    while (tree[at] <= than) {
        while (at & 1) /* all below its parent has been looked at */
            at /= 2;
        if (at == 0)
            return largest->count;
        at++;
    }
    while (at < largest->room)
        at = 2 * at + (tree[2 * at] <= than);
    return at - largest->room;
}

/* The longest calls of a process, and of equally long ones the first: a heap, the shortest of which
 * goes when it is full. */
#include "overview/longest.h"

#include "base/memory.h"

#include <stdlib.h>

/* Does the first one go before the other? */
static bool is_less(const struct fth_overview_call *one, const struct fth_overview_call *other)
{
    int64_t mine = one->end - one->start, its = other->end - other->start;
    return mine != its ? mine < its : one->start > other->start;
}

static void swap(struct fth_overview_call *one, struct fth_overview_call *other)
{
    struct fth_overview_call kept = *one;
    *one = *other;
    *other = kept;
}

static void rise(struct fth_overview_longest *longest, size_t at)
{
    for (size_t above; at; at = above) {
        above = (at - 1) / 2;
        if (!is_less(&longest->calls[at], &longest->calls[above]))
            return;
        swap(&longest->calls[at], &longest->calls[above]);
    }
}

static void sink(struct fth_overview_longest *longest)
{
    for (size_t at = 0, least;; at = least) {
        least = 2 * at + 1;
        if (least >= longest->count)
            return;
        if (least + 1 < longest->count &&
            is_less(&longest->calls[least + 1], &longest->calls[least]))
            least++;
        if (!is_less(&longest->calls[least], &longest->calls[at]))
            return;
        swap(&longest->calls[least], &longest->calls[at]);
    }
}

void fth_overview_keep(struct fth_overview_longest *longest, const struct fth_overview_call *call)
{
    if (longest->count < longest->room) {
        FTH_GROW(longest->calls, longest->count);
        longest->calls[longest->count] = *call;
        rise(longest, longest->count++);
        return;
    }
    longest->left_out = true;
    if (!longest->room || !is_less(&longest->calls[0], call))
        return;
    longest->calls[0] = *call;
    sink(longest);
}

/* The longest calls of each function in a process, and of equally long ones the first: a heap for
 * each function, the shortest of which goes when it is full. All functions have the same room,
 * which is halved when there are too many calls in all. */
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

static void rise(struct fth_overview_heap *heap, size_t at)
{
    for (size_t above; at; at = above) {
        above = (at - 1) / 2;
        if (!is_less(&heap->calls[at], &heap->calls[above]))
            return;
        swap(&heap->calls[at], &heap->calls[above]);
    }
}

static void sink(struct fth_overview_heap *heap)
{
    for (size_t at = 0, least;; at = least) {
        least = 2 * at + 1;
        if (least >= heap->count)
            return;
        if (least + 1 < heap->count && is_less(&heap->calls[least + 1], &heap->calls[least]))
            least++;
        if (!is_less(&heap->calls[least], &heap->calls[at]))
            return;
        swap(&heap->calls[least], &heap->calls[at]);
    }
}

static void halve(struct fth_overview_longest *longest)
{
    longest->each /= 2;
    for (uint32_t i = 0; i < longest->limit; i++) {
        struct fth_overview_heap *heap = &longest->heaps[i];
        while (heap->count > longest->each) {
            heap->calls[0] = heap->calls[--heap->count];
            longest->count--;
            longest->left_out = true;
            sink(heap);
        }
    }
}

void fth_overview_keep(struct fth_overview_longest *longest, const struct fth_overview_call *call)
{
    longest->heaps =
        fth_reach(longest->heaps, &longest->limit, call->function, sizeof *longest->heaps);
    struct fth_overview_heap *heap = &longest->heaps[call->function];
    if (!longest->each)
        longest->each = longest->room ? longest->room : 1;
    if (heap->count < longest->each) {
        FTH_GROW(heap->calls, heap->count);
        heap->calls[heap->count] = *call;
        rise(heap, heap->count++);
        longest->count++;
        while (longest->count > longest->room && longest->each > 1)
            halve(longest);
        return;
    }
    longest->left_out = true;
    if (!is_less(&heap->calls[0], call))
        return;
    heap->calls[0] = *call;
    sink(heap);
}

void fth_overview_hand_over(struct fth_overview_longest *longest, struct fth_overview_call **calls,
                            size_t *count)
{
    for (uint32_t i = 0; i < longest->limit; i++) {
        for (size_t k = 0; k < longest->heaps[i].count; k++) {
            FTH_GROW(*calls, *count);
            (*calls)[(*count)++] = longest->heaps[i].calls[k];
        }
        free(longest->heaps[i].calls);
    }
    free(longest->heaps);
    longest->heaps = NULL;
    longest->limit = 0;
}

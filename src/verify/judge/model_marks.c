/* Sorts the marks of each set by file, thread and time. */
#include "verify/judge/model_marks.h"

#include "base/memory.h"

static int in_order(const void *a, const void *b)
{
    const struct fth_sync_mark *one = *(struct fth_sync_mark *const *)a;
    const struct fth_sync_mark *other = *(struct fth_sync_mark *const *)b;
    if (one->opening != other->opening)
        return one->opening < other->opening ? -1 : 1;
    if (one->in.timeline != other->in.timeline)
        return one->in.timeline < other->in.timeline ? -1 : 1;
    return one->ended < other->ended ? -1 : one->ended > other->ended;
}

/* Those of sorted marks that have none of them inside: of one file and thread each ends before the
 * next one begins. */
static struct fth_set_marks *inner_marks(const struct fth_set_marks *set)
{
    struct fth_set_marks *inner = fth_new(1, sizeof *inner);
    inner->marks = fth_new(set->count + 1, sizeof *inner->marks);
    for (size_t i = 0; i < set->count; i++) {
        const struct fth_sync_mark *mark = set->marks[i];
        const struct fth_sync_mark *last = inner->count ? inner->marks[inner->count - 1] : NULL;
        if (last && last->opening == mark->opening && last->in.timeline == mark->in.timeline &&
            last->began > mark->began)
            continue;
        inner->marks[inner->count++] = mark;
    }
    return inner;
}

static uint64_t place_of(uint32_t file, uint32_t timeline)
{
    return (uint64_t)file << 32 | timeline;
}

static void place_marks(struct fth_set_marks *set)
{
    set->places = fth_new(set->count + 1, sizeof *set->places);
    for (size_t i = 0; i < set->count; i++)
        set->places[i] = (struct fth_mark_place){
            place_of(set->marks[i]->opening, set->marks[i]->in.timeline), set->marks[i]->ended};
}

struct fth_set_marks fth_set_marks_of(const struct fth_run_accesses *accesses,
                                      const struct fth_consistency_set *set)
{
    struct fth_set_marks found = {0};
    const struct fth_sync_mark *last = NULL;
    bool last_is_in = false;
    for (size_t i = 0; i < accesses->mark_count; i++) {
        const struct fth_sync_mark *mark = &accesses->marks[i];
        if (!last || mark->function != last->function || mark->kind != last->kind) {
            last = mark;
            last_is_in = fth_consistency_set_has(set, mark->function, mark->kind);
        }
        if (!last_is_in)
            continue;
        FTH_GROW(found.marks, found.count);
        found.marks[found.count++] = mark;
    }
    if (found.count)
        qsort(found.marks, found.count, sizeof *found.marks, in_order);
    found.inner = inner_marks(&found);
    place_marks(&found);
    place_marks(found.inner);
    return found;
}

size_t fth_set_marks_from(const struct fth_set_marks *set, uint32_t file, uint32_t timeline,
                          uint32_t tick)
{
    const struct fth_mark_place *places = set->places;
    uint64_t of = place_of(file, timeline);
    size_t low = 0;
    for (size_t count = set->count; count;) {
        size_t half = count / 2, middle = low + half;
        bool before =
            places[middle].of < of || (places[middle].of == of && places[middle].ended < tick);
        low = before ? middle + 1 : low;
        count = before ? count - half - 1 : half;
    }
    return low;
}

static bool counts_for(const struct fth_sync_mark *mark, struct fth_marked of)
{
    return mark->handle == FTH_NO_OPENING || of.handle == FTH_NO_OPENING ||
           mark->handle == of.handle;
}

const struct fth_sync_mark *fth_set_marks_next(const struct fth_set_marks *set, size_t at,
                                               struct fth_marked of, uint32_t timeline,
                                               struct fth_mark_span span)
{
    uint64_t wanted = place_of(of.file, timeline);
    for (; at < set->count && set->places[at].of == wanted; at++) {
        const struct fth_sync_mark *mark = set->marks[at];
        uint32_t tick = mark->comes_last ? span.began : span.ended;
        if (counts_for(mark, of) && (mark->kind != FTH_MARK_OPERATION || mark->since > tick))
            return mark;
    }
    return NULL;
}

const struct fth_sync_mark *fth_set_marks_last(const struct fth_set_marks *set, size_t first,
                                               size_t end, struct fth_marked of)
{
    while (end > first)
        if (counts_for(set->marks[--end], of))
            return set->marks[end];
    return NULL;
}

void fth_set_marks_free(struct fth_set_marks *set)
{
    free(set->inner->marks);
    free(set->inner->places);
    free(set->inner);
    free(set->marks);
    free(set->places);
}

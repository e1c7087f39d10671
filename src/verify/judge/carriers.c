/* Four indexes: situations and marks by the collective call that they are in, openings by the one
 * that made them, and ranges by situation. */
#include "verify/judge/carriers.h"

#include "base/memory.h"

#include <string.h>

/* ---- calls by name ---- */

static int compare_call(const struct fth_situation *situation, uint32_t proc, uint32_t thread,
                        uint64_t call)
{
    if (situation->proc != proc)
        return situation->proc < proc ? -1 : 1;
    if (situation->thread != thread)
        return situation->thread < thread ? -1 : 1;
    return situation->first_call < call ? -1 : situation->first_call > call;
}

static int by_call(const void *a, const void *b, void *context)
{
    const struct fth_run_accesses *accesses = context;
    const struct fth_situation *other = &accesses->situations[*(const uint32_t *)b];
    return compare_call(&accesses->situations[*(const uint32_t *)a], other->proc, other->thread,
                        other->first_call);
}

static uint32_t find_call(const struct fth_carriers *carriers, uint32_t proc, uint32_t thread,
                          uint64_t call)
{
    size_t low = 0, high = carriers->call_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint32_t situation = carriers->call_index[middle];
        int order = compare_call(&carriers->accesses->situations[situation], proc, thread, call);
        if (order == 0)
            return situation;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return UINT32_MAX;
}

static void index_calls(struct fth_carriers *carriers)
{
    const struct fth_run_accesses *accesses = carriers->accesses;
    carriers->call_index = fth_new(accesses->situation_count + 1, sizeof(uint32_t));
    for (size_t i = 0; i < accesses->situation_count; i++)
        if (accesses->situations[i].together)
            carriers->call_index[carriers->call_count++] = (uint32_t)i;
    qsort_r(carriers->call_index, carriers->call_count, sizeof(uint32_t), by_call,
            (void *)accesses);
}

/* ---- openings by the call that made them ---- */

static int compare_open(const struct fth_opening *opening, uint32_t proc, uint32_t thread,
                        uint64_t call)
{
    if (opening->proc != proc)
        return opening->proc < proc ? -1 : 1;
    if (opening->thread != thread)
        return opening->thread < thread ? -1 : 1;
    return opening->call < call ? -1 : opening->call > call;
}

static int by_open(const void *a, const void *b, void *context)
{
    const struct fth_run_accesses *accesses = context;
    const struct fth_opening *other = &accesses->openings[*(const uint32_t *)b];
    return compare_open(&accesses->openings[*(const uint32_t *)a], other->proc, other->thread,
                        other->call);
}

static void index_opens(struct fth_carriers *carriers)
{
    const struct fth_run_accesses *accesses = carriers->accesses;
    carriers->opened_by = fth_new(accesses->opening_count + 1, sizeof(uint32_t));
    carriers->open_index = fth_new(accesses->opening_count + 1, sizeof(uint32_t));
    for (size_t i = 0; i < accesses->opening_count; i++)
        if (accesses->openings[i].by_mpi)
            carriers->open_index[carriers->open_count++] = (uint32_t)i;
    qsort_r(carriers->open_index, carriers->open_count, sizeof(uint32_t), by_open,
            (void *)accesses);
}

static void note_opened(struct fth_carriers *carriers, const struct fth_order_member *members,
                        size_t count)
{
    carriers->open_calls++;
    for (size_t i = 0; i < count; i++) {
        size_t low = 0, high = carriers->open_count;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            uint32_t opening = carriers->open_index[middle];
            int order = compare_open(&carriers->accesses->openings[opening],
                                     carriers->first_proc + members[i].proc, members[i].thread,
                                     members[i].call);
            if (order == 0)
                carriers->opened_by[opening] = carriers->open_calls;
            low = order < 0 ? middle + 1 : low;
            high = order < 0 ? high : middle;
        }
    }
}

bool fth_carriers_opened_together(const struct fth_carriers *carriers,
                                  const struct fth_situation *a, const struct fth_situation *b)
{
    if (a->handle == FTH_NO_OPENING || b->handle == FTH_NO_OPENING || a->handle == b->handle)
        return true;
    uint32_t opened_by = carriers->opened_by[a->handle];
    return opened_by && opened_by == carriers->opened_by[b->handle];
}

/* ---- marks by the call that they are in ---- */

static int compare_mark(const struct fth_sync_mark *mark, uint32_t proc, uint32_t thread,
                        uint64_t call)
{
    if (mark->proc != proc)
        return mark->proc < proc ? -1 : 1;
    if (mark->thread != thread)
        return mark->thread < thread ? -1 : 1;
    return mark->collective < call ? -1 : mark->collective > call;
}

static int by_collective(const void *a, const void *b, void *context)
{
    const struct fth_run_accesses *accesses = context;
    const struct fth_sync_mark *other = &accesses->marks[*(const uint32_t *)b];
    return compare_mark(&accesses->marks[*(const uint32_t *)a], other->proc, other->thread,
                        other->collective);
}

static void index_marks(struct fth_carriers *carriers)
{
    const struct fth_run_accesses *accesses = carriers->accesses;
    carriers->marks_known = accesses->mark_count;
    carriers->marked_by = fth_new(accesses->mark_count + 1, sizeof(uint32_t));
    carriers->mark_index = fth_new(accesses->mark_count + 1, sizeof(uint32_t));
    for (size_t i = 0; i < accesses->mark_count; i++)
        if (accesses->marks[i].collective != FTH_NO_CALL)
            carriers->mark_index[carriers->mark_count++] = (uint32_t)i;
    qsort_r(carriers->mark_index, carriers->mark_count, sizeof(uint32_t), by_collective,
            (void *)accesses);
}

static void note_marked(struct fth_carriers *carriers, const struct fth_order_member *members,
                        size_t count)
{
    const struct fth_sync_mark *marks = carriers->accesses->marks;
    carriers->mark_calls++;
    for (size_t i = 0; i < count; i++) {
        uint32_t proc = carriers->first_proc + members[i].proc;
        size_t low = 0, high = carriers->mark_count;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            bool before = compare_mark(&marks[carriers->mark_index[middle]], proc,
                                       members[i].thread, members[i].call) < 0;
            low = before ? middle + 1 : low;
            high = before ? high : middle;
        }
        for (; low < carriers->mark_count && compare_mark(&marks[carriers->mark_index[low]], proc,
                                                          members[i].thread, members[i].call) == 0;
             low++)
            carriers->marked_by[carriers->mark_index[low]] = carriers->mark_calls;
    }
}

bool fth_carriers_marked_together(const struct fth_carriers *carriers,
                                  const struct fth_sync_mark *a, const struct fth_sync_mark *b)
{
    size_t one = (size_t)(a - carriers->accesses->marks);
    size_t other = (size_t)(b - carriers->accesses->marks);
    return one < carriers->marks_known && other < carriers->marks_known &&
           carriers->marked_by[one] && carriers->marked_by[one] == carriers->marked_by[other];
}

/* ---- ranges by situation ---- */

/* Puts the numbers of items, of which situation_at gives whose they are, in order of situations. */
#define INDEX(first, index, items, item_count)                                                     \
    do {                                                                                           \
        size_t situations = carriers->accesses->situation_count;                                   \
        (first) = fth_new(situations + 2, sizeof(uint32_t));                                       \
        (index) = fth_new((item_count) + 1, sizeof(uint32_t));                                     \
        for (size_t i = 0; i < (item_count); i++)                                                  \
            (first)[(items)[i].situation + 2]++;                                                   \
        for (size_t i = 2; i < situations + 2; i++)                                                \
            (first)[i] += (first)[i - 1];                                                          \
        for (size_t i = 0; i < (item_count); i++)                                                  \
            (index)[(first)[(items)[i].situation + 1]++] = (uint32_t)i;                            \
    } while (0)

void fth_carriers_open(struct fth_carriers *carriers, const struct fth_run_accesses *accesses)
{
    *carriers = (struct fth_carriers){.accesses = accesses};
    carriers->group_of = fth_new(accesses->situation_count + 1, sizeof *carriers->group_of);
    FTH_GROW(carriers->first_member, carriers->group_count);
    carriers->first_member[0] = 0;
    index_calls(carriers);
    index_opens(carriers);
    index_marks(carriers);
    if (carriers->call_count == 0)
        return;
    INDEX(carriers->first_range, carriers->ranges, accesses->ranges, accesses->range_count);
    INDEX(carriers->first_series, carriers->series, accesses->series, accesses->series_count);
}

void fth_carriers_close(struct fth_carriers *carriers)
{
    free(carriers->group_of);
    free(carriers->first_member);
    free(carriers->members);
    free(carriers->opened_by);
    free(carriers->open_index);
    free(carriers->marked_by);
    free(carriers->mark_index);
    free(carriers->call_index);
    free(carriers->first_range);
    free(carriers->ranges);
    free(carriers->first_series);
    free(carriers->series);
}

void fth_carriers_together(void *context, const struct fth_order_member *members, size_t count)
{
    struct fth_carriers *carriers = context;
    uint32_t first = carriers->member_count;
    note_opened(carriers, members, count);
    note_marked(carriers, members, count);
    for (size_t i = 0; i < count && carriers->call_count; i++) {
        uint32_t situation = find_call(carriers, carriers->first_proc + members[i].proc,
                                       members[i].thread, members[i].call);
        if (situation == UINT32_MAX)
            continue;
        FTH_GROW(carriers->members, carriers->member_count);
        carriers->members[carriers->member_count++] = situation;
        carriers->group_of[situation] = carriers->group_count + 1;
    }
    if (carriers->member_count == first)
        return;
    carriers->group_count++;
    FTH_GROW(carriers->first_member, carriers->group_count);
    carriers->first_member[carriers->group_count] = carriers->member_count;
}

/* ---- whose bytes ---- */

/* The i-th piece of a situation: its ranges, then its series. */
static bool piece_of(const struct fth_carriers *carriers, uint32_t situation, size_t i,
                     struct fth_series *piece)
{
    size_t ranges = carriers->first_range[situation + 1] - carriers->first_range[situation];
    size_t series = carriers->first_series[situation + 1] - carriers->first_series[situation];
    if (i < ranges) {
        const struct fth_access_range *range =
            &carriers->accesses->ranges[carriers->ranges[carriers->first_range[situation] + i]];
        *piece = (struct fth_series){range->start, range->length, 0, 1, true};
        return true;
    }
    if (i - ranges >= series)
        return false;
    *piece =
        carriers->accesses->series[carriers->series[carriers->first_series[situation] + i - ranges]]
            .series;
    piece->one_call = true;
    return true;
}

static bool have_bytes_in_common(const struct fth_carriers *carriers, uint32_t a, uint32_t b)
{
    struct fth_series one, other;
    for (size_t i = 0; piece_of(carriers, a, i, &one); i++)
        for (size_t j = 0; piece_of(carriers, b, j, &other); j++)
            if (fth_series_pairs(&one, &other))
                return true;
    return false;
}

size_t fth_carriers_with(const struct fth_carriers *carriers, const struct fth_situation *situation,
                         const uint32_t **members)
{
    if (situation->carrier == FTH_NO_CALL || carriers->call_count == 0)
        return 0;
    uint32_t own = find_call(carriers, situation->proc, situation->thread, situation->carrier);
    uint32_t group = own == UINT32_MAX ? 0 : carriers->group_of[own];
    if (!group)
        return 0;
    *members = carriers->members + carriers->first_member[group - 1];
    return carriers->first_member[group] - carriers->first_member[group - 1];
}

size_t fth_carriers_of(const struct fth_carriers *carriers, const struct fth_situation *situation,
                       uint32_t **found)
{
    const uint32_t *members;
    size_t count = 0, all = fth_carriers_with(carriers, situation, &members);
    *found = NULL;
    for (size_t i = 0; i < all; i++) {
        uint32_t member = members[i];
        if (carriers->accesses->situations[member].proc == situation->proc ||
            !have_bytes_in_common(carriers, (uint32_t)(situation - carriers->accesses->situations),
                                  member))
            continue;
        FTH_GROW(*found, count);
        (*found)[count++] = member;
    }
    return count;
}

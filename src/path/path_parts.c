/* The critical path part by part: in which thread it was when. A path may change between threads
 * millions of times; then the shortest parts are left out, so that memory does not grow with the
 * run. */
#include "base/memory.h"
#include "path/run_flow.h"

enum { MOST_PARTS = 1 << 16, SHOWN = 1000 };

/* Twice as long as the shortest that was kept until now. */
static void leave_short_ones_out(struct fth_critical_parts *parts)
{
    size_t kept = 0;
    parts->least = parts->least ? parts->least * 2 : 1;
    for (size_t i = 0; i < parts->count; i++)
        if (parts->list[i].end - parts->list[i].begin >= parts->least)
            parts->list[kept++] = parts->list[i];
    parts->left_out += parts->count - kept;
    parts->count = kept;
}

void fth_path_note_part(struct fth_path *path, uint32_t timeline, int64_t begin, int64_t end)
{
    struct fth_critical_parts *parts = &path->results.parts;
    struct fth_critical_part *last = parts->count ? &parts->list[parts->count - 1] : NULL;
    if (end <= begin)
        return;
    if (last && last->timeline == timeline && last->begin == end) {
        last->begin = begin;
        return;
    }
    while (parts->count >= MOST_PARTS)
        leave_short_ones_out(parts);
    if (!parts->list)
        parts->list = fth_new(MOST_PARTS, sizeof *parts->list);
    parts->list[parts->count++] = (struct fth_critical_part){timeline, begin, end};
}

/* ---- the table ---- */

enum column { PROC, RANK, THREAD, START, DURATION };
static const struct fth_column columns[] = {
    {"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"rank", "rank", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    {"thread", "thread", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_SAME},
    {"start", "from", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"duration", "duration", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"critical_parts",
                                       "The critical path from thread to thread, longest parts",
                                       columns, sizeof columns / sizeof *columns, 0};

static int longest_first(const void *one, const void *other)
{
    const struct fth_critical_part *a = one, *b = other;
    int64_t mine = a->end - a->begin, its = b->end - b->begin;
    return mine != its ? (mine < its) - (mine > its)
                       : (a->begin > b->begin) - (a->begin < b->begin);
}

static int by_time(const void *one, const void *other)
{
    const struct fth_critical_part *a = one, *b = other;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

struct fth_table *fth_path_parts_table(const struct fth_path *path)
{
    struct fth_table *table = fth_table_new(&shape);
    const struct fth_critical_parts *parts = &path->results.parts;
    size_t count = parts->count < SHOWN ? parts->count : SHOWN;
    struct fth_critical_part *list = fth_new(parts->count + 1, sizeof *list);
    for (size_t i = 0; i < parts->count; i++)
        list[i] = parts->list[i];
    qsort(list, parts->count, sizeof *list, longest_first);
    qsort(list, count, sizeof *list, by_time);
    for (size_t i = 0; i < count; i++) {
        const struct fth_thread_timeline *timeline = &path->timelines[list[i].timeline];
        int64_t rank = fth_trace_process(path->trace, timeline->proc)->rank;
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, PROC, fth_cell_integer(timeline->proc));
        fth_table_set(table, row, RANK,
                      rank == FTH_NO_RANK ? fth_cell_null() : fth_cell_integer(rank));
        fth_table_set(table, row, THREAD, fth_cell_integer(timeline->thread));
        fth_table_set(table, row, START, fth_cell_integer(list[i].begin));
        fth_table_set(table, row, DURATION, fth_cell_integer(list[i].end - list[i].begin));
    }
    free(list);
    return table;
}

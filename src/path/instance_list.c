/* The collective calls of a run, as rows: added by communicator, taken in order of time. */
#include "base/memory.h"
#include "path/run_flow.h"

void fth_path_add_instance(struct fth_path *path, const struct fth_instance *instance)
{
    struct fth_rows *rows = &path->matches.instances;
    rows->columns = 4;
    if (!rows->count || path->matches.last_instance > instance->time) {
        FTH_GROW(path->matches.stretches, path->matches.stretch_count);
        path->matches.stretches[path->matches.stretch_count++] = rows->count;
    }
    path->matches.last_instance = instance->time;
    fth_rows_add(rows, (int64_t[]){(int64_t)instance->first, instance->count, instance->latest,
                                   instance->time});
}

static struct fth_instance instance_at(const struct fth_rows *rows, struct fth_rows_place *place,
                                       uint32_t i)
{
    const int64_t *row = fth_rows_at(rows, place, i);
    return (struct fth_instance){(size_t)row[0], (uint32_t)row[1], (uint32_t)row[2], row[3]};
}

static int by_time(const void *one, const void *other)
{
    const struct fth_instance *a = one, *b = other;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

static struct fth_instance *sorted_instances(const struct fth_rows *rows)
{
    struct fth_instance *all = fth_resize(NULL, rows->count, sizeof *all);
    struct fth_rows_place place = {0};
    for (uint32_t i = 0; i < rows->count; i++)
        all[i] = instance_at(rows, &place, i);
    fth_rows_leave(&place);
    qsort(all, rows->count, sizeof *all, by_time);
    return all;
}

/* Those of a communicator are mostly in order, and few communicators have many. */
enum { FEW_STRETCHES = 16 };
struct stretch {
    uint32_t at, end;
    struct fth_instance next;
    struct fth_rows_place place;
};

static void merge_stretches(const struct fth_path *path, fth_take_instance *take, void *context)
{
    const struct fth_rows *rows = &path->matches.instances;
    struct stretch all[FEW_STRETCHES] = {0};
    size_t count = path->matches.stretch_count;
    for (size_t k = 0; k < count; k++) {
        all[k].at = path->matches.stretches[k];
        all[k].end = k + 1 < count ? path->matches.stretches[k + 1] : rows->count;
        all[k].next = instance_at(rows, &all[k].place, all[k].at);
    }
    for (;;) {
        struct stretch *first = NULL;
        for (size_t k = 0; k < count; k++)
            if (all[k].at < all[k].end && (!first || by_time(&all[k].next, &first->next) < 0))
                first = &all[k];
        if (!first)
            break;
        take(context, &first->next);
        if (++first->at < first->end)
            first->next = instance_at(rows, &first->place, first->at);
    }
    for (size_t k = 0; k < count; k++)
        fth_rows_leave(&all[k].place);
}

void fth_path_each_instance(const struct fth_path *path, fth_take_instance *take, void *context)
{
    if (path->matches.stretch_count <= FEW_STRETCHES) {
        merge_stretches(path, take, context);
        return;
    }
    struct fth_instance *sorted = sorted_instances(&path->matches.instances);
    for (uint32_t i = 0; i < path->matches.instances.count; i++)
        take(context, &sorted[i]);
    free(sorted);
}

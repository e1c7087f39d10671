/* The order of accesses in time. Of threads that access a file one after the other the counts of
 * each are joined; of others each access comes by itself. */
#include "analysis/passes/in_time.h"

#include <stdlib.h>

void fth_in_time_count(struct fth_in_time *order, uint64_t next, uint64_t first, uint64_t accesses)
{
    uint64_t *kind = first == next  ? &order->consecutive
                     : first > next ? &order->ahead
                                    : &order->back;
    *kind += accesses;
}

void fth_in_time_add(struct fth_in_time *sum, const struct fth_in_time *more)
{
    sum->consecutive += more->consecutive;
    sum->ahead += more->ahead;
    sum->back += more->back;
}

static int by_time(const void *one, const void *other)
{
    const struct fth_in_time_span *a = one, *b = other;
    if (a->began != b->began)
        return a->began < b->began ? -1 : 1;
    if (a->proc != b->proc)
        return a->proc < b->proc ? -1 : 1;
    return (a->thread > b->thread) - (a->thread < b->thread);
}

static bool is_over(const struct fth_in_time_span *before, const struct fth_in_time_span *span,
                    fth_in_time_error *error, const void *context)
{
    int64_t apart = error(context, before->proc, span->proc), until;
    return !__builtin_add_overflow(before->ended, apart, &until) && until <= span->began;
}

void fth_in_time_join(struct fth_in_time_file *file, fth_in_time_error *error, const void *context)
{
    size_t count = file->span_count;
    file->mixed = count > FTH_IN_TIME_SPANS;
    if (file->mixed)
        return;
    qsort(file->spans, count, sizeof *file->spans, by_time);
    for (size_t i = 1; i < count && !file->mixed; i++)
        file->mixed = !is_over(&file->spans[i - 1], &file->spans[i], error, context);
    if (file->mixed)
        return;
    for (size_t i = 0; i < count; i++) {
        const struct fth_in_time_span *span = &file->spans[i];
        fth_in_time_count(&file->all, i ? file->spans[i - 1].next : span->first, span->first, 1);
        fth_in_time_add(&file->all, &span->order);
    }
    file->known = true;
}

static bool is_of(const struct fth_in_time_busy *busy, const struct fth_in_time_span *access)
{
    return busy->known && busy->proc == access->proc && busy->thread == access->thread;
}

static bool is_beside(const struct fth_in_time_busy *busy, const struct fth_in_time_span *access,
                      fth_in_time_error *error, const void *context)
{
    int64_t until;
    if (!busy->known || is_of(busy, access))
        return false;
    return __builtin_add_overflow(busy->until, error(context, busy->proc, access->proc), &until) ||
           until > access->began;
}

/* The longest, and the longest of another thread, stay known. */
static void be_busy(struct fth_in_time_file *file, const struct fth_in_time_span *access)
{
    struct fth_in_time_busy now = {access->ended, access->proc, access->thread, true},
                            *first = &file->busy[0], *second = &file->busy[1];
    bool longer = !first->known || now.until > first->until;
    if (is_of(first, access)) {
        first->until = longer ? now.until : first->until;
    } else if (longer) {
        *second = *first;
        *first = now;
    } else if (!second->known || now.until > second->until) {
        *second = now;
    }
}

void fth_in_time_next(struct fth_in_time_file *file, const struct fth_in_time_span *access,
                      fth_in_time_error *error, const void *context)
{
    fth_in_time_count(&file->all, file->begun ? file->next : access->first, access->first, 1);
    file->beside += is_beside(&file->busy[0], access, error, context) ||
                    is_beside(&file->busy[1], access, error, context);
    be_busy(file, access);
    file->begun = true;
    file->next = access->next;
}

void fth_in_time_free(struct fth_in_time_file *file)
{
    free(file->spans);
    free(file->procs);
}

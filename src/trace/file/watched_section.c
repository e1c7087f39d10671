/* Lists of what was only watched: written to the trace and read from there. */
#include "trace/file/watched_section.h"

#include "base/memory.h"

enum { LEAST_PROCESS = 11, LEAST_SPAN = 7, LEAST_COUNTED = 2 }; /* bytes */
#define MOST_CALLS (UINT64_C(1) << 48)                          /* sums of all items stay numbers */
#define MOST_NS (UINT64_C(1) << 60)
#define MOST_SINCE_1970 ((int64_t)1 << 62)

static void free_process(struct fth_watched_process *process)
{
    free(process->spans);
    free(process->counted);
    *process = (struct fth_watched_process){0};
}

void fth_watched_list_add(struct fth_watched_list *list, struct fth_watched_process *process)
{
    if (!process->span_count && !process->counted_count && !process->others) {
        free_process(process);
        return;
    }
    FTH_GROW(list->items, list->count);
    list->items[list->count++] = *process;
    *process = (struct fth_watched_process){0};
}

static int by_image(const void *one, const void *other)
{
    const struct fth_watched_process *a = one, *b = other;
    return (a->image > b->image) - (a->image < b->image);
}

const struct fth_watched_process *fth_watched_of(const struct fth_watched_list *list,
                                                 uint64_t image)
{
    const struct fth_watched_process wanted = {.image = image};
    return list->count ? bsearch(&wanted, list->items, list->count, sizeof wanted, by_image) : NULL;
}

void fth_watched_write(const struct fth_watched_list *list, struct fth_bytes *to)
{
    fth_bytes_varint(to, list->count);
    for (size_t i = 0; i < list->count; i++) {
        const struct fth_watched_process *process = &list->items[i];
        int64_t before = 0;
        uint64_t number = 0;
        fth_bytes_put(to, &process->image, sizeof process->image);
        fth_bytes_varint(to, process->others);
        fth_bytes_varint(to, process->counted_count);
        for (size_t k = 0; k < process->counted_count; k++) {
            fth_bytes_varint(to, process->counted[k].function);
            fth_bytes_varint(to, process->counted[k].calls);
        }
        fth_bytes_varint(to, process->span_count);
        for (size_t k = 0; k < process->span_count; k++) {
            const struct fth_watched_span *span = &process->spans[k];
            fth_bytes_varint(to, span->number - number);
            fth_bytes_signed(to, span->begin - before);
            fth_bytes_varint(to, (uint64_t)(span->end - span->begin));
            fth_bytes_varint(to, (uint64_t)span->how << 1 | span->is_open);
            fth_bytes_varint(to, span->time);
            fth_bytes_varint(to, span->recorded);
            fth_bytes_varint(to, span->calls);
            number = span->number;
            before = span->end;
        }
    }
}

static void read_span(struct fth_view *view, const struct fth_watched_span *before,
                      struct fth_watched_span *span)
{
    uint64_t more = fth_view_varint(view);
    int64_t gap = fth_view_signed(view);
    uint64_t lasted = fth_view_varint(view), how = fth_view_varint(view);
    span->time = fth_view_varint(view);
    span->recorded = fth_view_varint(view);
    span->calls = fth_view_varint(view);
    view->failed |= more > MOST_CALLS || before->number > MOST_CALLS || gap < -MOST_SINCE_1970 ||
                    gap > MOST_SINCE_1970 || lasted > MOST_NS || span->time > MOST_NS ||
                    span->recorded > span->time || span->calls > MOST_CALLS ||
                    how >> 1 < FTH_WATCHED_ONLY || how >> 1 > FTH_WATCHED_NO_PLACE;
    if (view->failed)
        return;
    span->number = before->number + more;
    view->failed |= __builtin_add_overflow(before->end, gap, &span->begin) || span->begin < 0 ||
                    span->begin > MOST_SINCE_1970;
    span->end = view->failed ? 0 : span->begin + (int64_t)lasted;
    view->failed |= span->end > MOST_SINCE_1970;
    span->how = (enum fth_watched_how)(how >> 1);
    span->is_open = how & 1;
}

static void read_process(struct fth_view *view, size_t functions,
                         struct fth_watched_process *process)
{
    const uint8_t *image = fth_view_bytes(view, sizeof process->image);
    if (image)
        memcpy(&process->image, image, sizeof process->image);
    process->others = fth_view_varint(view);
    uint64_t count = fth_view_count(view, LEAST_COUNTED);
    process->counted = fth_new(count + 1, sizeof *process->counted);
    for (; process->counted_count < count && !view->failed; process->counted_count++) {
        struct fth_counted_only *counted = &process->counted[process->counted_count];
        counted->function = fth_view_varint(view);
        counted->calls = fth_view_varint(view);
        view->failed |= counted->function >= functions || counted->calls > MOST_CALLS;
    }
    view->failed |= process->others > MOST_CALLS;
    count = fth_view_count(view, LEAST_SPAN);
    process->spans = fth_new(count + 1, sizeof *process->spans);
    for (; process->span_count < count && !view->failed; process->span_count++) {
        const struct fth_watched_span none = {0};
        size_t i = process->span_count;
        read_span(view, i ? &process->spans[i - 1] : &none, &process->spans[i]);
    }
}

int fth_watched_read(struct fth_watched_list *list, size_t functions, const void *bytes,
                     size_t length, struct fth_error **error)
{
    struct fth_view view = fth_view_of(bytes, length);
    uint64_t count = fth_view_count(&view, LEAST_PROCESS);
    list->items = fth_new(count + 1, sizeof *list->items);
    for (; list->count < count && !view.failed; list->count++)
        read_process(&view, functions, &list->items[list->count]);
    qsort(list->items, list->count, sizeof *list->items, by_image);
    return view.failed || view.at != view.end
               ? fth_fail(error, "it is truncated, too long, or has impossible numbers")
               : 0;
}

void fth_watched_list_free(struct fth_watched_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free_process(&list->items[i]);
    free(list->items);
    *list = (struct fth_watched_list){0};
}

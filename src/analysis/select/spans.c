/* Intervals are sorted and joined when their list is full. */
#include "analysis/select/spans.h"

#include "base/memory.h"

static int by_start(const void *one, const void *other)
{
    const struct fth_span *a = one, *b = other;
    return a->start < b->start ? -1 : a->start > b->start;
}

static void join(struct fth_spans *spans)
{
    size_t kept = 0;
    if (spans->count)
        qsort(spans->list, spans->count, sizeof *spans->list, by_start);
    for (size_t i = 0; i < spans->count; i++) {
        struct fth_span *last = kept ? &spans->list[kept - 1] : NULL;
        if (last && spans->list[i].start <= last->end)
            last->end = spans->list[i].end > last->end ? spans->list[i].end : last->end;
        else
            spans->list[kept++] = spans->list[i];
    }
    spans->count = kept;
}

void fth_spans_add(struct fth_spans *spans, int64_t start, int64_t end)
{
    if (spans->count == spans->limit) {
        join(spans);
        if (spans->count * 2 >= spans->limit) {
            spans->limit = spans->limit ? spans->limit * 2 : 16;
            spans->list = fth_resize(spans->list, spans->limit, sizeof *spans->list);
        }
    }
    spans->list[spans->count++] = (struct fth_span){start, end};
}

int64_t fth_spans_length(struct fth_spans *spans)
{
    int64_t length = 0;
    join(spans);
    for (size_t i = 0; i < spans->count; i++)
        length += spans->list[i].end - spans->list[i].start;
    return length;
}

void fth_spans_free(struct fth_spans *spans, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(spans[i].list);
    free(spans);
}

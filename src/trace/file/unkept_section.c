/* Lists of calls that were not kept: put together while processes are merged, written to the trace
 * and read from there. */
#include "trace/file/unkept_section.h"

#include "base/memory.h"

enum { LEAST_BYTES = 12, MOST_ERROR = 4095 }; /* of an item; of errno, as the kernel has it */
#define MOST_CALLS (UINT64_C(1) << 48)        /* sums of all items stay numbers */

void fth_unkept_add(struct fth_unkept_list *list, uint64_t image, const struct fth_unkept *unkept)
{
    if (!unkept->calls && !unkept->processes)
        return;
    for (size_t i = 0; i < list->count && !image; i++) {
        struct fth_unkept *known = &list->items[i].unkept;
        if (list->items[i].image)
            continue;
        known->calls += unkept->calls;
        known->processes += unkept->processes;
        known->uncounted |= unkept->uncounted;
        if (unkept->since < known->since) {
            known->since = unkept->since;
            known->error = unkept->error;
        }
        return;
    }
    FTH_GROW(list->items, list->count);
    list->items[list->count++] = (struct fth_unkept_of){image, *unkept};
}

const struct fth_unkept *fth_unkept_of(const struct fth_unkept_list *list, uint64_t image)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].image == image)
            return &list->items[i].unkept;
    return NULL;
}

void fth_unkept_write(const struct fth_unkept_list *list, struct fth_bytes *to)
{
    fth_bytes_varint(to, list->count);
    for (size_t i = 0; i < list->count; i++) {
        const struct fth_unkept *unkept = &list->items[i].unkept;
        fth_bytes_put(to, &list->items[i].image, sizeof list->items[i].image);
        fth_bytes_varint(to, unkept->calls);
        fth_bytes_varint(to, unkept->processes);
        fth_bytes_varint(to, (uint64_t)unkept->error << 1 | unkept->uncounted);
        fth_bytes_signed(to, unkept->since);
    }
}

int fth_unkept_read(struct fth_unkept_list *list, const void *bytes, size_t length,
                    struct fth_error **error)
{
    struct fth_view view = fth_view_of(bytes, length);
    uint64_t count = fth_view_count(&view, LEAST_BYTES);
    list->items = fth_new(count, sizeof *list->items);
    for (; list->count < count && !view.failed; list->count++) {
        struct fth_unkept_of *of = &list->items[list->count];
        const uint8_t *image = fth_view_bytes(&view, sizeof of->image);
        if (image)
            memcpy(&of->image, image, sizeof of->image);
        of->unkept.calls = fth_view_varint(&view);
        of->unkept.processes = fth_view_varint(&view);
        uint64_t why = fth_view_varint(&view);
        of->unkept.since = fth_view_signed(&view);
        view.failed |= why >> 1 > MOST_ERROR || of->unkept.calls > MOST_CALLS ||
                       of->unkept.processes > MOST_CALLS;
        of->unkept.error = (int)(why >> 1 & MOST_ERROR);
        of->unkept.uncounted = why & 1;
    }
    return view.failed || view.at != view.end ? fth_fail(error, "it is truncated or too long") : 0;
}

void fth_unkept_free(struct fth_unkept_list *list)
{
    free(list->items);
    *list = (struct fth_unkept_list){0};
}

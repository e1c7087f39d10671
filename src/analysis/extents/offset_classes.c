/* Offsets in classes. Accesses in equal steps are counted class by class. */
#include "analysis/extents/offset_classes.h"

#include "base/memory.h"
#include "base/value_class.h"

#include <stdlib.h>

/* How many of them are in the class of the first. */
static uint64_t alike(uint64_t first, int64_t step, uint64_t calls)
{
    uint32_t class = fth_value_class(first);
    uint64_t begin = fth_value_class_begin(class),
             last = fth_value_class_begin(class + 1) - 1, /* of the last class, too: 2^64 - 1 */
        room = step > 0 ? last - first : first - begin,
             size = step > 0 ? (uint64_t)step : -(uint64_t)step;
    return !step || room / size >= calls ? calls : room / size + 1;
}

void fth_offset_classes_put(struct fth_offset_classes *offsets, uint32_t function, uint64_t first,
                            int64_t step, uint64_t calls)
{
    offsets->classes =
        fth_reach(offsets->classes, &offsets->limit, function, sizeof *offsets->classes);
    uint64_t **classes = &offsets->classes[function];
    if (!*classes)
        *classes = fth_new(FTH_VALUE_CLASSES, sizeof **classes);
    while (calls) {
        uint64_t some = alike(first, step, calls);
        (*classes)[fth_value_class(first)] += some;
        first += some * (uint64_t)step;
        calls -= some;
    }
}

void fth_offset_classes_merge(struct fth_offset_classes *into, struct fth_offset_classes *from)
{
    for (uint32_t i = 0; i < from->limit; i++) {
        uint64_t *more = from->classes[i];
        if (!more)
            continue;
        into->classes = fth_reach(into->classes, &into->limit, i, sizeof *into->classes);
        if (!into->classes[i]) {
            into->classes[i] = more;
            continue;
        }
        for (size_t class = 0; class < FTH_VALUE_CLASSES; class ++)
            into->classes[i][class] += more[class];
        free(more);
    }
    free(from->classes);
    *from = (struct fth_offset_classes){0};
}

void fth_offset_classes_free(struct fth_offset_classes *offsets)
{
    for (uint32_t i = 0; i < offsets->limit; i++)
        free(offsets->classes[i]);
    free(offsets->classes);
    *offsets = (struct fth_offset_classes){0};
}

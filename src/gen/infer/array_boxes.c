/* The strides of all processes, from the widest to the element, are the rows, planes and so on of
 * the array: each has to be a multiple of the next. How far a nest is from the begin of the array
 * says at which index it begins in each dimension; how often it repeats at a stride is how many
 * indices it has there; its run is all of the dimensions that are narrower than it is long. */
#include "gen/infer/array_boxes.h"

#include "base/memory.h"

#include <string.h>

enum { BYTES_OF_ONE = 1 };

struct rows {
    int64_t strides[FTH_GEN_MOST_LENGTHS]; /* bytes, the widest first; the last is an element */
    unsigned count;
};

/* false: there are too many. */
static bool add_stride(struct rows *rows, int64_t stride)
{
    unsigned at = 0;
    while (at < rows->count && rows->strides[at] > stride)
        at++;
    if (at < rows->count && rows->strides[at] == stride)
        return true;
    if (rows->count == FTH_GEN_MOST_LENGTHS || stride < 1)
        return false;
    memmove(rows->strides + at + 1, rows->strides + at, (rows->count - at) * sizeof stride);
    rows->strides[at] = stride;
    rows->count++;
    return true;
}

static bool form_rows(struct rows *rows, const struct fth_gen_space *space, bool of_program,
                      const struct fth_gen_nest_of *members, size_t count, int64_t item)
{
    bool fits = add_stride(rows, item);
    for (size_t i = 0; i < count; i++)
        for (unsigned j = 0; j < members[i].nest->levels; j++)
            fits = fits && add_stride(rows, members[i].nest->level[j].stride);
    int64_t stride = item;
    for (unsigned d = of_program ? space->rank : 0; fits && d-- > 1;)
        fits = add_stride(rows, stride *= space->extent[d]);
    for (unsigned i = 0; fits && i + 1 < rows->count; i++)
        fits = rows->strides[i] % rows->strides[i + 1] == 0;
    return fits;
}

/* The type of all of them, whose bytes divide all places; of an array of a library, by its size. */
static const struct fth_gen_type *type_of(const struct fth_gen_space *space,
                                          const struct fth_gen_nest_of *members, size_t count,
                                          bool *known)
{
    static const struct {
        uint64_t bytes;
        const char *name;
    } by_size[] = {{8, "double"}, {4, "float"}, {2, "short"}};
    const struct fth_gen_type *type = members[0].nest->type;
    for (size_t i = 1; i < count; i++)
        type = members[i].nest->type == type ? type : NULL;
    *known = type != NULL;
    if (type)
        return type;
    for (size_t i = 0; space->rank && i < sizeof by_size / sizeof *by_size; i++)
        if (space->item == by_size[i].bytes)
            return fth_gen_type_find(by_size[i].name);
    return fth_gen_type_find("byte");
}

static bool divides(int64_t item, int64_t base, const struct fth_gen_nest_of *members, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct fth_gen_nest *nest = members[i].nest;
        if ((nest->at - base) % item || nest->length % item)
            return false;
        for (unsigned j = 0; j < nest->levels; j++)
            if (nest->level[j].stride % item)
                return false;
    }
    return true;
}

/* What a nest has of each dimension; false: it is no part of an array with these rows. */
static bool place(const struct rows *rows, const int64_t *lengths, int64_t base,
                  const struct fth_gen_nest *nest, struct fth_gen_owned *owned)
{
    int64_t left = nest->at - base;
    unsigned run = 0;
    for (unsigned k = 0; k < rows->count; k++) {
        owned->start[k] = left / rows->strides[k];
        owned->count[k] = 1;
        left %= rows->strides[k];
    }
    while (rows->strides[run] > nest->length)
        run++;
    if (nest->length % rows->strides[run])
        return false;
    owned->count[run] = nest->length / rows->strides[run];
    for (unsigned k = run + 1; k < rows->count; k++) {
        if (owned->start[k])
            return false;
        owned->count[k] = lengths[k];
    }
    for (unsigned j = 0; j < nest->levels; j++) {
        unsigned k = 0;
        while (rows->strides[k] != nest->level[j].stride)
            k++;
        if (k >= run)
            return false;
        owned->count[k] = nest->level[j].count;
    }
    for (unsigned k = 0; k < rows->count; k++)
        if (owned->start[k] + owned->count[k] > lengths[k])
            return false;
    return true;
}

/* Lengths of all dimensions; the first one is as long as it has to be. */
static void measure(const struct rows *rows, int64_t base, int64_t behind, int64_t *lengths)
{
    lengths[0] = (behind - base + rows->strides[0] - 1) / rows->strides[0];
    for (unsigned k = 1; k < rows->count; k++)
        lengths[k] = rows->strides[k - 1] / rows->strides[k];
}

static bool place_all(const struct rows *rows, const struct fth_gen_nest_of *members, size_t count,
                      struct fth_gen_array *array)
{
    for (size_t i = 0; i < count; i++) {
        array->owned[i].rank = members[i].rank;
        array->owned[i].piece = members[i].piece;
        if (members[i].piece >= array->pieces)
            array->pieces = members[i].piece + 1;
        if (!place(rows, array->length, array->base, members[i].nest, &array->owned[i]))
            return false;
    }
    return true;
}

/* Is dimension k all there in each part? */
static bool is_whole(const struct fth_gen_array *array, unsigned k)
{
    for (size_t i = 0; i < array->owned_count; i++)
        if (array->owned[i].count[k] != array->length[k])
            return false;
    return true;
}

/* Dimension k + 1 becomes a part of dimension k. */
static void melt(struct fth_gen_array *array, unsigned k)
{
    int64_t of = array->length[k + 1];
    size_t behind = (array->dimensions - k - 2) * sizeof(int64_t);
    array->length[k] *= of;
    memmove(array->length + k + 1, array->length + k + 2, behind);
    for (size_t i = 0; i < array->owned_count; i++) {
        struct fth_gen_owned *owned = &array->owned[i];
        owned->start[k] = owned->start[k] * of;
        owned->count[k] = owned->count[k] * of;
        memmove(owned->start + k + 1, owned->start + k + 2, behind);
        memmove(owned->count + k + 1, owned->count + k + 2, behind);
    }
    array->dimensions--;
}

/* A dimension of one index in front says nothing. */
static void drop_first(struct fth_gen_array *array)
{
    size_t behind = (array->dimensions - 1) * sizeof(int64_t);
    memmove(array->length, array->length + 1, behind);
    for (size_t i = 0; i < array->owned_count; i++) {
        memmove(array->owned[i].start, array->owned[i].start + 1, behind);
        memmove(array->owned[i].count, array->owned[i].count + 1, behind);
    }
    array->dimensions--;
}

/* Dimensions that nobody divides are one with those in front of them. */
static void simplify(struct fth_gen_array *array)
{
    for (unsigned k = array->dimensions - 1; k-- > 0;)
        if (is_whole(array, k + 1))
            melt(array, k);
    while (array->dimensions > 1 && array->length[0] == 1)
        drop_first(array);
}

static bool has_shape_of(const struct fth_gen_array *array, const struct fth_gen_space *space)
{
    return array->dimensions == space->rank &&
           !memcmp(array->length, space->extent, space->rank * sizeof *space->extent);
}

/* Of a library: all of its array, with the dimensions that the program gave it, if these fit. */
static bool try_space(const struct fth_gen_space *space, bool of_program,
                      const struct fth_gen_nest_of *members, size_t count,
                      struct fth_gen_array *array)
{
    struct rows rows = {0};
    int64_t all = (int64_t)space->item;
    for (unsigned d = 0; d < space->rank; d++)
        all *= space->extent[d];
    array->base = 0;
    array->pieces = 0;
    if (!form_rows(&rows, space, of_program, members, count, (int64_t)space->item))
        return false;
    array->dimensions = rows.count;
    measure(&rows, 0, all, array->length);
    array->bytes = array->length[0] * rows.strides[0];
    /* A first dimension of one index has no stride of its own. */
    bool fits = array->bytes == all && place_all(&rows, members, count, array);
    if (!fits)
        return false;
    array->reshaped = !has_shape_of(array, space);
    if (array->reshaped && !of_program)
        simplify(array);
    return true;
}

static bool try_bytes(int64_t item, int64_t base, int64_t behind,
                      const struct fth_gen_nest_of *members, size_t count,
                      struct fth_gen_array *array)
{
    struct rows rows = {0};
    array->base = base;
    array->pieces = 0;
    if (!form_rows(&rows, NULL, false, members, count, item))
        return false;
    array->dimensions = rows.count;
    measure(&rows, base, behind, array->length);
    array->bytes = array->length[0] * rows.strides[0];
    if (!place_all(&rows, members, count, array))
        return false;
    simplify(array);
    return true;
}

static bool try_all(const struct fth_gen_space *space, const struct fth_gen_nest_of *members,
                    size_t count, int64_t floor, struct fth_gen_array *array)
{
    int64_t first = INT64_MAX, behind = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t end = fth_gen_nest_end(members[i].nest);
        first = members[i].nest->at < first ? members[i].nest->at : first;
        behind = end > behind ? end : behind;
    }
    if (space->rank)
        return try_space(space, true, members, count, array) ||
               try_space(space, false, members, count, array);
    int64_t item = (int64_t)array->type->bytes;
    if (!divides(item, first, members, count)) {
        array->type = fth_gen_type_find("byte");
        array->type_known = false;
        item = BYTES_OF_ONE;
    }
    return try_bytes(item, first, behind, members, count, array) ||
           (floor < first && divides(item, floor, members, count) &&
            try_bytes(item, floor, behind, members, count, array));
}

const char *fth_gen_boxes_find(const struct fth_gen_recorded_file *file,
                               const struct fth_gen_nest_of *members, size_t count, int64_t floor,
                               struct fth_gen_array *array)
{
    const struct fth_gen_space *space = &file->spaces[members[0].nest->space];
    if (count > FTH_GEN_MOST_PARTS)
        return "it has more parts than can be written down";
    *array = (struct fth_gen_array){.space = members[0].nest->space,
                                    .owned = fth_new(count, sizeof *array->owned),
                                    .owned_count = count};
    array->type = type_of(space, members, count, &array->type_known);
    if (try_all(space, members, count, floor, array))
        return NULL;
    free(array->owned);
    array->owned = NULL;
    return "the parts of processes do not fit into one array";
}

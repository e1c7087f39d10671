/* Writing shapes: section SHAP.
 *
 * Where every process has a shape of its own, as most ranks of a program have because of what MPI
 * did in a few calls at its start, rows of one number each would be all that is left of columns. So
 * shapes of few members that are kin are a *group*: they share columns (column_keys.h), and each of
 * them but the first is described by where it differs from the one before. */
#include "trace/columns/compress.h"
#include "trace/file/shapes.h"

#include "base/memory.h"
#include "trace/file/shape_edits.h"
#include "trace/record/format.h"

enum { FEW = 16 }; /* members: with more of them, a shape has columns of its own */

/* A number of a shared column; `member`: of the group. */
struct shared {
    uint32_t key, member;
    int64_t number;
};

/* One way to write a group. */
struct attempt {
    enum fth_sharing sharing;
    struct fth_column_keys known;
    struct fth_intern shapes; /* of the group */
    uint32_t *column_counts;  /* of each */
    struct shared *shared;
    size_t shared_count;
    uint32_t *things, *shape_of; /* of each thing */
    uint32_t thing_count;
    struct fth_bytes shapes_written, columns_written;
};

struct writing {
    const struct fth_shapes *shapes;
    const struct fth_shape_terms *terms; /* NULL: nothing is shared */
    struct fth_column_writer columns;
    struct fth_bytes *to;
    uint32_t *group_of; /* by shape: number of its group + 1; 0: it is in none */
    struct attempt *groups;
    uint32_t group_count, shape_count; /* shapes: in the section */
    int64_t *shape_of;                 /* by thing: in the section */
    uint64_t numbers;                  /* in shared columns */
};

/* Groups: shapes with few members that are kin. */
static void find_groups(struct writing *writing)
{
    const struct fth_shapes *shapes = writing->shapes;
    struct fth_intern kin = {0};
    struct fth_bytes key = {0};
    for (uint32_t i = 0; i < shapes->names.count; i++) {
        size_t length;
        const uint8_t *shape = fth_interned(&shapes->names, i, &length);
        if (shapes->shapes[i].member_count > FEW)
            continue;
        key.length = 0;
        fth_shape_kin(shape, length, &key);
        writing->group_of[i] = fth_intern(&kin, key.data, key.length) + 1;
    }
    writing->group_count = kin.count;
    writing->groups = fth_new(kin.count, sizeof *writing->groups);
    fth_intern_free(&kin);
    fth_bytes_free(&key);
}

static void free_attempt(struct attempt *attempt)
{
    fth_column_keys_free(&attempt->known);
    fth_intern_free(&attempt->shapes);
    free(attempt->column_counts);
    free(attempt->shared);
    free(attempt->things);
    free(attempt->shape_of);
    fth_bytes_free(&attempt->shapes_written);
    fth_bytes_free(&attempt->columns_written);
    *attempt = (struct attempt){0};
}

/* A member of a group: what it shares, and what is left of its shape. False: the bytes of the shape
 * are not what they should be. */
static bool share(const struct writing *writing, struct attempt *attempt, uint32_t number,
                  uint32_t thing, const int64_t *row)
{
    uint32_t columns = writing->shapes->shapes[number].column_count;
    struct fth_keyed_shape keyed;
    size_t length;
    const uint8_t *bytes = fth_interned(&writing->shapes->names, number, &length);
    bool good = fth_shape_key(&attempt->known, attempt->sharing, writing->terms, bytes, length,
                              columns, row, &keyed);
    if (keyed.bytes.length) {
        bytes = keyed.bytes.data;
        length = keyed.bytes.length;
    }
    uint32_t before = attempt->shapes.count, shape = fth_intern(&attempt->shapes, bytes, length);
    if (shape == before) {
        FTH_GROW(attempt->column_counts, before);
        attempt->column_counts[shape] = columns;
    }
    uint32_t count = attempt->thing_count;
    FTH_GROW(attempt->things, count);
    FTH_GROW(attempt->shape_of, count);
    attempt->things[count] = thing;
    attempt->shape_of[attempt->thing_count++] = shape;
    for (uint32_t i = 0; i < columns; i++) {
        if (keyed.keys[i] == FTH_NO_KEY)
            continue;
        FTH_GROW(attempt->shared, attempt->shared_count);
        attempt->shared[attempt->shared_count++] = (struct shared){keyed.keys[i], count, row[i]};
    }
    fth_keyed_shape_free(&keyed);
    return good;
}

/* All members of a shape. */
static bool share_shape(const struct writing *writing, struct attempt *attempt, uint32_t number)
{
    const struct fth_process_shape *shape = &writing->shapes->shapes[number];
    uint32_t members = shape->member_count, *things = fth_shape_things(shape);
    int64_t *numbers = fth_new((size_t)members * shape->column_count, sizeof *numbers),
            *row = fth_new(shape->column_count, sizeof *row);
    bool good = true;
    for (uint32_t k = 0; k < shape->column_count; k++)
        fth_lines_list(&shape->columns[k], things, numbers + (size_t)k * members);
    for (uint32_t i = 0; i < members && good; i++) {
        for (uint32_t k = 0; k < shape->column_count; k++)
            row[k] = numbers[(size_t)k * members + i];
        good = share(writing, attempt, number, things[i], row);
    }
    free(things);
    free(numbers);
    free(row);
    return good;
}

static uint32_t key_of(const struct shared *shared)
{
    return shared->key;
}

static uint32_t member_of(const struct shared *shared)
{
    return shared->member;
}

/* By numbers below `limit`. Those of the same number stay in order. */
static void sort_by(uint32_t (*number_of)(const struct shared *), uint32_t limit,
                    struct attempt *attempt)
{
    size_t *next = fth_new((size_t)limit + 1, sizeof *next), count = attempt->shared_count;
    struct shared *shared = attempt->shared, *sorted = fth_new_rows(count, sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        next[number_of(&shared[i]) + 1]++;
    for (uint32_t i = 0; i < limit; i++)
        next[i + 1] += next[i];
    for (size_t i = 0; i < count; i++)
        sorted[next[number_of(&shared[i])]++] = shared[i];
    free(next);
    free(shared);
    attempt->shared = sorted;
}

static int by_thing(const void *one, const void *other)
{
    uint32_t a = **(const uint32_t *const *)one, b = **(const uint32_t *const *)other;
    return a < b ? -1 : a > b;
}

/* Members get their numbers in order of things, and numbers come in order of keys, then of members:
 * those of one member are in order of its row already. The things, by member. */
static uint32_t *sort_shared(struct attempt *attempt)
{
    uint32_t count = attempt->thing_count, *number = fth_new(count, sizeof *number),
             *things = fth_new(count, sizeof *things);
    const uint32_t **order = fth_new(count, sizeof(uint32_t *));
    for (uint32_t i = 0; i < count; i++)
        order[i] = &attempt->things[i];
    if (count)
        qsort(order, count, sizeof(uint32_t *), by_thing);
    for (uint32_t i = 0; i < count; i++) {
        number[order[i] - attempt->things] = i;
        things[i] = *order[i];
    }
    for (size_t i = 0; i < attempt->shared_count; i++)
        attempt->shared[i].member = number[attempt->shared[i].member];
    sort_by(member_of, count, attempt);
    sort_by(key_of, attempt->known.count, attempt);
    free(number);
    free(order);
    return things;
}

/* Numbers of one process are counted, those of several go by process. */
static void put_shared_columns(struct writing *writing, struct attempt *attempt)
{
    uint32_t *thing_of = sort_shared(attempt);
    size_t count = attempt->shared_count;
    const struct shared *shared = attempt->shared;
    bool alone = attempt->sharing == FTH_SHARES_WITH_ITSELF;
    uint32_t *things = fth_new(count, sizeof *things);
    int64_t *numbers = fth_new(count, sizeof *numbers);
    struct fth_lines lines = {0};
    for (size_t first = 0, end; first < count; first = end) {
        uint32_t members = lines.count = 0;
        for (end = first; end < count && shared[end].key == shared[first].key; end++) {
            things[members] = alone ? members : thing_of[shared[end].member];
            numbers[members] = shared[end].number;
            fth_lines_add(&lines, (struct fth_line){1, things[members], numbers[members], 0});
            members++;
        }
        fth_shape_column_put(&writing->columns, &(struct fth_listed){things, numbers, members},
                             &lines, &attempt->columns_written);
    }
    fth_lines_free(&lines);
    free(things);
    free(numbers);
    free(thing_of);
}

/* Each but the first is described by the one before. */
static void put_group_shapes(struct attempt *attempt, uint32_t group)
{
    for (uint32_t i = 0; i < attempt->shapes.count; i++) {
        size_t length, length_before = 0;
        const uint8_t *before = i ? fth_interned(&attempt->shapes, i - 1, &length_before) : NULL;
        const uint8_t *shape = fth_interned(&attempt->shapes, i, &length);
        fth_bytes_varint(&attempt->shapes_written,
                         (uint64_t)group * FTH_SHARINGS + attempt->sharing);
        fth_edits_put(&attempt->shapes_written, before, length_before, shape, length);
        fth_bytes_varint(&attempt->shapes_written, attempt->column_counts[i]);
    }
}

static bool try_sharing(struct writing *writing, struct attempt *attempt, uint32_t group)
{
    bool good = true;
    for (uint32_t i = 0; i < writing->shapes->names.count && good; i++)
        if (writing->group_of[i] == group + 1)
            good = share_shape(writing, attempt, i);
    put_group_shapes(attempt, group);
    put_shared_columns(writing, attempt);
    return good;
}

static size_t compressed_length(const struct attempt *attempt)
{
    struct fth_bytes both = {0}, compressed = {0};
    fth_bytes_put(&both, attempt->shapes_written.data, attempt->shapes_written.length);
    fth_bytes_put(&both, attempt->columns_written.data, attempt->columns_written.length);
    fth_compress(both.data, both.length, &compressed);
    size_t length = compressed.length;
    fth_bytes_free(&both);
    fth_bytes_free(&compressed);
    return length;
}

/* The way that takes the least. */
static bool make_group(struct writing *writing, uint32_t group)
{
    struct attempt *best = &writing->groups[group];
    uint32_t members = 0;
    for (uint32_t i = 0; i < writing->shapes->names.count; i++)
        members += writing->group_of[i] == group + 1 ? writing->shapes->shapes[i].member_count : 0;
    *best =
        (struct attempt){.sharing = members == 1 ? FTH_SHARES_WITH_ITSELF : FTH_SHARES_BY_TURNS};
    bool good = try_sharing(writing, best, group);
    if (members == 1 || !good)
        return good;
    struct attempt other = {.sharing = FTH_SHARES_BY_SLOTS};
    good = try_sharing(writing, &other, group);
    if (good && compressed_length(&other) < compressed_length(best)) {
        struct attempt better = other;
        other = *best;
        *best = better;
    }
    free_attempt(&other);
    return good;
}

/* Shapes with columns of their own come first, then those of each group. */
static bool number_shapes(struct writing *writing)
{
    bool good = true;
    writing->shape_of = fth_new(writing->shapes->count, sizeof *writing->shape_of);
    for (uint32_t i = 0; i < writing->shapes->names.count; i++) {
        const struct fth_process_shape *shape = &writing->shapes->shapes[i];
        if (writing->group_of[i])
            continue;
        uint32_t *things = fth_shape_things(shape);
        for (uint32_t k = 0; k < shape->member_count; k++)
            writing->shape_of[things[k]] = writing->shape_count;
        writing->shape_count++;
        free(things);
    }
    for (uint32_t i = 0; i < writing->group_count && good; i++) {
        struct attempt *group = &writing->groups[i];
        good = make_group(writing, i);
        for (uint32_t k = 0; k < group->thing_count; k++)
            writing->shape_of[group->things[k]] = writing->shape_count + group->shape_of[k];
        writing->shape_count += group->shapes.count;
        writing->numbers += group->shared_count;
    }
    return good;
}

static void put_shapes(struct writing *writing)
{
    const struct fth_shapes *shapes = writing->shapes;
    fth_bytes_varint(writing->to, writing->shape_count);
    for (uint32_t i = 0; i < shapes->names.count; i++) {
        size_t length;
        const uint8_t *shape = fth_interned(&shapes->names, i, &length);
        if (writing->group_of[i])
            continue;
        if (writing->terms)
            fth_bytes_varint(writing->to, FTH_SHARES_NOTHING);
        fth_bytes_text(writing->to, shape, length);
        fth_bytes_varint(writing->to, shapes->shapes[i].column_count);
    }
    for (uint32_t i = 0; i < writing->group_count; i++)
        fth_bytes_put(writing->to, writing->groups[i].shapes_written.data,
                      writing->groups[i].shapes_written.length);
}

static void put_members(struct writing *writing)
{
    uint32_t count = writing->shapes->count, *things = fth_new(count, sizeof *things);
    struct fth_lines lines = {0};
    for (uint32_t i = 0; i < count; i++) {
        things[i] = i;
        fth_lines_add(&lines, (struct fth_line){1, i, writing->shape_of[i], 0});
    }
    if (count)
        fth_shape_column_put(&writing->columns,
                             &(struct fth_listed){things, writing->shape_of, count}, &lines,
                             writing->to);
    fth_lines_free(&lines);
    free(things);
}

static void put_own_columns(struct writing *writing, const struct fth_process_shape *shape)
{
    uint32_t *things = fth_shape_things(shape);
    int64_t *numbers = fth_new(shape->member_count, sizeof *numbers);
    for (uint32_t i = 0; i < shape->column_count; i++) {
        if (shape->columns[i].count > 1)
            fth_lines_list(&shape->columns[i], things, numbers);
        fth_shape_column_put(&writing->columns,
                             &(struct fth_listed){things, numbers, shape->member_count},
                             &shape->columns[i], writing->to);
    }
    free(things);
    free(numbers);
}

/* False: readers would not believe that so much is shared. */
static bool put_section(struct writing *writing)
{
    size_t place = writing->to->length;
    if (!number_shapes(writing))
        return false;
    put_shapes(writing);
    fth_bytes_varint(writing->to, writing->shapes->count);
    put_members(writing);
    for (uint32_t i = 0; i < writing->shapes->names.count; i++)
        if (!writing->group_of[i])
            put_own_columns(writing, &writing->shapes->shapes[i]);
    for (uint32_t i = 0; i < writing->group_count; i++)
        fth_bytes_put(writing->to, writing->groups[i].columns_written.data,
                      writing->groups[i].columns_written.length);
    return writing->numbers <= FTH_SECTION_MOST_RAW(writing->to->length - place);
}

static void forget_groups(struct writing *writing)
{
    for (uint32_t i = 0; i < writing->group_count; i++)
        free_attempt(&writing->groups[i]);
    free(writing->groups);
    free(writing->group_of);
    free(writing->shape_of);
    writing->groups = NULL;
    writing->group_count = writing->shape_count = 0;
    writing->numbers = 0;
}

void fth_shapes_write(const struct fth_shapes *shapes, const struct fth_shape_terms *terms,
                      struct fth_bytes *to)
{
    struct writing writing = {.shapes = shapes, .terms = terms, .to = to};
    size_t place = to->length;
    fth_column_writer_open(&writing.columns);
    for (bool sharing = terms != NULL, written = false; !written; sharing = false) {
        to->length = place;
        writing.group_of = fth_new(shapes->names.count, sizeof *writing.group_of);
        if (sharing)
            find_groups(&writing);
        written = put_section(&writing) || !sharing;
        forget_groups(&writing);
    }
    fth_column_writer_close(&writing.columns);
}

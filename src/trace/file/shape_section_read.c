/* Reading shapes: section SHAP. Rows of processes that share columns are put together when the
 * section is read; those of others stay in their columns. */
#include "trace/file/shapes.h"

#include "base/memory.h"
#include "trace/file/shape_edits.h"
#include "trace/record/format.h"
#include "trace/record/traced_process.h"

#include <inttypes.h>

struct reading {
    struct fth_shape_reader *reader;
    const struct fth_shape_terms *terms;
    struct fth_view view;
    size_t length;
    uint32_t groups;
    uint32_t *before; /* by group: its last shape + 1 */
    uint32_t before_limit;
};

/* Which thing is of which shape. */
static int read_members(struct reading *reading, struct fth_error **error)
{
    struct fth_shape_reader *reader = reading->reader;
    struct fth_read_column members = {0};
    int status = fth_shape_column_read(&members, &reading->view, reader->count, error);
    for (uint32_t i = 0; i < reader->count && status == 0; i++) {
        int64_t shape = fth_shape_column_at(&members, i, i);
        if (shape < 0 || shape >= reader->shape_count)
            status = fth_fail(error, "number %" PRIu32 " is of shape %" PRId64, i, shape);
        else
            reader->member_of[i] =
                reader->shapes[reader->shape_of[i] = (uint32_t)shape].member_count++;
    }
    fth_shape_column_free(&members);
    return status;
}

/* One that is described by the one before. All of them must not be more than what a reader
 * believes. */
static void read_edited(struct reading *reading, struct fth_read_shape *shape)
{
    struct fth_shape_reader *reader = reading->reader;
    reading->before =
        fth_reach(reading->before, &reading->before_limit, shape->group, sizeof *reading->before);
    uint32_t *number = &reading->before[shape->group];
    const struct fth_read_shape *before = *number ? &reader->shapes[*number - 1] : NULL;
    struct fth_bytes made = {0};
    *number = reader->shape_count;
    uint64_t most = FTH_SECTION_MOST_RAW(reading->length);
    if (reader->made_bytes > most ||
        !fth_edits_read(&reading->view, before ? before->bytes : NULL, before ? before->length : 0,
                        most - reader->made_bytes, &made)) {
        reading->view.failed = true;
        fth_bytes_free(&made);
        return;
    }
    reader->made_bytes += made.length;
    shape->bytes = shape->made = made.data;
    shape->length = made.length;
}

static void read_shape(struct reading *reading, struct fth_read_shape *shape)
{
    uint64_t head = reading->terms ? fth_view_varint(&reading->view) : 0;
    uint64_t group = head % FTH_SHARINGS ? head / FTH_SHARINGS + 1 : 0;
    if (group > reading->groups + UINT64_C(1) || (!group && head)) {
        reading->view.failed = true;
        return;
    }
    shape->group = (uint32_t)group;
    shape->sharing = head % FTH_SHARINGS;
    if (group > reading->groups)
        reading->groups = shape->group;
    if (group) {
        read_edited(reading, shape);
    } else {
        shape->length = fth_view_varint(&reading->view);
        shape->bytes = fth_view_bytes(&reading->view, shape->length);
    }
    uint64_t columns = fth_view_varint(&reading->view);
    if (columns > (group ? UINT32_MAX / 2 : fth_view_left(&reading->view) / 2))
        reading->view.failed = true; /* of those that are shared: see take_keys */
    shape->column_count = (uint32_t)columns;
}

static int read_shapes(struct reading *reading, uint32_t most, struct fth_error **error)
{
    struct fth_shape_reader *reader = reading->reader;
    struct fth_view *view = &reading->view;
    uint64_t count = fth_view_count(view, 2);
    reader->shapes = fth_new(count, sizeof *reader->shapes);
    for (uint64_t i = 0; i < count && !view->failed; i++)
        read_shape(reading, &reader->shapes[reader->shape_count++]);
    uint64_t things = fth_view_varint(view);
    if (view->failed || things > most || (things == 0) != (count == 0))
        return fth_fail(error, "it is truncated, or has more than %" PRIu32 " processes", most);
    reader->count = (uint32_t)things;
    reader->shape_of = fth_new(things, sizeof *reader->shape_of);
    reader->member_of = fth_new(things, sizeof *reader->member_of);
    return things ? read_members(reading, error) : 0;
}

static int read_own_columns(struct reading *reading, struct fth_read_shape *shape,
                            struct fth_error **error)
{
    if (shape->column_count > fth_view_left(&reading->view) / 2)
        return fth_fail(error, "it is truncated");
    shape->columns = fth_new(shape->column_count, sizeof *shape->columns);
    for (uint32_t k = 0; k < shape->column_count; k++)
        if (fth_shape_column_read(&shape->columns[k], &reading->view, shape->member_count, error))
            return fth_fail_in(error, "column %" PRIu32, k);
    return 0;
}

static void take_bytes(struct fth_read_shape *shape, struct fth_bytes *bytes)
{
    free(shape->made);
    shape->bytes = shape->made = bytes->data;
    shape->length = bytes->length;
    *bytes = (struct fth_bytes){0};
}

/* The keys of the columns of each shape that shares them; its bytes lose the slots. */
static int take_keys(struct reading *reading, struct fth_keyed_shape *keyed, uint32_t *key_counts,
                     struct fth_error **error)
{
    struct fth_shape_reader *reader = reading->reader;
    struct fth_column_keys *known = fth_new(reading->groups, sizeof *known);
    uint64_t left = FTH_SECTION_MOST_RAW(reading->length);
    int status = 0;
    for (uint32_t i = 0; i < reader->shape_count && status == 0; i++) {
        struct fth_read_shape *shape = &reader->shapes[i];
        if (!shape->group)
            continue;
        uint64_t numbers = (uint64_t)shape->column_count * shape->member_count;
        if (numbers > left ||
            (shape->sharing == FTH_SHARES_WITH_ITSELF && shape->member_count > 1) ||
            !fth_shape_key(&known[shape->group - 1], shape->sharing, reading->terms, shape->bytes,
                           shape->length, shape->column_count, NULL, &keyed[i])) {
            status = fth_fail(error, "shape %" PRIu32 " is damaged", i);
            break;
        }
        left -= numbers;
        if (keyed[i].bytes.length)
            take_bytes(shape, &keyed[i].bytes);
    }
    for (uint32_t i = 0; i < reading->groups; i++) {
        key_counts[i] = known[i].count;
        fth_column_keys_free(&known[i]);
    }
    free(known);
    return status;
}

/* A row for each thing whose shape shares columns, with its slots in it. */
static void make_rows(struct fth_shape_reader *reader, const struct fth_keyed_shape *keyed)
{
    reader->rows = fth_new(reader->count, sizeof *reader->rows);
    for (uint32_t i = 0; i < reader->count; i++) {
        const struct fth_read_shape *shape = &reader->shapes[reader->shape_of[i]];
        if (!shape->group)
            continue;
        reader->rows[i] =
            fth_new_rows(shape->column_count + (size_t)FTH_VALUES_AT_ONCE, sizeof **reader->rows);
        if (keyed[reader->shape_of[i]].slots)
            memcpy(reader->rows[i], keyed[reader->shape_of[i]].slots,
                   shape->column_count * sizeof **reader->rows);
    }
}

/* The shared columns of a group, by key: how many numbers each has, and how many were taken. */
struct shared_column {
    struct fth_read_column column;
    uint32_t members, taken;
};

static void count_members(const struct fth_shape_reader *reader, uint32_t group,
                          const struct fth_keyed_shape *keyed, struct shared_column *columns)
{
    for (uint32_t i = 0; i < reader->count; i++) {
        const struct fth_read_shape *shape = &reader->shapes[reader->shape_of[i]];
        const uint32_t *keys = keyed[reader->shape_of[i]].keys;
        for (uint32_t k = 0; shape->group == group && k < shape->column_count; k++)
            if (keys[k] != FTH_NO_KEY)
                columns[keys[k]].members++;
    }
}

/* Each thing takes the next number of each column that its shape names. */
static void fill_row(struct fth_shape_reader *reader, uint32_t thing, const uint32_t *keys,
                     struct shared_column *columns)
{
    const struct fth_read_shape *shape = &reader->shapes[reader->shape_of[thing]];
    bool alone = shape->sharing == FTH_SHARES_WITH_ITSELF;
    int64_t *row = reader->rows[thing];
    for (uint32_t k = 0; k < shape->column_count; k++) {
        if (keys[k] == FTH_NO_KEY)
            continue;
        struct shared_column *from = &columns[keys[k]];
        uint32_t member = from->taken++;
        row[k] = fth_shape_column_at(&from->column, alone ? member : thing, member);
    }
}

static int read_group(struct reading *reading, uint32_t group, const struct fth_keyed_shape *keyed,
                      uint32_t key_count, struct fth_error **error)
{
    struct fth_shape_reader *reader = reading->reader;
    struct shared_column *columns = fth_new(key_count, sizeof *columns);
    int status = 0;
    count_members(reader, group, keyed, columns);
    for (uint32_t k = 0; k < key_count && status == 0; k++) {
        status =
            fth_shape_column_read(&columns[k].column, &reading->view, columns[k].members, error);
        if (status)
            fth_fail_in(error, "column %" PRIu32 " of group %" PRIu32, k, group);
    }
    for (uint32_t i = 0; i < reader->count && status == 0; i++)
        if (reader->shapes[reader->shape_of[i]].group == group)
            fill_row(reader, i, keyed[reader->shape_of[i]].keys, columns);
    for (uint32_t k = 0; k < key_count; k++)
        fth_shape_column_free(&columns[k].column);
    free(columns);
    return status;
}

static int read_groups(struct reading *reading, struct fth_error **error)
{
    struct fth_shape_reader *reader = reading->reader;
    struct fth_keyed_shape *keyed = fth_new(reader->shape_count, sizeof *keyed);
    uint32_t *key_counts = fth_new(reading->groups, sizeof *key_counts);
    int status = take_keys(reading, keyed, key_counts, error);
    if (status == 0)
        make_rows(reader, keyed);
    for (uint32_t i = 0; i < reading->groups && status == 0; i++)
        status = read_group(reading, i + 1, keyed, key_counts[i], error);
    for (uint32_t i = 0; i < reader->shape_count; i++)
        fth_keyed_shape_free(&keyed[i]);
    free(keyed);
    free(key_counts);
    return status;
}

int fth_shapes_read(struct fth_shape_reader *reader, const struct fth_shape_terms *terms,
                    const void *bytes, size_t length, uint32_t most, struct fth_error **error)
{
    struct reading reading = {
        .reader = reader, .terms = terms, .view = fth_view_of(bytes, length), .length = length};
    *reader = (struct fth_shape_reader){0};
    int status = read_shapes(&reading, most, error);
    free(reading.before);
    if (status)
        return -1;
    for (uint32_t i = 0; i < reader->shape_count; i++) {
        struct fth_read_shape *shape = &reader->shapes[i];
        if (!shape->member_count)
            return fth_fail(error, "nothing is of shape %" PRIu32, i);
        if (!shape->group && read_own_columns(&reading, shape, error))
            return fth_fail_in(error, "shape %" PRIu32, i);
    }
    if (reading.groups && read_groups(&reading, error))
        return -1;
    return reading.view.at == reading.view.end ? 0 : fth_fail(error, "it is too long");
}

void fth_shape_reader_free(struct fth_shape_reader *reader)
{
    for (uint32_t i = 0; i < reader->shape_count; i++) {
        struct fth_read_shape *shape = &reader->shapes[i];
        for (uint32_t k = 0; shape->columns && k < shape->column_count; k++)
            fth_shape_column_free(&shape->columns[k]);
        free(shape->columns);
        free(shape->made);
    }
    for (uint32_t i = 0; reader->rows && i < reader->count; i++)
        free(reader->rows[i]);
    free(reader->rows);
    free(reader->shapes);
    free(reader->shape_of);
    free(reader->member_of);
    *reader = (struct fth_shape_reader){0};
}

const int64_t *fth_shape_row(const struct fth_shape_reader *reader, uint32_t thing)
{
    return reader->rows ? reader->rows[thing] : NULL;
}

void fth_shape_numbers(const struct fth_shape_reader *reader, uint32_t thing, int64_t *numbers)
{
    const struct fth_read_shape *shape = &reader->shapes[reader->shape_of[thing]];
    for (uint32_t i = 0; i < shape->column_count; i++)
        numbers[i] = shape->group
                         ? reader->rows[thing][i]
                         : fth_shape_column_at(&shape->columns[i], thing, reader->member_of[thing]);
}

/* Reading the times of a block: see times.h. They may be damaged, or made to do harm. */
#include "trace/columns/times.h"

#include "base/memory.h"
#include "base/varint.h"

/* How many calls each group has. */
static bool read_groups(struct fth_times_reader *reader, struct fth_view *view, uint32_t calls)
{
    uint64_t arrangement = fth_view_varint(view);
    if (arrangement >= FTH_ARRANGEMENTS)
        return false;
    reader->arrangement = (enum fth_arrangement)arrangement;
    uint64_t groups = arrangement == FTH_TIMES_IN_SEQUENCE ? 1 : fth_view_count(view, 1);
    if (groups == 0 || groups > calls)
        return false;
    reader->groups = (uint32_t)groups;
    reader->ends = fth_new(groups, sizeof *reader->ends);
    uint32_t end = 0;
    for (uint32_t i = 0; i < reader->groups; i++) {
        uint64_t count = arrangement == FTH_TIMES_IN_SEQUENCE ? calls : fth_view_varint(view);
        if (count == 0 || count > calls - end)
            return false;
        reader->ends[i] = end += (uint32_t)count;
    }
    return end == calls;
}

/* What is known of the values of a group before the rare ones are read. */
struct group {
    unsigned width;
    uint32_t frequent_count;
    uint64_t frequent[256]; /* by code, from 1 */
    const uint8_t *codes;
};

static bool read_group(struct group *group, struct fth_view *view, uint32_t count)
{
    uint64_t width = fth_view_varint(view), frequent = fth_view_varint(view);
    if (view->failed || (width != 0 && width != 1 && width != 2 && width != 4 && width != 8) ||
        frequent > (width ? fth_time_codes((unsigned)width) : 1) || frequent > count)
        return false;
    group->width = (unsigned)width;
    group->frequent_count = (uint32_t)frequent;
    uint64_t value = 0;
    for (uint32_t i = 1; i <= frequent; i++)
        group->frequent[i] = value += fth_view_varint(view);
    group->codes = fth_view_bytes(view, ((uint64_t)count * width + 7) / 8);
    return !view->failed;
}

static inline unsigned code_at(const struct group *group, uint32_t i)
{
    if (group->width == 0)
        return group->frequent_count;
    size_t bit = (size_t)i * group->width;
    return ((unsigned)group->codes[bit / 8] >> bit % 8) & fth_time_codes(group->width);
}

/* Codes become values; of rare ones remembers where they go. */
static bool expand(const struct group *group, uint64_t *values, uint32_t first, uint32_t count,
                   uint32_t *rare, uint32_t *rare_count)
{
    for (uint32_t i = 0; i < count; i++) {
        unsigned code = code_at(group, i);
        if (code > group->frequent_count)
            return false;
        values[first + i] = code ? group->frequent[code] : 0;
        if (!code)
            rare[(*rare_count)++] = first + i;
    }
    return true;
}

static bool read_column(const struct fth_times_reader *reader, struct fth_view *view,
                        uint64_t *values, uint32_t *rare)
{
    uint32_t first = 0, rare_count = 0;
    for (uint32_t i = 0; i < reader->groups; first = reader->ends[i++]) {
        struct group group;
        uint32_t count = reader->ends[i] - first;
        if (!read_group(&group, view, count) ||
            !expand(&group, values, first, count, rare, &rare_count))
            return false;
    }
    for (uint32_t i = 0; i < rare_count; i++)
        values[rare[i]] = fth_view_varint(view);
    return !view->failed;
}

void fth_times_reader_begin(struct fth_times_reader *reader, uint32_t calls)
{
    free(reader->ends);
    free(reader->places);
    reader->ends = NULL;
    reader->places = NULL;
    reader->groups = reader->begun = reader->limit = 0;
    if (calls <= reader->room)
        return;
    for (int column = 0; column < FTH_TIME_COLUMNS; column++) {
        free(reader->values[column]);
        reader->values[column] = fth_new(calls, sizeof *reader->values[column]);
    }
    free(reader->rare);
    reader->rare = fth_new(calls, sizeof *reader->rare);
    reader->room = calls;
}

int fth_times_read(struct fth_times_reader *reader, const uint8_t *bytes, size_t length,
                   uint32_t calls, struct fth_error **error)
{
    struct fth_view view = fth_view_of(bytes, length);
    fth_times_reader_begin(reader, calls);
    if (!read_groups(reader, &view, calls))
        return fth_fail(error, "the groups of its times are damaged");
    bool good = true;
    for (int column = 0; column < FTH_TIME_COLUMNS && good; column++)
        good = read_column(reader, &view, reader->values[column], reader->rare);
    return good && view.at == view.end ? 0 : fth_fail(error, "its times are damaged");
}

bool fth_times_begin_group(struct fth_times_reader *reader, uint32_t key)
{
    if (reader->begun == reader->groups)
        return false;
    reader->places = fth_reach(reader->places, &reader->limit, key, sizeof *reader->places);
    uint32_t group = reader->begun++;
    reader->places[key] =
        (struct fth_time_place){group ? reader->ends[group - 1] : 0, reader->ends[group]};
    return true;
}

void fth_times_reader_free(struct fth_times_reader *reader)
{
    for (int column = 0; column < FTH_TIME_COLUMNS; column++)
        free(reader->values[column]);
    free(reader->rare);
    free(reader->ends);
    free(reader->places);
    *reader = (struct fth_times_reader){0};
}

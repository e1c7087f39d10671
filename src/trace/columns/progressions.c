/* Columns as lines: see the header. */
#include "trace/columns/progressions.h"

#include "base/memory.h"

#include <stdbool.h>

/* Sums and products wrap around: programs pass any number. */
static int64_t minus(int64_t one, int64_t other)
{
    return (int64_t)((uint64_t)one - (uint64_t)other);
}

static int64_t value_at(const struct fth_line *line, uint32_t thing)
{
    return (int64_t)((uint64_t)line->first + (uint64_t)line->step * (thing - line->at));
}

/* Makes one line of both when their numbers are on one. */
static bool join(struct fth_line *line, const struct fth_line *next)
{
    int64_t rise = minus(next->first, line->first), run = (int64_t)next->at - line->at;
    if (line->count == 1 && next->count == 1) {
        if (rise % run)
            return false;
        line->step = rise / run;
    } else if (line->count == 1) {
        if (minus(next->first, line->first) != (int64_t)((uint64_t)next->step * (uint64_t)run))
            return false;
        line->step = next->step;
    } else if (value_at(line, next->at) != next->first ||
               (next->count > 1 && next->step != line->step)) {
        return false;
    }
    line->count += next->count;
    return true;
}

static void grow(struct fth_lines *lines)
{
    uint32_t limit = lines->count ? lines->count * 2 : 1;
    struct fth_line *own = lines->limit ? lines->lines : NULL;
    own = fth_resize(own, limit, sizeof *own);
    if (!lines->limit && lines->count)
        own[0] = lines->lines[0];
    lines->lines = own;
    lines->limit = limit;
}

void fth_lines_add(struct fth_lines *lines, struct fth_line line)
{
    if (lines->count && join(&lines->lines[lines->count - 1], &line))
        return;
    if (lines->count >= lines->limit)
        grow(lines);
    lines->lines[lines->count++] = line;
}

void fth_lines_free(struct fth_lines *lines)
{
    if (lines->limit)
        free(lines->lines);
    *lines = (struct fth_lines){0};
}

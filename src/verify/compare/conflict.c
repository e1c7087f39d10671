/* Accesses by file, and one file's: sorted, and in slices that several threads sweep over
 * (access_sweep.h). */
#include "verify/compare/access_sweep.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct fth_conflict_files {
    const struct fth_run_accesses *accesses;
    uint32_t count;
    uint64_t *first_range, *first_series; /* by file; count + 1 of them */
    const struct fth_access_range **ranges;
    const struct fth_access_series **series;
};

/* ---- accesses by file ---- */

static bool is_wanted(const struct fth_run_accesses *accesses, uint32_t situation, unsigned layers)
{
    return layers >> accesses->situations[situation].layer & 1 &&
           !accesses->situations[situation].cuts;
}

/* Holes, and what was read there, meet each other alone (fth_holes_are_pair): they are compared as
 * if they were in a file of their own. */
static uint32_t part_of(const struct fth_conflict_files *files, uint32_t situation)
{
    const struct fth_situation *of = &files->accesses->situations[situation];
    bool is_hole = of->region == FTH_REGION_HOLE || of->region == FTH_REGION_BARE;
    return is_hole ? files->count / 2 + of->opening : of->opening;
}

/* Places first[file + 1] hold counts: then they become where each file's begin. */
static void add_up(uint64_t *first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        first[i + 1] += first[i];
}

struct fth_conflict_files *fth_conflict_files_new(const struct fth_run_accesses *accesses,
                                                  uint32_t file_count, unsigned layers)
{
    struct fth_conflict_files *files = fth_new(1, sizeof *files);
    file_count *= 2;
    files->accesses = accesses;
    files->count = file_count;
    files->first_range = fth_new(file_count + 2, sizeof *files->first_range);
    files->first_series = fth_new(file_count + 2, sizeof *files->first_series);
    for (size_t i = 0; i < accesses->range_count; i++)
        if (is_wanted(accesses, accesses->ranges[i].situation, layers))
            files->first_range[part_of(files, accesses->ranges[i].situation) + 1]++;
    for (size_t i = 0; i < accesses->series_count; i++)
        if (is_wanted(accesses, accesses->series[i].situation, layers))
            files->first_series[part_of(files, accesses->series[i].situation) + 1]++;
    add_up(files->first_range, file_count);
    add_up(files->first_series, file_count);
    files->ranges = fth_new(files->first_range[file_count] + 1, sizeof *files->ranges);
    files->series = fth_new(files->first_series[file_count] + 1, sizeof *files->series);
    uint64_t *next = fth_new(file_count + 1, sizeof *next);
    memcpy(next, files->first_range, file_count * sizeof *next);
    for (size_t i = 0; i < accesses->range_count; i++)
        if (is_wanted(accesses, accesses->ranges[i].situation, layers))
            files->ranges[next[part_of(files, accesses->ranges[i].situation)]++] =
                &accesses->ranges[i];
    memcpy(next, files->first_series, file_count * sizeof *next);
    for (size_t i = 0; i < accesses->series_count; i++)
        if (is_wanted(accesses, accesses->series[i].situation, layers))
            files->series[next[part_of(files, accesses->series[i].situation)]++] =
                &accesses->series[i];
    free(next);
    return files;
}

uint64_t fth_conflict_files_size(const struct fth_conflict_files *files, uint32_t file)
{
    return files->first_range[file + 1] - files->first_range[file] + files->first_series[file + 1] -
           files->first_series[file];
}

void fth_conflict_files_free(struct fth_conflict_files *files)
{
    if (!files)
        return;
    free(files->first_range);
    free(files->first_series);
    free(files->ranges);
    free(files->series);
    free(files);
}

/* ---- one file ---- */

static int by_place(const void *a, const void *b)
{
    const struct fth_sweep_unit *one = a, *other = b;
    if (one->start != other->start)
        return one->start < other->start ? -1 : 1;
    if (one->end != other->end)
        return one->end < other->end ? -1 : 1;
    if (one->situation != other->situation)
        return one->situation < other->situation ? -1 : 1;
    return one->call < other->call ? -1 : one->call > other->call;
}

static void add_unit(struct fth_units *units, const struct fth_sweep_unit *unit)
{
    FTH_GROW(units->units, units->count);
    units->units[units->count++] = *unit;
    if (unit->end - unit->start > units->longest)
        units->longest = unit->end - unit->start;
}

/* In order, and equal ones of a situation are one. */
static void sort_units(struct fth_units *units)
{
    size_t kept = 0;
    if (units->count == 0)
        return;
    qsort(units->units, units->count, sizeof *units->units, by_place);
    for (size_t i = 1; i < units->count; i++) {
        struct fth_sweep_unit *last = &units->units[kept], *unit = &units->units[i];
        if (last->start == unit->start && last->end == unit->end &&
            last->situation == unit->situation)
            last->times += unit->times;
        else
            units->units[++kept] = *unit;
    }
    units->count = kept + 1;
}

/* Does anybody write? */
static bool is_written(const struct fth_conflict_file *file)
{
    bool writes = file->writes.count > 0;
    for (size_t i = 0; i < file->box_count && !writes; i++)
        writes = file->situations[file->boxes[i].series->situation].writes;
    return writes;
}

/* ---- ranges without end ---- */

/* Then by thread, so that rows stand one behind the other (range_rows.c). */
static int by_start_and_situation(const void *a, const void *b, void *context)
{
    const struct fth_situation *situations = context;
    const struct fth_access_series *one = a, *other = b;
    const struct fth_situation *first = &situations[one->situation],
                               *second = &situations[other->situation];
    if (one->series.start != other->series.start)
        return one->series.start < other->series.start ? -1 : 1;
    if (first->proc != second->proc)
        return first->proc < second->proc ? -1 : 1;
    if (first->thread != second->thread)
        return first->thread < second->thread ? -1 : 1;
    if (first->region != second->region)
        return first->region < second->region ? -1 : 1;
    if (first->writes != second->writes)
        return first->writes ? 1 : -1;
    if (one->situation != other->situation)
        return one->situation < other->situation ? -1 : 1;
    return one->call < other->call ? -1 : one->call > other->call;
}

/* A range that has no end would meet all that the sweep has before it: it is a series, of as many
 * calls as there are of its kind. */
static void add_endless(struct fth_conflict_file *file, const struct fth_access_series *series)
{
    FTH_GROW(file->endless, file->endless_count);
    file->endless[file->endless_count++] = *series;
}

/* All its ranges go on to the end of the file. */
static bool is_endless(const struct fth_access_series *series)
{
    return series->series.stride == 0 && !series->series.one_call &&
           fth_series_end(&series->series) >= FTH_ENDLESS;
}

static struct fth_box *add_box(struct fth_conflict_file *file,
                               const struct fth_access_series *series)
{
    struct fth_box *box = &file->boxes[file->box_count];
    *box = (struct fth_box){.start = series->series.start,
                            .end = fth_series_end(&series->series),
                            .series = series,
                            .number = file->box_count++};
    return box;
}

static void add_open_box(struct fth_conflict_file *file, const struct fth_access_series *series)
{
    struct fth_box *box = add_box(file, series);
    add_unit(&file->open, &(struct fth_sweep_unit){box->start, box->end, series->situation,
                                                   series->call, series->series.count, 0});
    box->unit = file->open.count;
}

static void put_endless_together(struct fth_conflict_file *file)
{
    size_t kept = 0;
    if (file->endless_count == 0)
        return;
    qsort_r(file->endless, file->endless_count, sizeof *file->endless, by_start_and_situation,
            (void *)file->situations);
    for (size_t i = 1; i < file->endless_count; i++) {
        struct fth_access_series *last = &file->endless[kept], *next = &file->endless[i];
        if (last->situation == next->situation && last->series.start == next->series.start)
            last->series.count += next->series.count;
        else
            file->endless[++kept] = *next;
    }
    file->endless_count = kept + 1;
}

struct fth_conflict_file *fth_conflict_file_open(const struct fth_conflict_files *files,
                                                 uint32_t number)
{
    struct fth_conflict_file *file = fth_new(1, sizeof *file);
    file->situations = files->accesses->situations;
    file->is_of_holes = number >= files->count / 2;
    for (uint64_t i = files->first_range[number]; i < files->first_range[number + 1]; i++) {
        const struct fth_access_range *range = files->ranges[i];
        struct fth_sweep_unit unit = {
            range->start, range->start + range->length, range->situation, range->call, 1, 0};
        struct fth_series alone = {range->start, range->length, 0, 1, false};
        if (unit.end >= FTH_ENDLESS)
            add_endless(file, &(struct fth_access_series){alone, range->situation, range->call});
        else
            add_unit(file->situations[range->situation].writes ? &file->writes : &file->reads,
                     &unit);
    }
    uint64_t first = files->first_series[number];
    size_t series_count = (size_t)(files->first_series[number + 1] - first);
    for (size_t i = 0; i < series_count; i++)
        if (is_endless(files->series[first + i]))
            add_endless(file, files->series[first + i]);
    put_endless_together(file);
    file->boxes = fth_new(series_count + file->endless_count + 1, sizeof *file->boxes);
    for (size_t i = 0; i < series_count; i++)
        if (!is_endless(files->series[first + i]))
            add_box(file, files->series[first + i]);
    for (size_t i = 0; i < file->endless_count; i++)
        add_open_box(file, &file->endless[i]);
    if (!is_written(file)) {
        file->writes.count = file->reads.count = file->box_count = 0;
        return file;
    }
    sort_units(&file->writes);
    sort_units(&file->reads);
    fth_units_find_rows(&file->writes, file->situations);
    fth_units_find_rows(&file->reads, file->situations);
    fth_units_find_rows_in_order(&file->open, file->situations);
    fth_rows_settle(file);
    fth_sweep_boxes_settle(file);
    return file;
}

void fth_conflict_file_close(struct fth_conflict_file *file)
{
    free(file->writes.units);
    free(file->writes.rows);
    free(file->reads.units);
    free(file->reads.rows);
    free(file->open.units);
    free(file->open.rows);
    free(file->boxes);
    free(file->box_names);
    free(file->box_slices);
    free(file->endless);
    free(file);
}

/* ---- slices ---- */

/* First those of boxes, then those of units, writes before reads. */
enum { UNITS_OF_SLICE = 1 << 14 };

size_t fth_conflict_slices(const struct fth_conflict_file *file)
{
    size_t units = file->writes.count + file->reads.count;
    return file->box_slice_count + (units + UNITS_OF_SLICE - 1) / UNITS_OF_SLICE;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void sweep_units(struct fth_sweep *sweep, size_t slice)
{
    size_t writes = sweep->file->writes.count, from = slice * UNITS_OF_SLICE;
    size_t to = least(from + UNITS_OF_SLICE, writes + sweep->file->reads.count);
    fth_sweep_writes(sweep, least(from, writes), least(to, writes));
    if (to > writes)
        fth_sweep_reads(sweep, from > writes ? from - writes : 0, to - writes);
}

void fth_conflict_find(const struct fth_conflict_file *file, size_t slice,
                       const struct fth_conflict_listener *listener)
{
    struct fth_sweep sweep = {.file = file, .listener = listener, .sum_count = 64};
    while (sweep.sum_count < FTH_MOST_SUMS &&
           sweep.sum_count < file->writes.count + file->reads.count + file->box_count)
        sweep.sum_count *= 2;
    sweep.sums = fth_new(sweep.sum_count, sizeof *sweep.sums);
    if (slice < file->box_slice_count)
        fth_sweep_boxes(&sweep, slice);
    else
        sweep_units(&sweep, slice - file->box_slice_count);
    for (size_t i = 0; i < sweep.sum_count; i++)
        fth_sweep_report(&sweep, &sweep.sums[i]);
    free(sweep.sums);
}

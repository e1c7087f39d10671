#include "verify/conflict.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A range of one access, or of several equal ones of a situation. */
struct unit {
    uint64_t start, end;
    uint32_t situation;
    uint32_t call; /* as in fth_deed_range */
    uint64_t times;
};

/* A series between its first byte and its last one. */
struct box {
    uint64_t start, end;
    const struct fth_deed_series *series;
    uint32_t part_of; /* its call has other pieces, too: number of the call + 1, or 0 */
};

struct fth_conflict_files {
    const struct fth_deeds *deeds;
    uint32_t count;
    uint64_t *first_range, *first_series; /* by file; count + 1 of them */
    const struct fth_deed_range **ranges;
    const struct fth_deed_series **series;
};

/* ---- accesses by file ---- */

static bool is_wanted(const struct fth_deeds *deeds, uint32_t situation, unsigned layers)
{
    return layers >> deeds->situations[situation].layer & 1 && !deeds->situations[situation].cuts;
}

/* Places first[file + 1] hold counts: then they become where each file's begin. */
static void add_up(uint64_t *first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        first[i + 1] += first[i];
}

struct fth_conflict_files *fth_conflict_files_new(const struct fth_deeds *deeds,
                                                  uint32_t file_count, unsigned layers)
{
    struct fth_conflict_files *files = fth_new(1, sizeof *files);
    const struct fth_situation *situations = deeds->situations;
    files->deeds = deeds;
    files->count = file_count;
    files->first_range = fth_new(file_count + 2, sizeof *files->first_range);
    files->first_series = fth_new(file_count + 2, sizeof *files->first_series);
    for (size_t i = 0; i < deeds->range_count; i++)
        if (is_wanted(deeds, deeds->ranges[i].situation, layers))
            files->first_range[situations[deeds->ranges[i].situation].opening + 1]++;
    for (size_t i = 0; i < deeds->series_count; i++)
        if (is_wanted(deeds, deeds->series[i].situation, layers))
            files->first_series[situations[deeds->series[i].situation].opening + 1]++;
    add_up(files->first_range, file_count);
    add_up(files->first_series, file_count);
    files->ranges = fth_new(files->first_range[file_count] + 1, sizeof *files->ranges);
    files->series = fth_new(files->first_series[file_count] + 1, sizeof *files->series);
    uint64_t *next = fth_new(file_count + 1, sizeof *next);
    memcpy(next, files->first_range, file_count * sizeof *next);
    for (size_t i = 0; i < deeds->range_count; i++)
        if (is_wanted(deeds, deeds->ranges[i].situation, layers))
            files->ranges[next[situations[deeds->ranges[i].situation].opening]++] =
                &deeds->ranges[i];
    memcpy(next, files->first_series, file_count * sizeof *next);
    for (size_t i = 0; i < deeds->series_count; i++)
        if (is_wanted(deeds, deeds->series[i].situation, layers))
            files->series[next[situations[deeds->series[i].situation].opening]++] =
                &deeds->series[i];
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

struct units {
    struct unit *units;
    size_t count;
    uint64_t longest;
};

struct fth_conflict_file {
    struct fth_deed_series *endless;
    size_t endless_count;
    const struct fth_situation *situations;
    struct units writes, reads;
    struct box *boxes;
    size_t box_count;
};

/* What a sweep over a slice of a file has at hand. Conflicts of the same two situations often come one after the other: a small table adds them up before they are told. */
enum { MOST_SUMS = 1 << 12 };
struct sweep {
    const struct fth_conflict_file *file;
    fth_conflict_take *take;
    void *context;
    struct fth_conflict *sums; /* pairs 0: empty */
    uint32_t sum_count;        /* a power of two */
};

static int by_place(const void *a, const void *b)
{
    const struct unit *one = a, *other = b;
    if (one->start != other->start)
        return one->start < other->start ? -1 : 1;
    if (one->end != other->end)
        return one->end < other->end ? -1 : 1;
    if (one->situation != other->situation)
        return one->situation < other->situation ? -1 : 1;
    return one->call < other->call ? -1 : one->call > other->call;
}

static void add_unit(struct units *units, const struct unit *unit)
{
    FTH_GROW(units->units, units->count);
    units->units[units->count++] = *unit;
    if (unit->end - unit->start > units->longest)
        units->longest = unit->end - unit->start;
}

/* In order, and equal ones of a situation are one. */
static void sort_units(struct units *units)
{
    size_t kept = 0;
    if (units->count == 0)
        return;
    qsort(units->units, units->count, sizeof *units->units, by_place);
    for (size_t i = 1; i < units->count; i++) {
        struct unit *last = &units->units[kept], *unit = &units->units[i];
        if (last->start == unit->start && last->end == unit->end &&
            last->situation == unit->situation)
            last->times += unit->times;
        else
            units->units[++kept] = *unit;
    }
    units->count = kept + 1;
}

static uint64_t call_of(const struct sweep *sweep, uint32_t situation, uint32_t since)
{
    uint64_t first = sweep->file->situations[situation].first_call;
    return since == UINT32_MAX ? first : first + since;
}

static void tell_sum(struct sweep *sweep, struct fth_conflict *sum)
{
    if (sum->pairs)
        sweep->take(sweep->context, sum);
    sum->pairs = 0;
}

static inline struct fth_conflict *sum_of(const struct sweep *sweep, uint32_t a, uint32_t b)
{
    return &sweep->sums[(a * 0x9e3779b1u ^ b * 0x85ebca6bu) >> 20 & (sweep->sum_count - 1)];
}

static inline bool is_of(const struct fth_conflict *sum, uint32_t a, uint32_t b)
{
    return sum->pairs && sum->a == a && sum->b == b;
}

/* Adds `pairs` pairs of two situations. The example's bytes are those of the first pair that is added. */
static inline void add_pairs(struct sweep *sweep, uint32_t a, uint32_t b, uint64_t pairs,
                             uint64_t start, uint64_t end, uint32_t call_a, uint32_t call_b)
{
    struct fth_conflict *sum = sum_of(sweep, a, b);
    if (is_of(sum, a, b)) {
        sum->pairs += pairs;
        return;
    }
    tell_sum(sweep, sum);
    *sum = (struct fth_conflict){
        a, b, pairs, start, end, call_of(sweep, a, call_a), call_of(sweep, b, call_b)};
}

static inline void meet(struct sweep *sweep, const struct unit *a, const struct unit *b)
{
    if (a->situation > b->situation) {
        const struct unit *swap = a;
        a = b;
        b = swap;
    }
    add_pairs(sweep, a->situation, b->situation, a->times * b->times,
              a->start > b->start ? a->start : b->start, a->end < b->end ? a->end : b->end, a->call,
              b->call);
}

/* Place of the first unit that starts at `start` or behind it. */
static size_t first_from(const struct units *units, uint64_t start)
{
    size_t low = 0, high = units->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (units->units[middle].start < start)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Single ranges: each pair is found where the earlier one of the two begins. Two reads are no conflict, so reads are never held against reads. */
static void sweep_writes(struct sweep *sweep, size_t from, size_t to)
{
    const struct units *writes = &sweep->file->writes, *reads = &sweep->file->reads;
    size_t read = from < to ? first_from(reads, writes->units[from].start) : 0;
    for (size_t i = from; i < to; i++) {
        const struct unit *write = &writes->units[i];
        if (write->times > 1)
            add_pairs(sweep, write->situation, write->situation,
                      write->times * (write->times - 1) / 2, write->start, write->end, write->call,
                      write->call);
        for (size_t j = i + 1; j < writes->count && writes->units[j].start < write->end; j++)
            meet(sweep, write, &writes->units[j]);
        while (read < reads->count && reads->units[read].start < write->start)
            read++;
        for (size_t j = read; j < reads->count && reads->units[j].start < write->end; j++)
            meet(sweep, write, &reads->units[j]);
    }
}

static void sweep_reads(struct sweep *sweep, size_t from, size_t to)
{
    const struct units *writes = &sweep->file->writes, *reads = &sweep->file->reads;
    size_t write = from < to ? first_from(writes, reads->units[from].start) : 0;
    for (size_t i = from; i < to; i++) {
        const struct unit *unit = &reads->units[i];
        while (write < writes->count && writes->units[write].start <= unit->start)
            write++;
        for (size_t j = write; j < writes->count && writes->units[j].start < unit->end; j++)
            meet(sweep, unit, &writes->units[j]);
    }
}

/* ---- series ---- */

/* Pairs that have been counted, where calls have several pieces that may meet the same call. */
struct seen {
    uint64_t (*keys)[2];
    size_t size, count;
};

static bool see(struct seen *seen, uint64_t a, uint64_t b)
{
    if (seen->count * 2 >= seen->size) {
        struct seen more = {.size = seen->size ? seen->size * 2 : 1024};
        more.keys = fth_new(more.size, sizeof *more.keys);
        for (size_t i = 0; i < seen->size; i++)
            if (seen->keys[i][0])
                see(&more, seen->keys[i][0] - 1, seen->keys[i][1]);
        free(seen->keys);
        *seen = more;
    }
    size_t at = (size_t)((a * 0x9e3779b97f4a7c15u ^ b * 0xc2b2ae3d27d4eb4fu) >> 13);
    for (;; at++) {
        uint64_t *key = seen->keys[at & (seen->size - 1)];
        if (!key[0]) {
            key[0] = a + 1;
            key[1] = b;
            seen->count++;
            return true;
        }
        if (key[0] == a + 1 && key[1] == b)
            return false;
    }
}

static bool conflicts(const struct sweep *sweep, uint32_t a, uint32_t b)
{
    const struct fth_situation *situations = sweep->file->situations;
    return situations[a].writes || situations[b].writes;
}

static void meet_series(struct sweep *sweep, const struct fth_deed_series *a,
                        const struct fth_series *b, uint32_t b_situation, uint32_t b_call,
                        uint64_t pairs)
{
    uint64_t start = 0, end = 0;
    bool is_first = a->situation <= b_situation;
    uint32_t one = is_first ? a->situation : b_situation;
    uint32_t other = is_first ? b_situation : a->situation;
    if (!pairs)
        return;
    if (!is_of(sum_of(sweep, one, other), one, other))
        fth_series_common(&a->series, b, &start, &end);
    add_pairs(sweep, one, other, pairs, start, end, is_first ? a->call : b_call,
              is_first ? b_call : a->call);
}

/* What a box is called among those calls that have several pieces, and what each range of another series is: so that pairs are counted once. */
static uint64_t name_of_call(size_t number)
{
    return (uint64_t)1 << 63 | number;
}

/* How many calls of `other`, whose ranges have the names from `name` on, meet this box's call and have not been counted with it yet. */
static uint64_t new_pairs(struct seen *seen, const struct box *box, const struct fth_series *other,
                          uint64_t name, bool other_is_one_call)
{
    uint64_t pairs = 0;
    struct fth_series one = *other;
    if (other_is_one_call)
        return fth_series_pairs(&box->series->series, other) ? see(seen, box->part_of, name) : 0;
    one.count = 1;
    for (uint64_t i = 0; i < other->count; i++) {
        one.start = other->start + i * other->stride;
        if (one.start >= box->end)
            break;
        if (one.start + one.length > box->start && fth_series_pairs(&box->series->series, &one))
            pairs += see(seen, box->part_of, name + i);
    }
    return pairs;
}

static void meet_units(struct sweep *sweep, const struct box *box, const struct units *units,
                       uint64_t name, struct seen *seen)
{
    uint64_t from = box->start > units->longest ? box->start - units->longest : 0;
    size_t low = first_from(units, from);
    for (; low < units->count && units->units[low].start < box->end; low++) {
        const struct unit *unit = &units->units[low];
        struct fth_series one = {unit->start, unit->end - unit->start, 0, 1, false};
        if (unit->end <= box->start)
            continue;
        uint64_t pairs = box->part_of ? new_pairs(seen, box, &one, name + low, true)
                                      : fth_series_pairs(&box->series->series, &one);
        meet_series(sweep, box->series, &one, unit->situation, unit->call, pairs * unit->times);
    }
}

static void meet_boxes(struct sweep *sweep, const struct box *a, const struct box *b, uint64_t name,
                       struct seen *seen)
{
    const struct fth_deed_series *other = b->series;
    uint64_t pairs;
    if (a->part_of && a->part_of == b->part_of)
        return; /* pieces of one call */
    if (!conflicts(sweep, a->series->situation, other->situation))
        return;
    if (a->part_of > b->part_of && b->part_of) /* two such calls are known by the lower number */
        return meet_boxes(sweep, b, a, name, seen);
    if (a->part_of && b->part_of)
        pairs = fth_series_pairs(&a->series->series, &other->series)
                    ? see(seen, a->part_of, name_of_call(b->part_of))
                    : 0;
    else if (a->part_of)
        pairs = new_pairs(seen, a, &other->series, name, other->series.one_call);
    else if (b->part_of)
        return meet_boxes(sweep, b, a, name, seen);
    else
        pairs = fth_series_pairs(&a->series->series, &other->series);
    meet_series(sweep, a->series, &other->series, other->situation, other->call, pairs);
}

static int box_by_place(const void *a, const void *b)
{
    const struct box *one = a, *other = b;
    return one->start < other->start ? -1 : one->start > other->start;
}

/* Boxes with several pieces of one call stand one behind the other as they were gathered: they get the number of the call. */
static void name_parts(struct box *boxes, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct fth_deed_series *last = boxes[i - 1].series, *series = boxes[i].series;
        if (!series->series.one_call || series->situation != last->situation ||
            series->call != last->call)
            continue;
        if (!boxes[i - 1].part_of)
            boxes[i - 1].part_of = (uint32_t)i;
        boxes[i].part_of = boxes[i - 1].part_of;
    }
}

static void sweep_boxes(struct sweep *sweep)
{
    const struct fth_conflict_file *file = sweep->file;
    struct seen seen = {0};
    /* Names of units, and of ranges of series, for pairs that are seen: one behind the other. */
    uint64_t *names = fth_new(file->box_count + 1, sizeof *names);
    uint64_t next = file->writes.count + file->reads.count;
    for (size_t i = 0; i < file->box_count; i++) {
        names[i] = next;
        next += file->boxes[i].series->series.count;
    }
    for (size_t i = 0; i < file->box_count; i++) {
        const struct box *box = &file->boxes[i];
        bool writes = file->situations[box->series->situation].writes;
        uint64_t within = fth_series_pairs_within(&box->series->series);
        if (within && writes)
            add_pairs(sweep, box->series->situation, box->series->situation, within, box->start,
                      box->start + box->series->series.length, box->series->call,
                      box->series->call);
        meet_units(sweep, box, &file->writes, 0, &seen);
        if (writes)
            meet_units(sweep, box, &file->reads, file->writes.count, &seen);
        for (size_t j = i + 1; j < file->box_count && file->boxes[j].start < box->end; j++) {
            const struct box *other = &file->boxes[j];
            /* The names are those of the one that is expanded: the other one of a call with several pieces. */
            meet_boxes(sweep, box, other, box->part_of ? names[j] : names[i], &seen);
        }
    }
    free(names);
    free(seen.keys);
}

/* ---- a file, and its slices ---- */

/* Does anybody write? */
static bool is_written(const struct fth_conflict_file *file)
{
    bool writes = file->writes.count > 0;
    for (size_t i = 0; i < file->box_count && !writes; i++)
        writes = file->situations[file->boxes[i].series->situation].writes;
    return writes;
}

/* ---- ranges without end ---- */

static int by_start_and_situation(const void *a, const void *b)
{
    const struct fth_deed_series *one = a, *other = b;
    if (one->series.start != other->series.start)
        return one->series.start < other->series.start ? -1 : 1;
    if (one->situation != other->situation)
        return one->situation < other->situation ? -1 : 1;
    return one->call < other->call ? -1 : one->call > other->call;
}

/* A range that has no end would meet all that the sweep has before it: it is a series, of as many calls as there are of its kind. */
static void add_endless(struct fth_conflict_file *file, const struct fth_deed_series *series)
{
    FTH_GROW(file->endless, file->endless_count);
    file->endless[file->endless_count++] = *series;
}

/* All its ranges go on to the end of the file. */
static bool is_endless(const struct fth_deed_series *series)
{
    return series->series.stride == 0 && !series->series.one_call &&
           fth_series_end(&series->series) >= FTH_ENDLESS;
}

static void add_box(struct fth_conflict_file *file, const struct fth_deed_series *series)
{
    file->boxes[file->box_count++] =
        (struct box){series->series.start, fth_series_end(&series->series), series, 0};
}

static void put_endless_together(struct fth_conflict_file *file)
{
    size_t kept = 0;
    if (file->endless_count == 0)
        return;
    qsort(file->endless, file->endless_count, sizeof *file->endless, by_start_and_situation);
    for (size_t i = 1; i < file->endless_count; i++) {
        struct fth_deed_series *last = &file->endless[kept], *next = &file->endless[i];
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
    file->situations = files->deeds->situations;
    for (uint64_t i = files->first_range[number]; i < files->first_range[number + 1]; i++) {
        const struct fth_deed_range *range = files->ranges[i];
        struct unit unit = {range->start, range->start + range->length, range->situation,
                            range->call, 1};
        struct fth_series alone = {range->start, range->length, 0, 1, false};
        if (unit.end >= FTH_ENDLESS)
            add_endless(file, &(struct fth_deed_series){alone, range->situation, range->call});
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
        add_box(file, &file->endless[i]);
    if (!is_written(file)) {
        file->writes.count = file->reads.count = file->box_count = 0;
        return file;
    }
    sort_units(&file->writes);
    sort_units(&file->reads);
    name_parts(file->boxes, file->box_count);
    qsort(file->boxes, file->box_count, sizeof *file->boxes, box_by_place);
    return file;
}

void fth_conflict_file_close(struct fth_conflict_file *file)
{
    free(file->writes.units);
    free(file->reads.units);
    free(file->boxes);
    free(file->endless);
    free(file);
}

/* Slice 0 is what series meet, the others are units, writes before reads. */
enum { UNITS_OF_SLICE = 1 << 14 };

size_t fth_conflict_slices(const struct fth_conflict_file *file)
{
    return 1 + (file->writes.count + file->reads.count + UNITS_OF_SLICE - 1) / UNITS_OF_SLICE;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void sweep_slice(struct sweep *sweep, size_t slice)
{
    size_t writes = sweep->file->writes.count, from = (slice - 1) * UNITS_OF_SLICE;
    size_t to = least(from + UNITS_OF_SLICE, writes + sweep->file->reads.count);
    sweep_writes(sweep, least(from, writes), least(to, writes));
    if (to > writes)
        sweep_reads(sweep, from > writes ? from - writes : 0, to - writes);
}

void fth_conflict_find(const struct fth_conflict_file *file, size_t slice, fth_conflict_take *take,
                       void *context)
{
    struct sweep sweep = {.file = file, .take = take, .context = context, .sum_count = 64};
    if (slice == 0 && file->box_count == 0)
        return;
    while (sweep.sum_count < MOST_SUMS &&
           sweep.sum_count < file->writes.count + file->reads.count + file->box_count)
        sweep.sum_count *= 2;
    sweep.sums = fth_new(sweep.sum_count, sizeof *sweep.sums);
    if (slice == 0)
        sweep_boxes(&sweep);
    else
        sweep_slice(&sweep, slice);
    for (size_t i = 0; i < sweep.sum_count; i++)
        tell_sum(&sweep, &sweep.sums[i]);
    free(sweep.sums);
}

/* Series of accesses, each between its first byte and its last one: what they meet is found by
 * arithmetic. */
#include "verify/compare/access_sweep.h"

#include "base/memory.h"

#include <stdlib.h>

enum { BOXES_OF_SLICE = 1 << 9 };

/* ---- pairs that have been counted ---- */

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

/* ---- what a box meets ---- */

static bool conflicts(const struct fth_sweep *sweep, uint32_t a, uint32_t b)
{
    const struct fth_situation *situations = sweep->file->situations;
    return situations[a].writes || situations[b].writes;
}

static void meet_series(struct fth_sweep *sweep, const struct fth_access_series *a,
                        const struct fth_series *b, uint32_t b_situation, uint32_t b_call,
                        uint64_t pairs)
{
    uint64_t start = 0, end = 0;
    bool is_first = a->situation <= b_situation;
    uint32_t one = is_first ? a->situation : b_situation;
    uint32_t other = is_first ? b_situation : a->situation;
    if (!pairs)
        return;
    if (!fth_sum_is_of(fth_sweep_sum(sweep, one, other), one, other))
        fth_series_common(&a->series, b, &start, &end);
    fth_sweep_add(sweep, one, other, pairs, start, end, is_first ? a->call : b_call,
                  is_first ? b_call : a->call);
}

static bool is_room(const struct fth_conflict_file *file, const struct fth_box *box)
{
    return file->situations[box->series->situation].region == FTH_REGION_ROOM;
}

/* If the box is room: may the situation be a pair with it (fth_holes_are_pair)? */
static bool meets_room(const struct fth_conflict_file *file, const struct fth_box *box,
                       uint32_t situation)
{
    return !is_room(file, box) || file->situations[situation].found_end;
}

/* What a box is called among those calls that have several pieces, and what each range of another
 * series is: so that pairs are counted once. */
static uint64_t name_of_call(size_t number)
{
    return (uint64_t)1 << 63 | number;
}

/* How many calls of `other`, whose ranges have the names from `name` on, meet this box's call and
 * have not been counted with it yet. */
static uint64_t new_pairs(struct seen *seen, const struct fth_box *box,
                          const struct fth_series *other, uint64_t name, bool other_is_one_call)
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

static const struct fth_sweep_unit *unit_of(const struct fth_sweep *sweep,
                                            const struct fth_box *box)
{
    return box->unit ? &sweep->file->open.units[box->unit - 1] : NULL;
}

/* Boxes of a row do not meet those of another row, or its units, one by one: the rows do, where the
 * first one of the one comes to the first one of the other. Returns how many are met with this one
 * of the others; 0: it is to be met alone. */
static size_t meet_row(struct fth_sweep *sweep, const struct fth_sweep_unit *unit,
                       const struct fth_units *others, const struct fth_sweep_unit *other)
{
    if (!unit || !other || !unit->row || !other->row)
        return 0;
    const struct fth_conflict_row *mine = &sweep->file->open.rows[unit->row - 1],
                                  *row = &others->rows[other->row - 1];
    if (!fth_rows_meet(sweep, mine, row))
        return 0;
    if (mine->units == unit)
        sweep->listener->take_rows(
            sweep->listener->context,
            &(struct fth_conflict_rows){*mine, *row,
                                        unit->start > other->start ? unit->start : other->start,
                                        unit->end < other->end ? unit->end : other->end});
    return (size_t)(row->units + row->count - other);
}

static void meet_units(struct fth_sweep *sweep, const struct fth_box *box,
                       const struct fth_units *units, uint64_t name, struct seen *seen)
{
    uint64_t from = box->start > units->longest ? box->start - units->longest : 0;
    size_t low = fth_units_from(units, from), in_row;
    for (; low < units->count && units->units[low].start < box->end; low++) {
        const struct fth_sweep_unit *unit = &units->units[low];
        struct fth_series one = {unit->start, unit->end - unit->start, 0, 1, false};
        if (unit->end <= box->start || !meets_room(sweep->file, box, unit->situation))
            continue;
        if ((in_row = meet_row(sweep, unit_of(sweep, box), units, unit))) {
            low += in_row - 1;
            continue;
        }
        uint64_t pairs = box->part_of ? new_pairs(seen, box, &one, name + low, true)
                                      : fth_series_pairs(&box->series->series, &one);
        meet_series(sweep, box->series, &one, unit->situation, unit->call, pairs * unit->times);
    }
}

static void meet_boxes(struct fth_sweep *sweep, const struct fth_box *a, const struct fth_box *b,
                       uint64_t name, struct seen *seen)
{
    const struct fth_access_series *other = b->series;
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

/* Reads, appends of one process, appends that stand for the same of their two sides, and room with
 * what writes and finds no end: whatever the order (fth_append_positions_is_pair). */
static bool are_never_pairs(const struct fth_conflict_file *file, const struct fth_box *a,
                            const struct fth_box *b)
{
    const struct fth_situation *one = &file->situations[a->series->situation];
    const struct fth_situation *other = &file->situations[b->series->situation];
    if (!one->writes && !other->writes)
        return true;
    if (is_room(file, a) || is_room(file, b))
        return one->writes && other->writes && one->region != FTH_REGION_END &&
               other->region != FTH_REGION_END;
    return fth_is_append(one) && fth_is_append(other) &&
           (one->proc == other->proc || one->region == other->region);
}

/* ---- a slice ---- */

void fth_sweep_boxes(struct fth_sweep *sweep, size_t slice)
{
    const struct fth_conflict_file *file = sweep->file;
    struct seen seen = {0};
    for (size_t i = slice ? file->box_slices[slice - 1] : 0; i < file->box_slices[slice]; i++) {
        const struct fth_box *box = &file->boxes[i];
        bool writes = file->situations[box->series->situation].writes;
        uint64_t within = fth_series_pairs_within(&box->series->series);
        if (within && writes)
            fth_sweep_add(sweep, box->series->situation, box->series->situation, within, box->start,
                          box->start + box->series->series.length, box->series->call,
                          box->series->call);
        if (!is_room(file, box))
            meet_units(sweep, box, &file->writes, 0, &seen);
        if (writes)
            meet_units(sweep, box, &file->reads, file->writes.count, &seen);
        for (size_t j = i + 1; j < file->box_count && file->boxes[j].start < box->end; j++) {
            const struct fth_box *other = &file->boxes[j];
            if (are_never_pairs(file, box, other)) {
                j = other->like - 1;
                continue;
            }
            size_t in_row =
                meet_row(sweep, unit_of(sweep, box), &file->open, unit_of(sweep, other));
            if (in_row) {
                j += in_row - 1;
                continue;
            }
            /* The names are those of the one that is expanded: the other one of a call with several
             * pieces. */
            meet_boxes(sweep, box, other, box->part_of ? file->box_names[j] : file->box_names[i],
                       &seen);
        }
    }
    free(seen.keys);
}

/* ---- boxes of a file ---- */

static int box_by_place(const void *a, const void *b)
{
    const struct fth_box *one = a, *other = b;
    if (one->start != other->start)
        return one->start < other->start ? -1 : 1;
    return one->number < other->number ? -1 : one->number > other->number;
}

/* Are those that make no pair with the one the same as those that make none with the other? */
static bool are_alike(const struct fth_conflict_file *file, const struct fth_box *a,
                      const struct fth_box *b)
{
    const struct fth_situation *one = &file->situations[a->series->situation];
    const struct fth_situation *other = &file->situations[b->series->situation];
    return one->writes == other->writes && one->region == other->region &&
           (!fth_is_append(one) || one->proc == other->proc);
}

static void find_like(struct fth_conflict_file *file)
{
    struct fth_box *boxes = file->boxes;
    for (size_t i = file->box_count; i-- > 0;)
        boxes[i].like = i + 1 < file->box_count && are_alike(file, &boxes[i], &boxes[i + 1])
                            ? boxes[i + 1].like
                            : i + 1;
}

/* Boxes with several pieces of one call stand one behind the other as they were gathered: they get
 * the number of the call. */
static void name_parts(struct fth_box *boxes, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct fth_access_series *last = boxes[i - 1].series, *series = boxes[i].series;
        if (!series->series.one_call || series->situation != last->situation ||
            series->call != last->call)
            continue;
        if (!boxes[i - 1].part_of)
            boxes[i - 1].part_of = (uint32_t)i;
        boxes[i].part_of = boxes[i - 1].part_of;
    }
}

/* Slices end where no call has boxes on both sides, so that each pair is counted in one of them
 * only. */
static void slice_boxes(struct fth_conflict_file *file)
{
    const struct fth_box *boxes = file->boxes;
    size_t *last = fth_new(file->box_count + 1, sizeof *last); /* box of a call */
    size_t begin = 0, reach = 0;
    for (size_t i = 0; i < file->box_count; i++)
        last[boxes[i].part_of] = i;
    for (size_t i = 0; i < file->box_count; i++) {
        if (boxes[i].part_of && last[boxes[i].part_of] > reach)
            reach = last[boxes[i].part_of];
        if (i + 1 < file->box_count && (i < reach || i + 1 - begin < BOXES_OF_SLICE))
            continue;
        FTH_GROW(file->box_slices, file->box_slice_count);
        file->box_slices[file->box_slice_count++] = begin = i + 1;
    }
    free(last);
}

void fth_sweep_boxes_settle(struct fth_conflict_file *file)
{
    uint64_t next = file->writes.count + file->reads.count;
    name_parts(file->boxes, file->box_count);
    qsort(file->boxes, file->box_count, sizeof *file->boxes, box_by_place);
    find_like(file);
    slice_boxes(file);
    file->box_names = fth_new(file->box_count + 1, sizeof *file->box_names);
    for (size_t i = 0; i < file->box_count; i++) {
        file->box_names[i] = next;
        next += file->boxes[i].series->series.count;
    }
}

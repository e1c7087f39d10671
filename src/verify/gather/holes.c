/* Holes that calls leave, and the bytes of reads that nobody has written before, which may be in
 * them. Both are situations of their own, that meet each other alone: a write over a hole, and a
 * read of what was written, have nothing to do with it. */
#include "verify/gather/holes.h"

#include "base/memory.h"
#include "verify/gather/file_lengths.h"
#include "verify/gather/largest.h"

/* Of a series that has more ranges, all between its ends counts as written. */
enum { MOST_RANGES = 1 << 16 };
/* Questions for the order; behind that, all that is written counts as written before. */
enum { MOST_QUESTIONS = 1 << 24 };

struct piece {
    uint64_t start, end;
    uint32_t situation, call;
};

struct hole {
    uint32_t situation;
    uint64_t start, end;
    const char *why_unsure; /* nobody knows whether the file had data there; or NULL */
};

struct holes {
    struct fth_run_accesses *accesses;
    const struct fth_runs *runs;
    const struct fth_first_length *first; /* by file */
    /* by situation: its pieces, where they begin; and where the last one begins and ends */
    struct piece *pieces;
    uint64_t *first_piece, *last_start, *last_end;
    uint64_t questions;
};

/* Accesses to one file in one layer. */
struct file_accesses {
    uint32_t *changes, *reads;
    size_t change_count, read_count;
    struct hole *holes;
    size_t hole_count;
    uint64_t hole_start, hole_end; /* of all */
    struct piece *written;         /* by start */
    size_t written_count;
    struct fth_largest ends; /* of what is written */
};

/* ---- pieces ---- */

static uint64_t pieces_of(const struct fth_series *series)
{
    return series->count <= MOST_RANGES && series->stride ? series->count : 1;
}

static void put_piece(struct holes *holes, uint32_t situation, uint64_t start, uint64_t end,
                      uint32_t call)
{
    holes->pieces[holes->first_piece[situation + 1]++] =
        (struct piece){start, end, situation, call};
    if (start > holes->last_start[situation])
        holes->last_start[situation] = start;
    if (end > holes->last_end[situation])
        holes->last_end[situation] = end;
}

static void put_series(struct holes *holes, const struct fth_access_series *from)
{
    const struct fth_series *series = &from->series;
    uint64_t count = pieces_of(series), last = series->start + series->stride * (series->count - 1);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t start = series->start + i * series->stride;
        put_piece(holes, from->situation, start,
                  count == 1 ? fth_series_end(series) : start + series->length, from->call);
    }
    if (last > holes->last_start[from->situation])
        holes->last_start[from->situation] = last;
}

static void index_pieces(struct holes *holes)
{
    const struct fth_run_accesses *accesses = holes->accesses;
    size_t count = accesses->situation_count;
    holes->first_piece = fth_new(count + 3, sizeof *holes->first_piece);
    holes->last_start = fth_new(count + 1, sizeof *holes->last_start);
    holes->last_end = fth_new(count + 1, sizeof *holes->last_end);
    for (size_t i = 0; i < accesses->range_count; i++)
        holes->first_piece[accesses->ranges[i].situation + 2]++;
    for (size_t i = 0; i < accesses->series_count; i++)
        holes->first_piece[accesses->series[i].situation + 2] +=
            pieces_of(&accesses->series[i].series);
    for (size_t i = 2; i < count + 3; i++)
        holes->first_piece[i] += holes->first_piece[i - 1];
    holes->pieces = fth_new(holes->first_piece[count + 2] + 1, sizeof *holes->pieces);
    for (size_t i = 0; i < accesses->range_count; i++) {
        const struct fth_access_range *range = &accesses->ranges[i];
        put_piece(holes, range->situation, range->start, range->start + range->length, range->call);
    }
    for (size_t i = 0; i < accesses->series_count; i++)
        put_series(holes, &accesses->series[i]);
}

/* ---- order ---- */

/* What a rank writes for others is ordered by their calls, too: of that it is not asked for. */
static bool was_written_before(struct holes *holes, const struct fth_situation *write,
                               const struct fth_situation *read)
{
    bool same = write->proc == read->proc && write->thread == read->thread;
    if (write->carrier != FTH_NO_CALL || read->carrier != FTH_NO_CALL ||
        holes->questions++ > MOST_QUESTIONS)
        return true;
    return same ? write->first_call < read->last_call
                : fth_situation_is_before(holes->runs, write, read);
}

/* ---- holes ---- */

/* How long the file is at least behind the change. */
static uint64_t length_behind(const struct holes *holes, uint32_t change)
{
    const struct fth_situation *situation = &holes->accesses->situations[change];
    return situation->cuts   ? situation->cut_at
           : situation->room ? situation->room
                             : holes->last_end[change];
}

/* Of a file that is changed. */
static const struct fth_first_length *first_length_of(const struct holes *holes,
                                                      const struct file_accesses *file)
{
    return &holes->first[holes->accesses->situations[file->changes[0]].opening];
}

static struct fth_length_change *lengths_of(const struct holes *holes,
                                            const struct file_accesses *file)
{
    struct fth_length_change *changes = fth_new(file->change_count + 1, sizeof *changes);
    for (size_t i = 0; i < file->change_count; i++)
        changes[i] = (struct fth_length_change){.situation = file->changes[i],
                                                .length = length_behind(holes, file->changes[i])};
    fth_file_lengths_find(holes->accesses, holes->runs, first_length_of(holes, file)->length,
                          changes, file->change_count);
    return changes;
}

/* The first byte that the change does not leave out; 0: it leaves none out, or which is not
 * known. */
static uint64_t leaves_out(const struct holes *holes, uint32_t change)
{
    const struct fth_situation *situation = &holes->accesses->situations[change];
    if (situation->unsure || situation->moves || fth_is_append(situation))
        return 0;
    if (situation->cuts || situation->room)
        return length_behind(holes, change);
    return situation->removes ? 0 : holes->last_start[change];
}

static void find_holes(struct holes *holes, struct file_accesses *file)
{
    if (!file->change_count)
        return;
    struct fth_length_change *lengths = lengths_of(holes, file);
    const struct fth_first_length *first = first_length_of(holes, file);
    for (size_t i = 0; i < file->change_count; i++) {
        uint64_t start = lengths[i].before, end = leaves_out(holes, file->changes[i]);
        bool is_known = first->is_known || lengths[i].was_cut;
        if (start >= end || !(is_known || first->why_unsure))
            continue;
        if (!file->hole_count || start < file->hole_start)
            file->hole_start = start;
        if (end > file->hole_end)
            file->hole_end = end;
        FTH_GROW(file->holes, file->hole_count);
        file->holes[file->hole_count++] =
            (struct hole){file->changes[i], start, end, is_known ? NULL : first->why_unsure};
    }
    free(lengths);
}

/* ---- what is added ---- */

static uint32_t add_copy(struct fth_run_accesses *accesses, uint32_t of, enum fth_region region)
{
    FTH_GROW(accesses->situations, accesses->situation_count);
    struct fth_situation *copy = &accesses->situations[accesses->situation_count];
    *copy = accesses->situations[of];
    copy->region = (uint8_t)region;
    copy->removes |= region != FTH_REGION_BARE && copy->room;
    copy->writes = region != FTH_REGION_BARE;
    copy->cuts = copy->empties = false;
    copy->carrier = FTH_NO_CALL;
    copy->contents = 0;
    return (uint32_t)accesses->situation_count++;
}

static void add_range(struct fth_run_accesses *accesses, uint32_t situation, uint64_t start,
                      uint64_t end, uint32_t call)
{
    FTH_GROW(accesses->ranges, accesses->range_count);
    accesses->ranges[accesses->range_count++] =
        (struct fth_access_range){start, end - start, situation, call};
}

static void add_changes(struct holes *holes, const struct file_accesses *file)
{
    for (size_t i = 0; i < file->change_count; i++) {
        uint64_t room = holes->accesses->situations[file->changes[i]].room;
        if (room)
            add_range(holes->accesses, add_copy(holes->accesses, file->changes[i], FTH_REGION_ROOM),
                      0, FTH_ENDLESS, 0);
    }
    for (size_t i = 0; i < file->hole_count; i++) {
        const struct hole *hole = &file->holes[i];
        uint32_t copy = add_copy(holes->accesses, hole->situation, FTH_REGION_HOLE);
        if (hole->why_unsure) {
            holes->accesses->situations[copy].unsure = true;
            holes->accesses->situations[copy].why_unsure = hole->why_unsure;
        }
        add_range(holes->accesses, copy, hole->start, hole->end, 0);
    }
}

/* ---- bytes that nobody wrote before ---- */

static int by_start(const void *a, const void *b)
{
    const struct piece *one = a, *other = b;
    return one->start < other->start ? -1 : one->start > other->start;
}

static void sort_written(struct holes *holes, struct file_accesses *file)
{
    for (size_t i = 0; i < file->change_count; i++) {
        uint32_t change = file->changes[i];
        if (holes->accesses->situations[change].removes || holes->accesses->situations[change].room)
            continue;
        for (uint64_t k = holes->first_piece[change]; k < holes->first_piece[change + 1]; k++) {
            FTH_GROW(file->written, file->written_count);
            file->written[file->written_count++] = holes->pieces[k];
        }
    }
    if (file->written_count)
        qsort(file->written, file->written_count, sizeof *file->written, by_start);
    file->ends = fth_largest_new(file->written_count);
    for (size_t i = 0; i < file->written_count; i++)
        fth_largest_put(&file->ends, i, file->written[i].end);
    fth_largest_settle(&file->ends);
}

struct bare {
    uint32_t of, situation; /* situation: UINT32_MAX, as long as there is none */
};

static void add_bare(struct holes *holes, struct bare *bare, uint64_t start, uint64_t end,
                     uint32_t call)
{
    if (bare->situation == UINT32_MAX)
        bare->situation = add_copy(holes->accesses, bare->of, FTH_REGION_BARE);
    add_range(holes->accesses, bare->situation, start, end, call);
}

static void find_bare(struct holes *holes, const struct file_accesses *file, struct bare *bare,
                      struct piece piece)
{
    uint64_t at = piece.start;
    for (size_t i = 0; at < piece.end; i++) {
        i = fth_largest_first(&file->ends, i, at);
        if (i == file->written_count || file->written[i].start >= piece.end)
            break;
        const struct piece *written = &file->written[i];
        if (!was_written_before(holes, &holes->accesses->situations[written->situation],
                                &holes->accesses->situations[bare->of]))
            continue;
        if (written->start > at)
            add_bare(holes, bare, at, written->start, piece.call);
        at = written->end;
    }
    if (at < piece.end)
        add_bare(holes, bare, at, piece.end, piece.call);
}

/* Of a read that found the end, it is compared with what was written behind that. */
static void find_reads(struct holes *holes, struct file_accesses *file)
{
    sort_written(holes, file);
    for (size_t i = 0; i < file->read_count; i++) {
        struct bare bare = {file->reads[i], UINT32_MAX};
        uint64_t found = holes->accesses->situations[bare.of].found_end;
        uint64_t end = found && found - 1 < file->hole_end ? found - 1 : file->hole_end;
        for (uint64_t k = holes->first_piece[bare.of]; k < holes->first_piece[bare.of + 1]; k++) {
            struct piece piece = holes->pieces[k];
            piece.start = piece.start > file->hole_start ? piece.start : file->hole_start;
            piece.end = piece.end < end ? piece.end : end;
            if (piece.start < piece.end)
                find_bare(holes, file, &bare, piece);
        }
    }
    free(file->written);
    fth_largest_free(&file->ends);
}

/* ---- all files ---- */

static void take_file(struct holes *holes, const uint32_t *situations, size_t count)
{
    struct file_accesses file = {.changes = fth_new(count + 1, sizeof(uint32_t)),
                                 .reads = fth_new(count + 1, sizeof(uint32_t))};
    for (size_t i = 0; i < count; i++) {
        const struct fth_situation *situation = &holes->accesses->situations[situations[i]];
        if (situation->writes || situation->room)
            file.changes[file.change_count++] = situations[i];
        else if (!situation->unsure)
            file.reads[file.read_count++] = situations[i];
    }
    if (file.read_count)
        find_holes(holes, &file);
    add_changes(holes, &file);
    if (file.hole_count)
        find_reads(holes, &file);
    free(file.changes);
    free(file.reads);
    free(file.holes);
}

/* What FTH_GROW takes an array of so many elements to have room for. */
static size_t power_of_two(size_t count)
{
    size_t room = 1;
    while (room < count)
        room *= 2;
    return room;
}

void fth_holes_find(struct fth_run_accesses *accesses, const struct fth_first_length *first,
                    const struct fth_runs *runs)
{
    struct holes holes = {.accesses = accesses, .runs = runs, .first = first};
    size_t count = 0, all = accesses->situation_count;
    uint32_t *sorted = fth_new(all + 1, sizeof *sorted);
    accesses->situations =
        fth_resize(accesses->situations, power_of_two(all), sizeof *accesses->situations);
    accesses->ranges =
        fth_resize(accesses->ranges, power_of_two(accesses->range_count), sizeof *accesses->ranges);
    index_pieces(&holes);
    for (uint32_t i = 0; i < all; i++)
        if (accesses->situations[i].region != FTH_REGION_END)
            sorted[count++] = i;
    qsort_r(sorted, count, sizeof *sorted, fth_situations_by_file, accesses->situations);
    for (size_t i = 0, end; i < count; i = end) {
        uint32_t file = accesses->situations[sorted[i]].opening;
        uint8_t layer = accesses->situations[sorted[i]].layer;
        for (end = i + 1; end < count; end++)
            if (accesses->situations[sorted[end]].opening != file ||
                accesses->situations[sorted[end]].layer != layer)
                break;
        take_file(&holes, sorted + i, end - i);
    }
    free(sorted);
    free(holes.pieces);
    free(holes.first_piece);
    free(holes.last_start);
    free(holes.last_end);
}

/* ---- pairs ---- */

/* Room is nothing to an append that came before it. */
static bool room_makes_pair(const struct fth_situation *room, const struct fth_situation *other,
                            bool is_unordered, bool other_is_first)
{
    if (other->cuts)
        return is_unordered && other->cut_at < room->room;
    if (other->region == FTH_REGION_END && other_is_first)
        return false;
    return other->found_end && other->found_end - 1 < room->room;
}

bool fth_holes_are_pair(const struct fth_situation *a, const struct fth_situation *b,
                        enum fth_precedence precedence)
{
    if (a->proc == b->proc)
        return false;
    bool is_unordered = precedence == FTH_UNORDERED_PAIR;
    if (a->region == FTH_REGION_ROOM)
        return room_makes_pair(a, b, is_unordered, precedence == FTH_SECOND_IS_FIRST);
    if (b->region == FTH_REGION_ROOM)
        return room_makes_pair(b, a, is_unordered, precedence == FTH_FIRST_IS_FIRST);
    return (a->region == FTH_REGION_HOLE && b->region == FTH_REGION_BARE) ||
           (a->region == FTH_REGION_BARE && b->region == FTH_REGION_HOLE);
}

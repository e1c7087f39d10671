/* Puts the calls on a file in one order, as far as there is one, and adds up its length along
 * that. */
#include "verify/gather/append_positions.h"

#include "base/memory.h"
#include "verify/gather/holes.h"

#include <string.h>

/* Situations of a file that are held against each other; where there are more, no place is
 * certain. */
enum { MOST_OF_A_FILE = 1024, MOST_CUTS = 64 };

/* What makes a hole leaves the file as long as it was. */
#define HOLE UINT64_MAX

/* A situation that may make the file longer or shorter. */
struct change {
    uint32_t situation;
    uint64_t end; /* of what it writes; of what cuts off: how much is left */
    bool cuts, appends, unsure;
    bool shortens; /* it cuts off, or moves what is behind it */
    bool tainted;  /* something that matters was in no order with it */
    uint32_t rank; /* how many came before it: who came first has fewer */
};

struct file_operations {
    const struct fth_runs *runs;
    const struct fth_situation *situations;
    struct change *changes;
    size_t count, cut_count;
    bool *before;   /* [a * count + b] */
    uint64_t first; /* how long it was before all changes; 0: not known */
};

/* Where an append's ranges go. */
struct placing {
    bool certain;
    uint64_t start; /* where it begins; or the least that it can be */
    uint64_t base;  /* what writes below here had no part in how long the file was */
};

/* ---- order ---- */

static bool is_over_at_once(const struct fth_situation *situation)
{
    return situation->begin.step == situation->end.step;
}

static bool came_before(const struct file_operations *file, const struct fth_situation *a,
                        const struct fth_situation *b)
{
    bool same = a->proc == b->proc && a->thread == b->thread;
    if (a->end.step == FTH_NEVER || (same && a->last_call >= b->first_call))
        return false;
    return (same && is_over_at_once(a)) || fth_runs_before(file->runs, a->end, b->begin);
}

/* Two plain writes make the file as long as the longer one does, whichever comes first. */
static bool order_matters(const struct change *a, const struct change *b)
{
    return a->cuts || a->appends || a->unsure || b->cuts || b->appends || b->unsure;
}

static void put_in_order(struct file_operations *file)
{
    file->before = fth_new(file->count * file->count + 1, sizeof *file->before);
    for (size_t i = 0; i < file->count; i++)
        for (size_t j = 0; j < file->count; j++) {
            struct change *a = &file->changes[i], *b = &file->changes[j];
            bool before = i != j && came_before(file, &file->situations[a->situation],
                                                &file->situations[b->situation]);
            file->before[i * file->count + j] = before;
            b->rank += before;
        }
    for (size_t i = 0; i < file->count; i++)
        for (size_t j = i + 1; j < file->count; j++) {
            struct change *a = &file->changes[i], *b = &file->changes[j];
            bool ordered = file->before[i * file->count + j] || file->before[j * file->count + i];
            if (!ordered && order_matters(a, b))
                a->tainted = b->tainted = true;
        }
}

/* ---- lengths ---- */

/* The last call before change `at` that cut the file off, in order with all others; count: there is
 * none. */
static size_t last_cut(const struct file_operations *file, size_t at)
{
    size_t last = file->count;
    for (size_t i = 0; i < file->count; i++)
        if (file->changes[i].cuts && !file->changes[i].tainted &&
            file->before[i * file->count + at] &&
            (last == file->count || file->changes[i].rank > file->changes[last].rank))
            last = i;
    return last;
}

/* How long the file was when `at` came, if that is certain. Appends before it have been placed:
 * their ends are known. */
static bool certain_length(const struct file_operations *file, size_t at, uint64_t *length)
{
    size_t cut = last_cut(file, at);
    if (cut == file->count || file->changes[at].tainted)
        return false;
    *length = file->changes[cut].end;
    for (size_t i = 0; i < file->count; i++) {
        const struct change *change = &file->changes[i];
        if (i == cut || !file->before[i * file->count + at] || !file->before[cut * file->count + i])
            continue;
        if (change->tainted || change->unsure)
            return false;
        if (change->end > *length)
            *length = change->end;
    }
    return true;
}

/* How long the file was before all changes, if nothing can have made it shorter before `at`. */
static uint64_t first_left(const struct file_operations *file, size_t at)
{
    for (size_t i = 0; i < file->count; i++)
        if (file->changes[i].shortens && !file->before[at * file->count + i])
            return 0;
    return file->first;
}

/* What was there or written before, as far as it cannot have been cut off before `at`. */
static uint64_t least_length(const struct file_operations *file, size_t at)
{
    uint64_t least = first_left(file, at);
    if (file->cut_count > MOST_CUTS)
        return 0;
    for (size_t i = 0; i < file->count; i++) {
        const struct change *change = &file->changes[i];
        uint64_t left = change->end;
        if (!file->before[i * file->count + at] || change->unsure)
            continue;
        for (size_t j = 0; j < file->count && left > least; j++)
            if (file->changes[j].cuts && j != i && !file->before[j * file->count + i] &&
                !file->before[at * file->count + j] && file->changes[j].end < left)
                left = file->changes[j].end;
        if (left > least)
            least = left;
    }
    return least;
}

/* ---- what was seen of appends in this run ---- */

/* All that an append may have found written, in one order or another. */
struct others {
    uint64_t appended;  /* by appends that came before it, or may have */
    uint64_t unordered; /* by those of them that may have come behind it */
    uint64_t written;   /* behind the last byte of plain writes */
    bool cuts;          /* some call cut the file off */
    bool unsure, tainted;
};

static uint64_t plus(uint64_t a, uint64_t b)
{
    return a > FTH_ENDLESS - b ? FTH_ENDLESS : a + b;
}

static void add_other(struct others *others, const struct change *change, uint64_t appended,
                      bool is_before)
{
    others->unsure |= change->unsure;
    others->tainted |= change->tainted;
    others->cuts |= change->cuts;
    if (change->appends) {
        others->appended = plus(others->appended, appended);
        others->unordered = plus(others->unordered, is_before ? 0 : appended);
    } else if (!change->cuts && change->end > others->written) {
        others->written = change->end;
    }
}

/* Where an append went says how long the file was then. Where nothing but appends had a part in
 * that, whatever the order, it holds but for what those brought that may come behind it: plain
 * writes had no part if what they wrote and all appends together do not reach so far. Else it holds
 * where all that came before is in one order. */
static void place_by_what_was_seen(const struct file_operations *file, size_t at,
                                   struct placing *placing)
{
    const struct fth_situation *situation = &file->situations[file->changes[at].situation];
    struct others others = {0};
    uint64_t seen = situation->observed - 1;
    if (!situation->observed)
        return;
    for (size_t i = 0; i < file->count; i++)
        if (i != at && !file->before[at * file->count + i])
            add_other(&others, &file->changes[i],
                      file->situations[file->changes[i].situation].appended,
                      file->before[i * file->count + at]);
    bool only_appends =
        !others.cuts && !others.unsure && plus(others.written, others.appended) < seen;
    if (only_appends && seen - others.appended > placing->base)
        placing->base = seen - others.appended;
    if (placing->certain || (!only_appends && (others.unsure || others.tainted)))
        return;
    placing->certain = others.unordered == 0;
    if (seen > others.unordered && seen - others.unordered > placing->start)
        placing->start = seen - others.unordered;
}

static int by_rank(const void *a, const void *b, void *context)
{
    const struct change *changes = context;
    uint32_t one = changes[*(const uint32_t *)a].rank, other = changes[*(const uint32_t *)b].rank;
    return one < other ? -1 : one > other;
}

/* First come first: an append that is placed says how long the file is for the next one. */
static void place_appends(struct file_operations *file, struct placing *placings)
{
    uint32_t *order = fth_new(file->count + 1, sizeof *order);
    for (uint32_t i = 0; i < file->count; i++)
        order[i] = i;
    put_in_order(file);
    qsort_r(order, file->count, sizeof *order, by_rank, file->changes);
    for (size_t i = 0; i < file->count; i++) {
        struct change *change = &file->changes[order[i]];
        struct placing *placing = &placings[change->situation];
        uint64_t appended = file->situations[change->situation].appended, length = 0;
        if (!change->appends)
            continue;
        placing->certain = certain_length(file, order[i], &length);
        placing->start = placing->certain ? length : least_length(file, order[i]);
        placing->base = first_left(file, order[i]);
        place_by_what_was_seen(file, order[i], placing);
        if (placing->start >= FTH_ENDLESS - 1 - appended) /* no file is so long */
            *placing = (struct placing){false, 0, 0};
        change->end = placing->start + appended; /* it is at least as long from then on */
    }
    free(order);
    free(file->before);
}

/* ---- all files ---- */

struct ends {
    struct fth_run_accesses *changes;
    const struct fth_first_length *first; /* by file */
    const struct fth_runs *runs;
    uint64_t *written; /* by situation: behind its last byte; of what cuts off: its first one */
    struct placing *placings;
    uint32_t *sorted; /* situations that write to files that are appended to, by layer and file */
    size_t sorted_count;
};

static void note_range(struct ends *ends, uint32_t situation, uint64_t start, uint64_t end)
{
    bool removes = ends->changes->situations[situation].removes;
    if (removes)
        ends->written[situation] = end < FTH_ENDLESS ? HOLE : start;
    else if (end > ends->written[situation])
        ends->written[situation] = end;
}

static void find_written(struct ends *ends)
{
    const struct fth_run_accesses *changes = ends->changes;
    for (size_t i = 0; i < changes->range_count; i++)
        note_range(ends, changes->ranges[i].situation, changes->ranges[i].start,
                   changes->ranges[i].start + changes->ranges[i].length);
    for (size_t i = 0; i < changes->series_count; i++)
        note_range(ends, changes->series[i].situation, changes->series[i].series.start,
                   fth_series_end(&changes->series[i].series));
    for (uint32_t i = 0; i < changes->situation_count; i++)
        if (changes->situations[i].room)
            ends->written[i] = changes->situations[i].room;
}

/* Those of one file, in one layer. */
static void place_file(struct ends *ends, const uint32_t *sorted, size_t count)
{
    const struct fth_situation *situations = ends->changes->situations;
    const struct fth_first_length *first = &ends->first[situations[*sorted].opening];
    struct file_operations file = {
        .runs = ends->runs, .situations = situations, .first = first->is_known ? first->length : 0};
    if (count > MOST_OF_A_FILE)
        return;
    file.changes = fth_new(count, sizeof *file.changes);
    for (size_t i = 0; i < count; i++) {
        const struct fth_situation *situation = &situations[sorted[i]];
        if (situation->removes && ends->written[sorted[i]] == HOLE)
            continue;
        bool removes = situation->removes && !situation->room;
        file.cut_count += removes;
        file.changes[file.count++] =
            (struct change){.situation = sorted[i],
                            .end = ends->written[sorted[i]],
                            .cuts = removes && !situation->moves,
                            .unsure = situation->unsure || situation->moves,
                            .shortens = removes,
                            .appends = situation->region == FTH_REGION_APPENDED};
    }
    place_appends(&file, ends->placings);
    free(file.changes);
}

static void place_all(struct ends *ends, uint32_t file_count, int together)
{
    const struct fth_run_accesses *changes = ends->changes;
    bool *appended = fth_new(file_count + 1, sizeof *appended);
    for (size_t i = 0; i < changes->situation_count; i++)
        appended[changes->situations[i].opening] |=
            changes->situations[i].region == FTH_REGION_APPENDED;
    for (uint32_t i = 0; i < changes->situation_count; i++)
        if ((changes->situations[i].writes || changes->situations[i].room) &&
            appended[changes->situations[i].opening] && changes->situations[i].layer != together)
            ends->sorted[ends->sorted_count++] = i;
    free(appended);
    if (ends->sorted_count == 0)
        return;
    qsort_r(ends->sorted, ends->sorted_count, sizeof *ends->sorted, fth_situations_by_file,
            changes->situations);
    for (size_t i = 0, end; i < ends->sorted_count; i = end) {
        const struct fth_situation *first = &changes->situations[ends->sorted[i]];
        for (end = i + 1; end < ends->sorted_count; end++) {
            const struct fth_situation *next = &changes->situations[ends->sorted[end]];
            if (next->opening != first->opening || next->layer != first->layer)
                break;
        }
        place_file(ends, ends->sorted + i, end - i);
    }
}

/* ---- what is left behind ---- */

static void move_ranges(struct ends *ends)
{
    struct fth_run_accesses *changes = ends->changes;
    for (size_t i = 0; i < changes->range_count; i++) {
        struct fth_access_range *range = &changes->ranges[i];
        const struct placing *placing = &ends->placings[range->situation];
        if (changes->situations[range->situation].region != FTH_REGION_APPENDED)
            continue;
        range->start = placing->start + (placing->certain ? range->start : 0);
        if (!placing->certain)
            range->length = FTH_ENDLESS - range->start;
    }
    for (size_t i = 0; i < changes->series_count; i++) {
        struct fth_access_series *series = &changes->series[i];
        const struct placing *placing = &ends->placings[series->situation];
        if (changes->situations[series->situation].region != FTH_REGION_APPENDED)
            continue;
        series->series.start = placing->start + (placing->certain ? series->series.start : 0);
        if (placing->certain)
            continue;
        series->series.length = FTH_ENDLESS - series->series.start;
        series->series.stride = 0;
    }
}

/* Neither where they went in this run is known, nor where they had to go. */
static void doubt(struct ends *ends)
{
    for (size_t i = 0; i < ends->changes->situation_count; i++) {
        struct fth_situation *situation = &ends->changes->situations[i];
        if (situation->region != FTH_REGION_APPENDED || ends->placings[i].certain ||
            situation->observed)
            continue;
        situation->unsure = true;
        situation->why_unsure = "it appends, and the size of the file is unknown";
    }
}

/* As many as there are calls: each of them has a pair with who wrote before it. */
static void add_ends(struct fth_run_accesses *changes, const struct placing *placings,
                     size_t appends)
{
    size_t count = changes->situation_count;
    uint64_t *times = fth_new(count + 1, sizeof *times);
    for (size_t i = 0; i < changes->range_count; i++)
        times[changes->ranges[i].situation]++;
    for (size_t i = 0; i < changes->series_count; i++)
        times[changes->series[i].situation] += changes->series[i].series.count;
    changes->situations =
        fth_resize(changes->situations, count + appends + 1, sizeof *changes->situations);
    changes->series =
        fth_resize(changes->series, changes->series_count + appends + 1, sizeof *changes->series);
    for (size_t i = 0; i < count; i++) {
        if (changes->situations[i].region != FTH_REGION_APPENDED || !times[i])
            continue;
        struct fth_situation *end = &changes->situations[changes->situation_count];
        *end = changes->situations[i];
        end->region = FTH_REGION_END;
        end->unsure = false;
        end->why_unsure = NULL;
        end->carrier = FTH_NO_CALL;
        end->found_end = placings[i].base + 1;
        changes->series[changes->series_count++] = (struct fth_access_series){
            {placings[i].base, FTH_ENDLESS - placings[i].base, 0, times[i], false},
            (uint32_t)changes->situation_count++,
            0};
    }
    free(times);
}

void fth_append_positions_find(struct fth_run_accesses *changes,
                               const struct fth_first_length *first, uint32_t file_count,
                               const struct fth_runs *runs, int together)
{
    struct ends ends = {.changes = changes, .first = first, .runs = runs};
    size_t count = 0;
    for (size_t i = 0; i < changes->situation_count; i++)
        count += changes->situations[i].region == FTH_REGION_APPENDED;
    if (count == 0)
        return;
    ends.written = fth_new(changes->situation_count + 1, sizeof *ends.written);
    ends.placings = fth_new(changes->situation_count + 1, sizeof *ends.placings);
    ends.sorted = fth_new(changes->situation_count + 1, sizeof *ends.sorted);
    find_written(&ends);
    place_all(&ends, file_count, together);
    move_ranges(&ends);
    doubt(&ends);
    add_ends(changes, ends.placings, count);
    free(ends.written);
    free(ends.placings);
    free(ends.sorted);
}

/* ---- pairs ---- */

static bool end_makes_pair(const struct fth_situation *end, const struct fth_situation *other,
                           bool end_is_before, bool is_before_end)
{
    if (!other->writes || other->region == FTH_REGION_END || end->proc == other->proc)
        return false;
    if (other->region == FTH_REGION_APPENDED && !end_is_before && !is_before_end)
        return other->proc < end->proc; /* each of the two would have the other one */
    return !end_is_before;
}

bool fth_append_positions_is_pair(const struct fth_situation *a, const struct fth_situation *b,
                                  enum fth_precedence precedence)
{
    bool a_first = precedence == FTH_FIRST_IS_FIRST, b_first = precedence == FTH_SECOND_IS_FIRST;
    if (a->region >= FTH_REGION_HOLE || b->region >= FTH_REGION_HOLE)
        return fth_holes_are_pair(a, b, precedence);
    if (a->cuts && b->cuts) /* whichever comes last says how long the file is */
        return a->cut_at != b->cut_at && precedence == FTH_UNORDERED_PAIR;
    if (a->removes && b->removes && !a->moves && !b->moves)
        return false;
    if (a->description && a->description == b->description)
        return false; /* each moves the descriptor on: the system lets them take turns */
    if (a->region == FTH_REGION_END)
        return end_makes_pair(a, b, a_first, b_first);
    if (b->region == FTH_REGION_END)
        return end_makes_pair(b, a, b_first, a_first);
    bool a_appends = a->region == FTH_REGION_APPENDED, b_appends = b->region == FTH_REGION_APPENDED;
    if (a_appends && b_appends)
        return false;
    if (a->proc == b->proc)
        return true;
    if (a_appends && b->writes)
        return a_first;
    if (b_appends && a->writes)
        return b_first;
    return true;
}

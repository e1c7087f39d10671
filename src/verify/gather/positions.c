/* Where descriptors stood that several processes had: intervals in order, one begins where the one
 * before it has left off. Behind two that nothing orders it is not known any more, nor where a
 * process may have moved the descriptor of which calls are not in the trace. */
#include "verify/gather/ownership.h"

#include "base/memory.h"
#include "verify/gather/descriptions.h"
#include "verify/gather/sharings.h"

#include <string.h>

/* What is found out of a interval. */
struct place {
    int64_t begins; /* -1: not known */
    bool settled;   /* it is in order with all others of its open file */
    bool shared;    /* another process has intervals of that */
};

struct positions {
    struct fth_run_accesses *accesses;
    const struct fth_runs *runs;
    struct fth_descriptions descriptions;
    uint32_t *unseen; /* processes that may have done what is not in the trace */
    size_t unseen_count;
    bool *is_alone; /* by description: all accesses to the file are by this one */
    bool *in_turns; /* by description: all have taken turns */
    struct place *places;
    bool *disordered; /* by interval: it is in no order with another process's */
};

/* ---- order ---- */

static bool came_before(const struct positions *positions, uint32_t a, uint32_t b)
{
    const struct fth_ownership_interval *one = &positions->accesses->intervals[a];
    const struct fth_ownership_interval *other = &positions->accesses->intervals[b];
    if (one->proc == other->proc && one->thread == other->thread)
        return one->last_call < other->first_call;
    return fth_runs_before(positions->runs, one->end, other->begin);
}

static uint32_t description_of(const struct positions *positions, uint32_t interval)
{
    return positions->descriptions.of_opening[positions->accesses->intervals[interval].opening];
}

static int by_description_and_start(const void *a, const void *b, void *context)
{
    const struct positions *positions = context;
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    uint32_t i = description_of(positions, one), j = description_of(positions, other);
    int64_t start = positions->accesses->intervals[one].start;
    int64_t other_start = positions->accesses->intervals[other].start;
    if (i != j)
        return i < j ? -1 : 1;
    if (start != other_start)
        return start < other_start ? -1 : 1;
    return one < other ? -1 : one > other;
}

/* How many of the first ones came one after the other, and before all the rest. */
static size_t in_order(const struct positions *positions, const uint32_t *sorted, size_t count)
{
    size_t ordered = 1;
    while (ordered < count && came_before(positions, sorted[ordered - 1], sorted[ordered]))
        ordered++;
    for (size_t i = ordered; i < count; i++)
        while (ordered && !came_before(positions, sorted[ordered - 1], sorted[i]))
            ordered--;
    return ordered;
}

/* ---- what is not in the trace ---- */

static void add_unseen(struct positions *positions, uint32_t proc)
{
    FTH_GROW(positions->unseen, positions->unseen_count);
    positions->unseen[positions->unseen_count++] = proc;
}

/* Processes with lost calls, those that became programs of which nothing was recorded, and those
 * that made others that were not seen. */
static void find_unseen(struct positions *positions)
{
    const struct fth_runs *runs = positions->runs;
    struct fth_intern pids = {0};
    bool *goes_on = fth_new(runs->process_count + 1, sizeof *goes_on);
    for (uint32_t i = 0; i < runs->process_count; i++) {
        int64_t key[2] = {runs->run_of_proc[i], fth_runs_process(runs, i)->pid};
        uint32_t before = fth_runs_predecessor(runs, i);
        fth_intern(&pids, key, sizeof key);
        if (before != FTH_NO_PREDECESSOR && fth_runs_process(runs, before)->pid == key[1])
            goes_on[before] = true;
    }
    for (uint32_t i = 0; i < runs->process_count; i++) {
        const struct fth_process *process = fth_runs_process(runs, i);
        if (fth_process_lacks_calls(process) ||
            (!goes_on[i] && strcmp(process->how_ended, "exec") == 0))
            add_unseen(positions, i);
    }
    for (size_t i = 0; i < positions->accesses->birth_count; i++) {
        const struct fth_birth *birth = &positions->accesses->births[i];
        int64_t key[2] = {runs->run_of_proc[birth->proc], birth->pid};
        uint32_t number;
        if (!fth_intern_find(&pids, key, sizeof key, &number))
            add_unseen(positions, birth->proc);
    }
    fth_intern_free(&pids);
    free(goes_on);
}

/* May one of them have an open file? It comes from who opened that. */
static bool is_within_reach(const struct positions *positions, uint32_t description)
{
    uint32_t opener = positions->descriptions.openers[description];
    for (size_t i = 0; i < positions->unseen_count; i++)
        for (uint32_t proc = positions->unseen[i]; proc != FTH_NO_PREDECESSOR;
             proc = fth_runs_predecessor(positions->runs, proc))
            if (opener == FTH_NO_DESCRIPTION || proc == opener)
                return true;
    return false;
}

/* ---- where intervals begin ---- */

/* Where an open file stood before the run makes no difference if nobody accesses the file in
 * another way. */
static void find_alone(struct positions *positions, uint32_t file_count)
{
    enum { NOBODY, NOT_ONE, FIRST }; /* or the description plus FIRST */
    const struct fth_run_accesses *accesses = positions->accesses;
    uint64_t *owners = fth_new(file_count + 1, sizeof *owners);
    positions->is_alone = fth_new(positions->descriptions.count + 1, sizeof *positions->is_alone);
    for (size_t i = 0; i < accesses->situation_count; i++) {
        const struct fth_situation *situation = &accesses->situations[i];
        uint32_t description = situation->interval == FTH_NO_INTERVAL
                                   ? FTH_NO_DESCRIPTION
                                   : description_of(positions, situation->interval);
        uint64_t owner =
            description == FTH_NO_DESCRIPTION ? NOT_ONE : (uint64_t)description + FIRST;
        uint64_t *known = &owners[situation->opening];
        *known = *known == NOBODY || *known == owner ? owner : NOT_ONE;
    }
    for (uint32_t file = 0; file < file_count; file++)
        if (owners[file] >= FIRST)
            positions->is_alone[owners[file] - FIRST] = true;
    free(owners);
}

static int64_t left_by(const struct fth_ownership_interval *interval, int64_t begin)
{
    int64_t left;
    if (interval->lost || interval->by_threads)
        return -1;
    if (interval->placed)
        return interval->left;
    return begin < 0 || __builtin_add_overflow(begin, interval->left, &left) ? -1 : left;
}

/* Which of those behind the ordered ones are in no order with one of another process? */
static void find_disordered(struct positions *positions, const uint32_t *sorted, size_t count)
{
    const struct fth_ownership_interval *intervals = positions->accesses->intervals;
    size_t ordered = in_order(positions, sorted, count);
    bool several = false;
    for (size_t i = ordered + 1; i < count; i++)
        several |= intervals[sorted[i]].proc != intervals[sorted[ordered]].proc;
    for (size_t i = ordered; several && i < count; i++)
        positions->disordered[sorted[i]] = true;
}

/* Intervals of one open file. */
static void place(struct positions *positions, const uint32_t *sorted, size_t count)
{
    const struct fth_ownership_interval *intervals = positions->accesses->intervals;
    uint32_t description = description_of(positions, sorted[0]);
    bool known = description != FTH_NO_DESCRIPTION, shared = !known;
    for (size_t i = 1; i < count; i++)
        shared |= intervals[sorted[i]].proc != intervals[sorted[0]].proc;
    size_t ordered =
        known && !is_within_reach(positions, description) ? in_order(positions, sorted, count) : 0;
    if (known)
        find_disordered(positions, sorted, count);
    bool at_0 = known && (positions->descriptions.openers[description] != FTH_NO_DESCRIPTION ||
                          positions->is_alone[description]);
    int64_t at = at_0 ? 0 : -1;
    for (size_t i = 0; i < count; i++) {
        const struct fth_ownership_interval *interval = &intervals[sorted[i]];
        bool settled = i < ordered;
        bool alone = !interval->may_have_moved && !interval->inherited;
        if (interval->own_is_known && (alone || (settled && at < 0)))
            at = interval->own;
        positions->places[sorted[i]] = (struct place){settled ? at : -1, settled, shared};
        at = left_by(interval, at);
    }
}

static void place_all(struct positions *positions)
{
    size_t count = positions->accesses->interval_count;
    uint32_t *sorted = fth_new(count + 1, sizeof *sorted);
    positions->places = fth_new(count + 1, sizeof *positions->places);
    positions->disordered = fth_new(count + 1, sizeof *positions->disordered);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = i;
    qsort_r(sorted, count, sizeof *sorted, by_description_and_start, positions);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && description_of(positions, sorted[end]) ==
                                             description_of(positions, sorted[i]);
             end++)
            ;
        place(positions, sorted + i, end - i);
    }
    free(sorted);
}

/* ---- what comes of it ---- */

static const char moved_by_others[] = "another process may have changed the file position";

/* How far the ranges of a situation are from where they are; *forget: that is not known. */
static int64_t shift_of(const struct positions *positions, const struct fth_situation *situation,
                        bool *forget)
{
    const struct fth_ownership_interval *interval =
        &positions->accesses->intervals[situation->interval];
    const struct place *place = &positions->places[situation->interval];
    bool recorded = situation->placed && interval->in_turns;
    bool moved = !place->settled && place->shared && !recorded &&
                 (interval->may_have_moved || interval->inherited);
    if (!situation->placed && place->begins >= 0 && (place->shared || !interval->own_is_known))
        return place->begins - interval->own;
    *forget = moved || !(situation->placed || interval->own_is_known);
    return 0;
}

static void find_turns(struct positions *positions)
{
    positions->in_turns = fth_new(positions->descriptions.count + 1, sizeof *positions->in_turns);
    memset(positions->in_turns, true, positions->descriptions.count);
    for (uint32_t i = 0; i < positions->accesses->interval_count; i++)
        if (!positions->accesses->intervals[i].in_turns &&
            description_of(positions, i) != FTH_NO_DESCRIPTION)
            positions->in_turns[description_of(positions, i)] = false;
}

static void settle(const struct positions *positions, int64_t *shifts, bool *forgotten)
{
    struct fth_run_accesses *accesses = positions->accesses;
    for (size_t i = 0; i < accesses->situation_count; i++) {
        struct fth_situation *situation = &accesses->situations[i];
        if (situation->interval == FTH_NO_INTERVAL || situation->region != FTH_REGION_BYTES)
            continue;
        uint32_t description = description_of(positions, situation->interval);
        if (description != FTH_NO_DESCRIPTION && positions->in_turns[description])
            situation->description = description + 1;
        if (description != FTH_NO_DESCRIPTION && situation->inherited)
            situation->opener = positions->descriptions.openers[description] + 1;
        shifts[i] = shift_of(positions, situation, &forgotten[i]);
        situation->read_end =
            forgotten[i] ? FTH_ENDLESS : situation->read_end + (uint64_t)shifts[i];
        situation->unsure = forgotten[i];
        if (!forgotten[i])
            situation->why_unsure = NULL;
        else if (!situation->why_unsure)
            situation->why_unsure = moved_by_others;
        situation->contents = forgotten[i] || shifts[i] ? 0 : situation->contents;
    }
}

/* Status flags are the open file's: where one process changed whether a descriptor appends, where
 * others write is not known that may share that: one of the two has it from elsewhere. */
static void doubt_flags(const struct positions *positions, bool *forgotten)
{
    static const char by_others[] = "another process changed whether a descriptor appends";
    struct fth_run_accesses *accesses = positions->accesses;
    for (size_t k = 0; k < accesses->opening_count; k++) {
        const struct fth_opening *opening = &accesses->openings[k];
        for (size_t i = 0; opening->changes_appending && i < accesses->situation_count; i++) {
            struct fth_situation *situation = &accesses->situations[i];
            if (situation->opening != opening->file || situation->proc == opening->proc ||
                !situation->writes || situation->removes || situation->is_mapping ||
                (!opening->inherited && !situation->inherited))
                continue;
            forgotten[i] = situation->unsure = true;
            situation->why_unsure = by_others;
            situation->region = FTH_REGION_BYTES;
            situation->contents = 0;
        }
    }
}

/* Who takes turns with a writer in no order gets bytes of its own, but which ones is chance. */
static void count_turns(const struct positions *positions)
{
    struct fth_run_accesses *accesses = positions->accesses;
    bool *written = fth_new(positions->descriptions.count + 1, sizeof *written);
    for (size_t i = 0; i < accesses->situation_count; i++) {
        const struct fth_situation *situation = &accesses->situations[i];
        if (situation->description && situation->writes &&
            positions->disordered[situation->interval])
            written[situation->description - 1] = true;
    }
    for (uint32_t i = 0; i < accesses->interval_count; i++) {
        uint32_t description = description_of(positions, i);
        if (positions->disordered[i] && written[description])
            fth_name_count(&accesses->turn_names,
                           accesses->openings[accesses->intervals[i].opening].name, 1);
    }
    free(written);
}

static void move_ranges(struct fth_run_accesses *accesses, const int64_t *shifts,
                        const bool *forgotten)
{
    for (size_t i = 0; i < accesses->range_count; i++) {
        struct fth_access_range *range = &accesses->ranges[i];
        range->start += (uint64_t)shifts[range->situation];
        if (forgotten[range->situation]) {
            range->start = 0;
            range->length = FTH_ENDLESS;
        }
    }
    for (size_t i = 0; i < accesses->series_count; i++) {
        struct fth_series *series = &accesses->series[i].series;
        series->start += (uint64_t)shifts[accesses->series[i].situation];
        if (forgotten[accesses->series[i].situation])
            *series = (struct fth_series){0, FTH_ENDLESS, 0, series->count, series->one_call};
    }
}

void fth_ownership_settle(struct fth_run_accesses *accesses, const struct fth_runs *runs,
                          uint32_t file_count)
{
    struct positions positions = {.accesses = accesses, .runs = runs};
    int64_t *shifts = fth_new(accesses->situation_count + 1, sizeof *shifts);
    bool *forgotten = fth_new(accesses->situation_count + 1, sizeof *forgotten);
    fth_descriptions_find(&positions.descriptions, accesses, runs);
    find_unseen(&positions);
    find_alone(&positions, file_count);
    place_all(&positions);
    find_turns(&positions);
    settle(&positions, shifts, forgotten);
    doubt_flags(&positions, forgotten);
    fth_sharings_doubt(accesses, runs, forgotten);
    move_ranges(accesses, shifts, forgotten);
    count_turns(&positions);
    fth_descriptions_free(&positions.descriptions);
    free(positions.unseen);
    free(positions.is_alone);
    free(positions.in_turns);
    free(positions.places);
    free(positions.disordered);
    free(forgotten);
    free(shifts);
}

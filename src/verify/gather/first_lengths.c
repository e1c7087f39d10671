/* How long files were before the run changed them, as far as an opening, or that they were made,
 * says so; and from that, and all that makes a file longer, how long it can be. */
#include "verify/gather/first_lengths.h"

#include "base/memory.h"

struct lengths {
    const struct fth_run_accesses *accesses;
    struct fth_first_length *first; /* by file */
};

/* Of each file the opening of which its length is known first. */
static void find_sized(struct lengths *lengths)
{
    for (size_t i = 0; i < lengths->accesses->opening_count; i++) {
        const struct fth_opening *opening = &lengths->accesses->openings[i];
        struct fth_first_length *first = &lengths->first[opening->file];
        if (opening->size && (!first->opened || opening->sized < first->opened->sized))
            first->opened = opening;
    }
    for (size_t i = 0; i < lengths->accesses->situation_count; i++) {
        const struct fth_situation *change = &lengths->accesses->situations[i];
        struct fth_first_length *first = &lengths->first[change->opening];
        const struct fth_opening *opened = first->opened;
        if (opened && (change->writes || change->room) &&
            change->start < (change->proc == opened->proc ? opened->time : opened->sized))
            first->opened = NULL; /* it may have been changed before */
    }
}

/* Of files that the call that opened them first would have made, or has made. */
static void find_new(struct lengths *lengths, uint32_t file_count)
{
    const struct fth_run_accesses *accesses = lengths->accesses;
    int64_t *opened = fth_new(file_count + 1, sizeof *opened);
    for (size_t i = 0; i < file_count; i++)
        opened[i] = INT64_MAX;
    for (size_t i = 0; i < accesses->opening_count; i++) {
        const struct fth_opening *opening = &accesses->openings[i];
        struct fth_first_length *first = &lengths->first[opening->file];
        if (opening->time < opened[opening->file]) {
            opened[opening->file] = opening->time;
            first->why_unsure = opening->was_seen && opening->creates
                                    ? "the file may have been new: how long it was is not known"
                                    : NULL;
        }
        first->is_known |= opening->was_seen && (opening->exclusive || opening->is_nameless);
    }
    for (size_t i = 0; i < accesses->situation_count; i++)
        lengths->first[accesses->situations[i].opening].is_known |=
            accesses->situations[i].removes_nothing;
    free(opened);
}

struct fth_first_length *fth_first_lengths_new(const struct fth_run_accesses *accesses,
                                               uint32_t file_count)
{
    struct lengths all = {accesses, fth_new(file_count + 1, sizeof *all.first)};
    find_new(&all, file_count);
    find_sized(&all);
    for (size_t i = 0; i < file_count; i++) {
        struct fth_first_length *first = &all.first[i];
        if (!first->is_known && !first->why_unsure)
            first->why_unsure = "how long the file was before is unknown";
        if (first->is_known || !first->opened)
            continue;
        first->length = first->opened->size - 1;
        first->is_known = !first->opened->size_is_hint;
        first->why_unsure = "how long the file was before is known to its servers only";
    }
    return all.first;
}

/* ---- how long a file can be ---- */

static void may_be(uint64_t *most, uint32_t file, uint64_t length)
{
    if (length > most[file])
        most[file] = length;
}

static bool writes_at(const struct fth_situation *situation)
{
    return situation->writes && !situation->removes && !fth_is_append(situation);
}

/* How long each file is at most, whatever the order; of files of MPI it is not asked. */
static uint64_t *most_of_files(const struct fth_run_accesses *accesses,
                               const struct fth_first_length *first, uint32_t file_count)
{
    uint64_t *most = fth_new(file_count + 1, sizeof *most);
    const struct fth_situation *situations = accesses->situations;
    for (uint32_t i = 0; i < file_count; i++)
        most[i] = first[i].is_known ? first[i].length : FTH_ENDLESS;
    for (size_t i = 0; i < accesses->situation_count; i++) {
        const struct fth_situation *situation = &situations[i];
        may_be(most, situation->opening, situation->moves ? FTH_ENDLESS : situation->room);
        may_be(most, situation->opening, situation->cut_at);
    }
    for (size_t i = 0; i < accesses->range_count; i++) {
        const struct fth_access_range *range = &accesses->ranges[i];
        const struct fth_situation *situation = &situations[range->situation];
        if (writes_at(situation))
            may_be(most, situation->opening, range->start + range->length);
    }
    for (size_t i = 0; i < accesses->series_count; i++) {
        const struct fth_situation *situation = &situations[accesses->series[i].situation];
        if (writes_at(situation))
            may_be(most, situation->opening, fth_series_end(&accesses->series[i].series));
    }
    for (size_t i = 0; i < accesses->situation_count; i++) {
        uint64_t *length = &most[situations[i].opening], appended = situations[i].appended;
        *length = *length >= FTH_ENDLESS - appended ? FTH_ENDLESS : *length + appended;
    }
    for (size_t i = 0; i < accesses->opening_count; i++) {
        const struct fth_opening *opening = &accesses->openings[i];
        if (opening->by_mpi || opening->size_is_hint)
            most[opening->file] = FTH_ENDLESS;
        else if (opening->size)
            may_be(most, opening->file, opening->size - 1);
    }
    return most;
}

/* What begins behind the end that the file has at most is not there in any order. What begins
 * before it stays as it is: a read that found the end meets a truncation that makes the file
 * longer behind the length that it sets (cuts.h). */
static bool is_behind(const struct fth_situation *situation, const uint64_t *most, uint64_t start)
{
    return !situation->writes && start >= most[situation->opening];
}

void fth_first_lengths_drop_reads(struct fth_run_accesses *accesses,
                                  const struct fth_first_length *first, uint32_t file_count)
{
    uint64_t *most = most_of_files(accesses, first, file_count);
    const struct fth_situation *situations = accesses->situations;
    size_t kept = 0;
    for (size_t i = 0; i < accesses->range_count; i++) {
        const struct fth_access_range range = accesses->ranges[i];
        if (!is_behind(&situations[range.situation], most, range.start))
            accesses->ranges[kept++] = range;
    }
    accesses->range_count = kept;
    kept = 0;
    for (size_t i = 0; i < accesses->series_count; i++) {
        const struct fth_access_series series = accesses->series[i];
        if (!is_behind(&situations[series.situation], most, series.series.start))
            accesses->series[kept++] = series;
    }
    accesses->series_count = kept;
    free(most);
}

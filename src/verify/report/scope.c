/* What was compared, and what could not be: of accesses whose bytes are not known those are
 * reported on which the verdict may depend. */
#include "verify/report/scope.h"

#include "base/memory.h"

#include <string.h>

static int most_times_first(const void *a, const void *b)
{
    const struct fth_verdict_file *one = a, *other = b;
    if (one->times != other->times)
        return one->times > other->times ? -1 : 1;
    return strcmp(one->name, other->name);
}

static struct fth_verdict_file *files_of(const struct fth_run_accesses *accesses,
                                         const struct fth_name_counts *counts, size_t *count)
{
    struct fth_verdict_file *files = NULL;
    size_t length;
    *count = 0;
    for (uint32_t i = 0; i < counts->limit; i++)
        if (counts->counts[i]) {
            FTH_GROW(files, *count);
            files[(*count)++] = (struct fth_verdict_file){
                fth_run_accesses_name(accesses, i, &length), counts->counts[i]};
        }
    if (*count)
        qsort(files, *count, sizeof *files, most_times_first);
    return files;
}

/* ---- who uses a file ---- */

struct users {
    uint64_t one;            /* a process and thread; 0: nobody */
    bool processes, threads; /* more than one */
    bool written;
};

static struct users *users_of(const struct fth_run_accesses *accesses, uint32_t file_count)
{
    struct users *users = fth_new(file_count + 1, sizeof *users);
    for (size_t i = 0; i < accesses->situation_count; i++) {
        const struct fth_situation *situation = &accesses->situations[i];
        struct users *of_file = &users[situation->opening];
        uint64_t one = ((uint64_t)situation->proc + 1) << 32 | situation->thread;
        of_file->written |= situation->writes;
        of_file->threads |= of_file->one && of_file->one != one;
        of_file->processes |= of_file->one && of_file->one >> 32 != one >> 32;
        of_file->one = one;
    }
    return users;
}

/* Files that were opened and closed only have none. */
static uint64_t count_used(const struct users *users, uint32_t file_count)
{
    uint64_t used = 0;
    for (uint32_t i = 0; i < file_count; i++)
        used += users[i].one != 0;
    return used;
}

static uint64_t count_shared(const struct users *users, uint32_t file_count)
{
    uint64_t shared = 0;
    for (uint32_t i = 0; i < file_count; i++)
        shared += users[i].processes;
    return shared;
}

/* ---- accesses whose bytes are not known ---- */

/* Holes, and what they meet, come of accesses: which bytes these access is another question. */
static bool is_access(const struct fth_situation *situation)
{
    return situation->region == FTH_REGION_BYTES || fth_is_append(situation);
}

static void count_unknown(struct fth_verdict *verdict, const struct fth_run_accesses *accesses,
                          const struct fth_files *files, const struct users *users,
                          uint32_t situation, uint64_t times, struct fth_name_counts *names)
{
    const struct fth_situation *of = &accesses->situations[situation];
    const struct users *of_file = &users[of->opening];
    if (!of->why_unsure || !is_access(of) || of->is_mapping || !of_file->written ||
        !of_file->threads)
        return;
    if (!verdict->unknown_why)
        verdict->unknown_why = of->why_unsure;
    verdict->unknown_accesses += times;
    fth_name_count(names, files->names[of->opening], times);
}

static void find_unknown(struct fth_verdict *verdict, const struct fth_run_accesses *accesses,
                         const struct fth_files *files, const struct users *users)
{
    struct fth_name_counts names = {0};
    for (size_t i = 0; i < accesses->range_count; i++)
        count_unknown(verdict, accesses, files, users, accesses->ranges[i].situation, 1, &names);
    for (size_t i = 0; i < accesses->series_count; i++)
        count_unknown(verdict, accesses, files, users, accesses->series[i].situation,
                      accesses->series[i].series.one_call ? 1 : accesses->series[i].series.count,
                      &names);
    verdict->unknown_files = files_of(accesses, &names, &verdict->unknown_file_count);
    free(names.counts);
}

void fth_scope_find(struct fth_verdict *verdict, const struct fth_run_accesses *accesses,
                    const struct fth_files *files)
{
    struct users *users = users_of(accesses, files->count);
    verdict->accesses = accesses->accesses;
    verdict->contents = accesses->contents;
    verdict->files = count_used(users, files->count);
    verdict->shared_files = count_shared(users, files->count);
    verdict->mapped = accesses->mapped;
    verdict->mapped_files =
        files_of(accesses, &accesses->mapped_names, &verdict->mapped_file_count);
    verdict->turn_files = files_of(accesses, &accesses->turn_names, &verdict->turn_file_count);
    verdict->vague_turn_files =
        files_of(accesses, &accesses->vague_turn_names, &verdict->vague_turn_file_count);
    find_unknown(verdict, accesses, files, users);
    free(users);
}

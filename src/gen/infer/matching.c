/* All processes make the same collective calls on the communicator of all of them, in one order. So
 * how many a process has made before a round says which rounds of others are beside it. */
#include "gen/infer/matching.h"

#include "base/memory.h"

#include <string.h>

/* The number of meetings before a round, and of rounds since. */
struct moment {
    uint64_t meetings, since;
};

static int compare(const void *left, const void *right)
{
    const struct moment *a = left, *b = right;
    if (a->meetings != b->meetings)
        return a->meetings < b->meetings ? -1 : 1;
    return (a->since > b->since) - (a->since < b->since);
}

static struct moment moment_of(const struct fth_gen_recorded_rank *rank, size_t round,
                               struct moment before)
{
    uint64_t meetings = rank->rounds[round].meetings;
    bool same = round && before.meetings == meetings;
    return (struct moment){meetings, same ? before.since + 1 : 0};
}

/* All moments of all ranks, each once, in order. */
static struct moment *list_moments(const struct fth_gen_recorded *recorded,
                                   const struct fth_gen_recorded_file *file, size_t *count)
{
    size_t all = 0, kept = 0;
    for (int64_t rank = 0; rank < recorded->ranks; rank++)
        all += file->ranks[rank].round_count;
    struct moment *moments = fth_new(all + 1, sizeof *moments);
    all = 0;
    for (int64_t rank = 0; rank < recorded->ranks; rank++)
        for (size_t i = 0; i < file->ranks[rank].round_count; i++, all++)
            moments[all] =
                moment_of(&file->ranks[rank], i, i ? moments[all - 1] : (struct moment){0});
    qsort(moments, all, sizeof *moments, compare);
    for (size_t i = 0; i < all; i++)
        if (!i || compare(&moments[i], &moments[kept - 1]) != 0)
            moments[kept++] = moments[i];
    *count = kept;
    return moments;
}

static void match_by_meeting(struct fth_gen_matching *matching,
                             const struct fth_gen_recorded *recorded,
                             const struct fth_gen_recorded_file *file)
{
    struct moment *moments = list_moments(recorded, file, &matching->count);
    for (int64_t rank = 0; rank < recorded->ranks; rank++) {
        const struct fth_gen_recorded_rank *of = &file->ranks[rank];
        struct moment now = {0};
        for (size_t i = 0; i < of->round_count; i++) {
            now = moment_of(of, i, now);
            const struct moment *found =
                bsearch(&now, moments, matching->count, sizeof *moments, compare);
            matching->of[rank][i] = (size_t)(found - moments);
        }
    }
    free(moments);
}

static void match_by_number(struct fth_gen_matching *matching,
                            const struct fth_gen_recorded *recorded,
                            const struct fth_gen_recorded_file *file)
{
    for (int64_t rank = 0; rank < recorded->ranks; rank++) {
        size_t count = file->ranks[rank].round_count;
        for (size_t i = 0; i < count; i++)
            matching->of[rank][i] = i;
        if (count > matching->count)
            matching->count = count;
    }
}

struct fth_gen_matching fth_gen_matching_make(const struct fth_gen_recorded *recorded,
                                              const struct fth_gen_recorded_file *file,
                                              enum fth_gen_matching_way way)
{
    struct fth_gen_matching matching = {.way = way, .ranks = recorded->ranks};
    if (way == FTH_GEN_AS_ONE) {
        matching.count = 1;
        return matching;
    }
    matching.of = fth_new((size_t)recorded->ranks, sizeof *matching.of);
    for (int64_t rank = 0; rank < recorded->ranks; rank++)
        matching.of[rank] = fth_new(file->ranks[rank].round_count + 1, sizeof *matching.of[rank]);
    (way == FTH_GEN_BY_MEETING ? match_by_meeting : match_by_number)(&matching, recorded, file);
    return matching;
}

void fth_gen_matching_free(struct fth_gen_matching *matching)
{
    for (int64_t rank = 0; matching->of && rank < matching->ranks; rank++)
        free(matching->of[rank]);
    free(matching->of);
    matching->of = NULL;
}

static int by_number(const void *left, const void *right)
{
    const size_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

struct fth_gen_matched_runs fth_gen_matched_runs_of(const struct fth_gen_matching *matching,
                                                    const struct fth_gen_recorded_file *file,
                                                    int64_t rank, size_t number)
{
    const struct fth_gen_recorded_rank *of = &file->ranks[rank];
    if (matching->way == FTH_GEN_AS_ONE)
        return (struct fth_gen_matched_runs){of->runs, of->run_count, file->writes, NULL};
    const size_t *found =
        bsearch(&number, matching->of[rank], of->round_count, sizeof *found, by_number);
    if (!found)
        return (struct fth_gen_matched_runs){0};
    const struct fth_gen_round *round = &of->rounds[found - matching->of[rank]];
    if (!round->count)
        return (struct fth_gen_matched_runs){0};
    return (struct fth_gen_matched_runs){of->runs + round->first, round->count, round->writes,
                                         round};
}

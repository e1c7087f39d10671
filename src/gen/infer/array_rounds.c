/* Rounds of all processes that come together have arrays together. Where no way of bringing them
 * together leads to arrays, all that was done to the file is one round. Of the ways that lead to
 * arrays the one with the fewest is taken. */
#include "gen/infer/array_rounds.h"

#include "base/memory.h"
#include "gen/infer/matching.h"

#include <string.h>

static int by_place(const void *left, const void *right)
{
    const struct fth_gen_run *a = left, *b = right;
    if (a->space != b->space)
        return a->space < b->space ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* One process writes as many bytes as all of a group have sent it: taken as the part of each, in
 * their order, which the user has to check. */
static bool spread(const struct fth_gen_recorded *recorded, const struct fth_gen_round *round,
                   const struct fth_gen_run *runs, size_t count, struct fth_gen_run *parts)
{
    uint64_t all = 0;
    if (!round->gathered || round->gathering_size != recorded->ranks || recorded->ranks < 2)
        return false;
    struct fth_gen_run *sorted = fth_new(count, sizeof *sorted);
    memcpy(sorted, runs, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_place);
    bool touch = true;
    for (size_t i = 0; i < count; i++) {
        touch = touch && sorted[i].at == sorted[0].at + all && sorted[i].space == sorted[0].space;
        all += sorted[i].length;
    }
    touch = touch && round->gathered <= all && all / round->gathered == (uint64_t)recorded->ranks &&
            all % round->gathered == 0;
    for (int64_t rank = 0; touch && rank < recorded->ranks; rank++)
        parts[rank] =
            (struct fth_gen_run){sorted[0].space, sorted[0].type,
                                 sorted[0].at + (uint64_t)rank * round->gathered, round->gathered};
    free(sorted);
    return touch;
}

/* What ranks have in a round. */
struct collected {
    struct fth_gen_rank_nests *ranks;
    size_t count;
    int64_t only; /* the only rank with anything */
    bool writes;
    size_t run_count;
};

static const char *collect(const struct fth_gen_recorded *recorded,
                           const struct fth_gen_recorded_file *file,
                           const struct fth_gen_matching *matching, struct fth_gen_nesting how,
                           size_t round, struct collected *collected)
{
    const char *why = NULL;
    for (int64_t rank = 0; rank < recorded->ranks && !why; rank++) {
        struct fth_gen_matched_runs of = fth_gen_matched_runs_of(matching, file, rank, round);
        if (!of.count)
            continue;
        if (collected->count && of.writes != collected->writes)
            return "some processes write it while others read it";
        collected->writes = of.writes;
        collected->only = rank;
        collected->run_count += of.count;
        struct fth_gen_rank_nests *to = &collected->ranks[collected->count];
        to->rank = rank;
        to->nests = fth_gen_nests_find(of.runs, of.count, how, &to->count, &why);
        collected->count += to->nests != NULL;
    }
    return why;
}

/* Does somebody write what another one writes in the same round? */
static bool overlap(const struct fth_gen_recorded *recorded,
                    const struct fth_gen_recorded_file *file,
                    const struct fth_gen_matching *matching, size_t round, size_t run_count)
{
    struct fth_gen_run *all = fth_new(run_count + 1, sizeof *all);
    size_t filled = 0;
    bool found = false;
    for (int64_t rank = 0; rank < recorded->ranks; rank++) {
        struct fth_gen_matched_runs of = fth_gen_matched_runs_of(matching, file, rank, round);
        if (of.count)
            memcpy(all + filled, of.runs, of.count * sizeof *all);
        filled += of.count;
    }
    qsort(all, filled, sizeof *all, by_place);
    for (size_t i = 1; i < filled; i++)
        found |= all[i - 1].space == all[i].space && all[i - 1].at + all[i - 1].length > all[i].at;
    free(all);
    return found;
}

/* In place of the nests of the only process, one part for each. */
static bool take_gathered(const struct fth_gen_recorded *recorded,
                          const struct fth_gen_recorded_file *file,
                          const struct fth_gen_matching *matching, size_t round,
                          struct collected *collected)
{
    struct fth_gen_matched_runs of = {0};
    if (collected->count == 1 && collected->writes)
        of = fth_gen_matched_runs_of(matching, file, collected->only, round);
    if (!of.round)
        return false;
    size_t one;
    const char *why;
    struct fth_gen_run *parts = fth_new((size_t)recorded->ranks, sizeof *parts);
    bool is = spread(recorded, of.round, of.runs, of.count, parts);
    if (is)
        free((void *)collected->ranks[0].nests);
    for (int64_t i = 0; is && i < recorded->ranks; i++)
        collected->ranks[i] = (struct fth_gen_rank_nests){
            i, fth_gen_nests_find(&parts[i], 1, (struct fth_gen_nesting){0}, &one, &why), 1};
    if (is)
        collected->count = (size_t)recorded->ranks;
    free(parts);
    return is;
}

static char *match_round(const struct fth_gen_recorded *recorded,
                         const struct fth_gen_recorded_file *file,
                         const struct fth_gen_matching *matching, struct fth_gen_nesting how,
                         size_t round, struct fth_gen_matched_round *matched)
{
    struct collected collected = {.ranks =
                                      fth_new((size_t)recorded->ranks, sizeof *collected.ranks)};
    const char *why = collect(recorded, file, matching, how, round, &collected);
    if (!why && collected.writes && collected.count > 1 &&
        overlap(recorded, file, matching, round, collected.run_count))
        why = "several processes write the same bytes";
    matched->writes = collected.writes;
    if (!why) {
        matched->spread = take_gathered(recorded, file, matching, round, &collected);
        matched->arrays = fth_gen_arrays_find(file, collected.ranks, collected.count);
    }
    for (size_t i = 0; i < collected.count; i++)
        free((void *)collected.ranks[i].nests);
    free(collected.ranks);
    char *own = why ? fth_text_copy(why) : matched->arrays.why;
    matched->arrays.why = NULL;
    return own;
}

/* ---- loops ---- */

bool fth_gen_shift(const struct fth_gen_recorded_file *file, const struct fth_gen_array *now,
                   const struct fth_gen_array *later, int64_t *shift)
{
    if (!file->spaces[now->space].rank) {
        *shift = later->base - now->base;
        return fth_gen_arrays_alike(now, later);
    }
    if (now->space != later->space || now->owned_count != later->owned_count || !now->owned_count ||
        now->dimensions != later->dimensions || now->type != later->type)
        return false;
    size_t lengths = now->dimensions * sizeof *now->length;
    *shift = later->owned[0].start[0] - now->owned[0].start[0];
    bool alike = !memcmp(now->length, later->length, lengths);
    for (size_t i = 0; alike && i < now->owned_count; i++) {
        const struct fth_gen_owned *a = &now->owned[i], *b = &later->owned[i];
        alike = a->rank == b->rank && a->piece == b->piece && b->start[0] - a->start[0] == *shift &&
                !memcmp(a->count, b->count, lengths) &&
                !memcmp(a->start + 1, b->start + 1, lengths - sizeof *a->start);
    }
    return alike;
}

int64_t fth_gen_shift_of(const struct fth_gen_recorded_file *file,
                         const struct fth_gen_rounds *rounds,
                         const struct fth_gen_statement *statement, size_t round, size_t index)
{
    int64_t shift = 0;
    if (statement->steps > 1)
        fth_gen_shift(file, &rounds->rounds[round].arrays.list[index],
                      &rounds->rounds[round + statement->period].arrays.list[index], &shift);
    return shift;
}

/* Is the round one step behind the other what that is behind the one before it? */
static bool continues(const struct fth_gen_recorded_file *file, const struct fth_gen_rounds *rounds,
                      size_t first, size_t period, size_t round)
{
    const struct fth_gen_matched_round *now = &rounds->rounds[round],
                                       *before = &rounds->rounds[round - period];
    size_t begin = first + (round - first) % period;
    if (now->writes != before->writes || now->spread != before->spread ||
        now->arrays.count != before->arrays.count)
        return false;
    for (size_t i = 0; i < now->arrays.count; i++) {
        int64_t shift, usual;
        if (!fth_gen_shift(file, &before->arrays.list[i], &now->arrays.list[i], &shift) ||
            !fth_gen_shift(file, &rounds->rounds[begin].arrays.list[i],
                           &rounds->rounds[begin + period].arrays.list[i], &usual) ||
            shift != usual || shift < 0)
            return false;
    }
    return true;
}

/* The loop that begins here, with the most rounds; of equals the shortest period. */
static struct fth_gen_statement loop_at(const struct fth_gen_recorded_file *file,
                                        const struct fth_gen_rounds *rounds, size_t first)
{
    struct fth_gen_statement best = {first, 1, 1};
    for (size_t period = 1; period <= FTH_GEN_MOST_PERIOD && first + 2 * period <= rounds->count;
         period++) {
        size_t round = first + period;
        while (round < rounds->count && continues(file, rounds, first, period, round))
            round++;
        size_t steps = (round - first) / period;
        if (steps > 1 && steps * period > best.steps * best.period)
            best = (struct fth_gen_statement){first, period, steps};
    }
    return best;
}

static void form_statements(const struct fth_gen_recorded_file *file, struct fth_gen_rounds *rounds)
{
    size_t loops = 0;
    for (size_t i = 0; i < rounds->count && !rounds->why;) {
        struct fth_gen_statement statement = loop_at(file, rounds, i);
        FTH_GROW(rounds->statements, rounds->statement_count);
        rounds->statements[rounds->statement_count++] = statement;
        i += statement.period * statement.steps;
        loops += statement.steps > 1;
        if (rounds->statement_count > FTH_GEN_MOST_STATEMENTS || loops > FTH_GEN_MOST_LOOPS)
            rounds->why = fth_text_copy("what is accessed from time to time follows no order");
    }
}

static struct fth_gen_rounds find(const struct fth_gen_recorded *recorded,
                                  const struct fth_gen_recorded_file *file,
                                  const struct fth_gen_matching *matching,
                                  struct fth_gen_nesting how)
{
    struct fth_gen_rounds rounds = {.count = matching->count};
    rounds.rounds = fth_new(rounds.count + 1, sizeof *rounds.rounds);
    for (size_t i = 0; i < rounds.count && !rounds.why; i++)
        rounds.why = match_round(recorded, file, matching, how, i, &rounds.rounds[i]);
    if (!rounds.why)
        form_statements(file, &rounds);
    return rounds;
}

/* How much there is to write down. */
static size_t cost(const struct fth_gen_rounds *rounds)
{
    size_t sum = 0;
    for (size_t i = 0; i < rounds->statement_count; i++) {
        const struct fth_gen_statement *of = &rounds->statements[i];
        for (size_t j = of->first; j < of->first + of->period; j++)
            for (size_t k = 0; k < rounds->rounds[j].arrays.count; k++) {
                const struct fth_gen_array *array = &rounds->rounds[j].arrays.list[k];
                bool even = true;
                for (size_t l = 1; l < array->owned_count; l++)
                    even = even && !memcmp(array->owned[l].count, array->owned[0].count,
                                           array->dimensions * sizeof(int64_t));
                sum += 4 + array->pieces + (even ? 0 : 8);
            }
    }
    return sum;
}

/* Puts the better one into *best: what is known, then what is less; of reasons the first. */
static void take_better(struct fth_gen_rounds *best, struct fth_gen_rounds *other)
{
    bool better = !other->why && (!best->count || best->why || cost(other) < cost(best));
    if (better || !best->count) {
        fth_gen_rounds_free(best);
        *best = *other;
    } else {
        fth_gen_rounds_free(other);
    }
}

struct fth_gen_rounds fth_gen_rounds_find(const struct fth_gen_recorded *recorded,
                                          const struct fth_gen_recorded_file *file)
{
    static const struct fth_gen_nesting ways[] = {{true, 1},  {false, 1}, {true, 2},
                                                  {false, 2}, {true, 8},  {false, 8}};
    struct fth_gen_rounds best = {.why = fth_text_copy("nothing in it is read or written")};
    for (int way = 0; way < FTH_GEN_MATCHING_WAYS && best.why; way++) {
        if (way == FTH_GEN_AS_ONE && file->reads && file->writes)
            break;
        struct fth_gen_matching matching =
            fth_gen_matching_make(recorded, file, (enum fth_gen_matching_way)way);
        for (size_t i = 0; matching.count && i < sizeof ways / sizeof *ways; i++) {
            struct fth_gen_rounds other = find(recorded, file, &matching, ways[i]);
            take_better(&best, &other);
        }
        fth_gen_matching_free(&matching);
    }
    return best;
}

void fth_gen_rounds_free(struct fth_gen_rounds *rounds)
{
    for (size_t i = 0; i < rounds->count; i++)
        fth_gen_arrays_free(&rounds->rounds[i].arrays);
    free(rounds->rounds);
    free(rounds->statements);
    free(rounds->why);
    *rounds = (struct fth_gen_rounds){0};
}

/* Each use of a position is held against the last ones before it, by the clock, of each other
 * thread: if it is in order with those, it is with all that came before them. */
#include "verify/report/position_races.h"

#include "base/memory.h"
#include "verify/gather/descriptions.h"

#include <string.h>

/* A thread that uses the position, and its last use of each kind. */
struct user {
    uint32_t proc, thread;
    const struct fth_position_use *sought, *accessed;
};

struct finding {
    struct fth_verdict *verdict;
    struct fth_run_accesses *accesses;
    const struct fth_files *files;
    const struct fth_runs *runs;
    struct fth_descriptions descriptions;
    struct user *users; /* of the position at hand */
    size_t user_count;
    bool *raced;         /* by use: it is counted */
    uint64_t *positions; /* by use */
};

/* ---- which uses are of one position ---- */

/* Did a process that this one comes from open the file as a stream, so that this one may have it?
 * Libraries open streams of their own, which nobody sees. */
static bool is_stream_of_ancestor(const struct finding *finding, const struct fth_position_use *use)
{
    const struct fth_run_accesses *accesses = finding->accesses;
    uint32_t file = accesses->openings[use->opening].file;
    for (size_t i = 0; i < accesses->opening_count; i++) {
        const struct fth_opening *opening = &accesses->openings[i];
        if (opening->file != file || opening->is_descriptor || opening->by_mpi ||
            opening->inherited || !opening->was_seen)
            continue;
        for (uint32_t proc = use->proc;
             (proc = fth_runs_predecessor(finding->runs, proc)) != FTH_NO_PREDECESSOR;)
            if (proc == opening->proc)
                return true;
    }
    return false;
}

/* A number for each position. Uses of a file of which it is not known of which open file they are
 * may be of the same. */
static void number_positions(struct finding *finding)
{
    const struct fth_run_accesses *accesses = finding->accesses;
    size_t count = accesses->position_use_count;
    bool *vague_files = fth_new((size_t)finding->files->count + 1, sizeof *vague_files);
    bool *is_vague = fth_new(count + 1, sizeof *is_vague);
    bool *is_known = fth_new(accesses->opening_count + 1, sizeof *is_known);
    bool *is_stream = fth_new(accesses->opening_count + 1, sizeof *is_stream);
    finding->positions = fth_new(count + 1, sizeof *finding->positions);
    for (size_t i = 0; i < count; i++) {
        const struct fth_position_use *use = &accesses->position_uses[i];
        if (use->by_stream && !is_known[use->opening]) {
            is_stream[use->opening] = is_stream_of_ancestor(finding, use);
            is_known[use->opening] = true;
        }
        is_vague[i] = is_stream[use->opening] ||
                      finding->descriptions.of_opening[use->opening] == FTH_NO_DESCRIPTION;
        vague_files[accesses->openings[use->opening].file] |= is_vague[i];
    }
    for (size_t i = 0; i < count; i++) {
        const struct fth_position_use *use = &accesses->position_uses[i];
        uint32_t file = accesses->openings[use->opening].file;
        bool by_file = is_vague[i] || (use->may_be_shared && !use->by_stream && vague_files[file]);
        finding->positions[i] =
            by_file ? ((uint64_t)1 << 32) + file : finding->descriptions.of_opening[use->opening];
    }
    free(vague_files);
    free(is_vague);
    free(is_known);
    free(is_stream);
}

static uint64_t position_of(const struct finding *finding, const struct fth_position_use *use)
{
    return finding->positions[use - finding->accesses->position_uses];
}

static int64_t start_of(const struct fth_position_use *use)
{
    return use->seeks.times && (!use->accesses.times || use->seeks.start < use->accesses.start)
               ? use->seeks.start
               : use->accesses.start;
}

static int by_position_and_start(const void *a, const void *b, void *context)
{
    const struct fth_position_use *one = *(struct fth_position_use *const *)a;
    const struct fth_position_use *other = *(struct fth_position_use *const *)b;
    uint64_t i = position_of(context, one), j = position_of(context, other);
    if (i != j)
        return i < j ? -1 : 1;
    if (start_of(one) != start_of(other))
        return start_of(one) < start_of(other) ? -1 : 1;
    return one < other ? -1 : one > other;
}

/* ---- races ---- */

static bool are_unordered(const struct finding *finding, const struct fth_position_use *a,
                          const struct fth_position_use *b)
{
    return !fth_runs_before(finding->runs, a->moment, b->moment) &&
           !fth_runs_before(finding->runs, b->moment, a->moment);
}

static const char *file_of(const struct finding *finding, const struct fth_position_use *use)
{
    size_t length;
    uint32_t file = finding->accesses->openings[use->opening].file;
    return fth_run_accesses_name(finding->accesses, finding->files->names[file], &length);
}

static struct fth_verdict_access access_of(const struct fth_position_use *use,
                                           const struct fth_position_call *call)
{
    return (struct fth_verdict_access){.proc = use->proc,
                                       .thread = use->thread,
                                       .call = call->call,
                                       .chain = call->chain,
                                       .writes = call->writes,
                                       .start = call->start,
                                       .end = call->end};
}

/* That of the file whose order is known as well, or as little. */
static struct fth_verdict_position_race *race_of(struct fth_verdict *verdict, const char *file,
                                                 const char *unrecorded)
{
    for (size_t i = 0; i < verdict->position_race_count; i++) {
        struct fth_verdict_position_race *race = &verdict->position_races[i];
        if (strcmp(race->file, file) == 0 && !race->unrecorded == !unrecorded)
            return race;
    }
    FTH_GROW(verdict->position_races, verdict->position_race_count);
    struct fth_verdict_position_race *race =
        &verdict->position_races[verdict->position_race_count++];
    *race = (struct fth_verdict_position_race){.file = file, .unrecorded = unrecorded};
    return race;
}

/* Accesses at `accessed` may come before or behind a seek of `sought`. */
static void add_race(struct finding *finding, const struct fth_position_use *sought,
                     const struct fth_position_use *accessed)
{
    const char *unrecorded = sought->proc == accessed->proc
                                 ? fth_runs_lack_threads(finding->runs, accessed->proc)
                                 : NULL;
    struct fth_verdict_position_race *race =
        race_of(finding->verdict, file_of(finding, accessed), unrecorded);
    if (!race->times) {
        struct fth_verdict_access seek = access_of(sought, &sought->seeks);
        struct fth_verdict_access access = access_of(accessed, &accessed->accesses);
        race->first = seek.start <= access.start ? seek : access;
        race->second = seek.start <= access.start ? access : seek;
    }
    bool *counted = &finding->raced[accessed - finding->accesses->position_uses];
    race->times += *counted ? 0 : accessed->accesses.times;
    *counted = true;
}

static void add_turns(struct finding *finding, const struct fth_position_use *use)
{
    struct fth_run_accesses *accesses = finding->accesses;
    const char *unrecorded = fth_runs_lack_threads(finding->runs, use->proc);
    if (unrecorded)
        finding->verdict->vague_turns = unrecorded;
    fth_name_count(unrecorded ? &accesses->vague_turn_names : &accesses->turn_names,
                   accesses->openings[use->opening].name, use->accesses.times);
}

/* One that began before `use`, by another thread. */
static bool compare(struct finding *finding, const struct user *user,
                    const struct fth_position_use *use)
{
    const struct fth_position_use *sought = user->sought, *accessed = user->accessed;
    if (sought && use->accesses.times && are_unordered(finding, sought, use))
        add_race(finding, sought, use);
    if (accessed && use->seeks.times && are_unordered(finding, accessed, use))
        add_race(finding, use, accessed);
    return accessed && use->accesses.times && accessed->proc == use->proc &&
           (accessed->accesses.writes || use->accesses.writes) &&
           are_unordered(finding, accessed, use);
}

static struct user *user_of(struct finding *finding, const struct fth_position_use *use)
{
    for (size_t i = 0; i < finding->user_count; i++)
        if (finding->users[i].proc == use->proc && finding->users[i].thread == use->thread)
            return &finding->users[i];
    FTH_GROW(finding->users, finding->user_count);
    finding->users[finding->user_count] = (struct user){.proc = use->proc, .thread = use->thread};
    return &finding->users[finding->user_count++];
}

/* Does anybody seek there? Else the system lets all take turns. */
static bool is_sought(struct fth_position_use *const *uses, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (uses[i]->seeks.times)
            return true;
    return false;
}

/* Uses of one position. */
static void find_races(struct finding *finding, struct fth_position_use *const *uses, size_t count)
{
    bool sought = is_sought(uses, count);
    finding->user_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct fth_position_use *use = uses[i];
        bool takes_turns = false;
        for (size_t k = 0; k < finding->user_count; k++) {
            const struct user *user = &finding->users[k];
            bool is_own = user->proc == use->proc && user->thread == use->thread;
            if (!is_own && (sought || user->proc == use->proc))
                takes_turns |= compare(finding, user, use);
        }
        if (takes_turns && !sought)
            add_turns(finding, use);
        struct user *own = user_of(finding, use);
        own->sought = use->seeks.times ? use : own->sought;
        own->accessed = use->accesses.times ? use : own->accessed;
    }
}

void fth_position_races_find(struct fth_verdict *verdict, struct fth_run_accesses *accesses,
                             const struct fth_files *files, const struct fth_runs *runs)
{
    size_t count = accesses->position_use_count;
    struct finding finding = {
        .verdict = verdict, .accesses = accesses, .files = files, .runs = runs};
    if (!count)
        return;
    fth_descriptions_find(&finding.descriptions, accesses, runs);
    finding.raced = fth_new(count + 1, sizeof *finding.raced);
    number_positions(&finding);
    struct fth_position_use **sorted = fth_new(count + 1, sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = &accesses->position_uses[i];
    qsort_r(sorted, count, sizeof *sorted, by_position_and_start, &finding);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1;
             end < count && position_of(&finding, sorted[end]) == position_of(&finding, sorted[i]);
             end++)
            ;
        find_races(&finding, sorted + i, end - i);
    }
    free(sorted);
    free(finding.raced);
    free(finding.positions);
    free(finding.users);
    fth_descriptions_free(&finding.descriptions);
}

/* A table from what violations have in common to their sum; the texts are made last, once for each
 * group. */
#include "verify/advise/violation_groups.h"

#include "base/memory.h"
#include "base/sink.h"
#include "catalog/values.h"
#include "model/reading/trace_functions.h"
#include "order/imported.h"
#include "trace/record/builtin.h"
#include "verify/advise/advice.h"
#include "verify/advise/done_calls.h"
#include "verify/judge/reach.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *fth_hazard_text(enum fth_hazard hazard)
{
    static const char *const texts[] = {
        [FTH_READ_AFTER_WRITE] = "read after write",
        [FTH_WRITE_AFTER_WRITE] = "write after write",
        [FTH_WRITE_AFTER_READ] = "write after read",
        [FTH_READ_AND_WRITE] = "read and write in no order",
        [FTH_WRITE_AND_WRITE] = "two writes in no order",
    };
    return texts[hazard];
}

void fth_groups_open(struct fth_groups *groups, const struct fth_run_accesses *accesses)
{
    *groups = (struct fth_groups){.accesses = accesses};
}

void fth_groups_close(struct fth_groups *groups)
{
    fth_intern_free(&groups->keys);
    free(groups->sums);
}

bool fth_violation_is_better_example(const struct fth_violation *one,
                                     const struct fth_violation *other)
{
    if (one->x != other->x)
        return one->x < other->x;
    if (one->y != other->y)
        return one->y < other->y;
    if (one->start != other->start)
        return one->start < other->start;
    if (one->x_call != other->x_call)
        return one->x_call < other->x_call;
    return one->y_call < other->y_call;
}

static void add(struct fth_group_sum *sum, const struct fth_violation *example, uint64_t pairs)
{
    if (!sum->pairs || fth_violation_is_better_example(example, &sum->example))
        sum->example = *example;
    sum->pairs += pairs;
}

/* The sum of this key; one without pairs, if it is new. */
static struct fth_group_sum *sum_of(struct fth_groups *groups, const struct fth_group_key *key)
{
    uint32_t count = groups->keys.count;
    if (count == 0 || memcmp(key, &groups->last_key, sizeof *key) != 0) {
        groups->last = fth_intern(&groups->keys, key, sizeof *key);
        groups->last_key = *key;
    }
    if (groups->last == count) {
        FTH_GROW(groups->sums, count);
        groups->sums[count] = (struct fth_group_sum){0};
    }
    return &groups->sums[groups->last];
}

/* Is what one of the two leaves out all that they have in common? */
static bool leaves_out(const struct fth_situation *x, const struct fth_situation *y)
{
    return x->region == FTH_REGION_HOLE || y->region == FTH_REGION_HOLE;
}

void fth_groups_add(struct fth_groups *groups, uint64_t models,
                    const struct fth_violation *violation, uint64_t pairs)
{
    const struct fth_situation *situations = groups->accesses->situations;
    const struct fth_situation *x = &situations[violation->x], *y = &situations[violation->y];
    struct fth_group_key key = {models,
                                (uint64_t)(uintptr_t)violation->doubt,
                                x->opening,
                                x->chain,
                                y->chain,
                                violation->hazard,
                                violation->unsure,
                                leaves_out(x, y)};
    add(sum_of(groups, &key), violation, pairs);
}

void fth_groups_join(struct fth_groups *groups, const struct fth_groups *more)
{
    for (uint32_t i = 0; i < more->keys.count; i++) {
        size_t length;
        struct fth_group_key key;
        memcpy(&key, fth_interned(&more->keys, i, &length), sizeof key);
        add(sum_of(groups, &key), &more->sums[i].example, more->sums[i].pairs);
    }
}

/* ---- what is missing, and what would repair it ---- */

static char *text_of(struct fth_sink *sink)
{
    fth_sink_char(sink, 0);
    char *text = fth_new(strlen(sink->bytes) + 1, 1);
    strcpy(text, sink->bytes);
    fth_sink_close_memory(sink);
    return text;
}

static bool moves_bytes(const struct fth_function *function)
{
    return strcmp(function->kind, "write") == 0 || strcmp(function->kind, "read") == 0;
}

/* Programs that run others: their own accesses are redirections and messages. */
static bool runs_others(const struct fth_process *process)
{
    static const char *const names[] = {"sh",  "bash", "dash",  "ksh",   "zsh",     "busybox",
                                        "env", "make", "gmake", "ninja", "timeout", "xargs"};
    const char *slash = process->executable ? strrchr(process->executable, '/') : NULL;
    const char *name = slash ? slash + 1 : process->executable ? process->executable : "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return process->launcher;
}

/* Calls count for the handle of MPI that they are given: which one an access needs, where its
 * process has several of the file. */
static void name_handle(struct fth_advice_side *side, const struct fth_run_accesses *accesses,
                        const struct fth_runs *runs, const struct fth_situation *situation)
{
    const struct fth_opening *own = &accesses->openings[situation->handle];
    for (size_t i = 0; i < accesses->opening_count; i++) {
        const struct fth_opening *other = &accesses->openings[i];
        if (other == own || !other->by_mpi || other->proc != own->proc || other->file != own->file)
            continue;
        snprintf(side->handle, sizeof side->handle, "%" PRIu32 ".%" PRIu32 ".%" PRIu64,
                 own->proc - fth_runs_of(runs, own->proc)->first_proc, own->thread, own->call);
        return;
    }
}

/* By the outermost call on files around the access. */
static struct fth_advice_side side_of(const struct fth_run_accesses *accesses,
                                      const struct fth_runs *runs,
                                      const struct fth_situation *situation, struct fth_sink *who)
{
    struct fth_advice_side side = {
        .is_rank = fth_runs_process(runs, situation->proc)->rank != FTH_NO_RANK,
        .inherited = situation->inherited,
        .maps = situation->is_mapping,
        .runs_others = runs_others(fth_runs_process(runs, situation->proc)),
    };
    const struct fth_trace *trace = side.trace = fth_runs_of(runs, situation->proc)->trace;
    size_t length;
    fth_sink_open_memory(who);
    fth_runs_put_process(who, runs, situation->proc);
    fth_sink_char(who, 0);
    side.who = who->bytes;
    for (uint32_t i = situation->chain; i != FTH_NO_CHAIN;) {
        struct fth_chain link;
        memcpy(&link, fth_interned(&accesses->chains, i, &length), sizeof link);
        const struct fth_layer *layer = fth_advice_layer(trace, link.function);
        side.above_mpiio |= fth_layer_is(link.function->layer, FTH_LAYER_TOGETHER);
        if (i == situation->chain || fth_advice_is_of_files(layer)) {
            side.call = link.function;
            side.layer = layer;
            side.function = link.function->name;
            side.closes = strcmp(link.function->kind, "close") == 0;
            side.moves_bytes = moves_bytes(link.function);
            side.in_collective = link.function->collective && side.moves_bytes;
            side.begins = link.function->starts;
            side.completed_by = i == situation->chain ? situation->completed_by : NULL;
        }
        if (link.source != FTH_NO_CHAIN)
            side.source = fth_run_accesses_name(accesses, link.source, &length);
        i = link.parent;
    }
    if (situation->handle != FTH_NO_OPENING)
        name_handle(&side, accesses, runs, situation);
    return side;
}

/* Had the process of `reader` looked for the file in vain, and then found it, when the one of
 * `writer` had made it, but not yet written? */
static bool waited_for(const struct fth_run_accesses *accesses, uint32_t name,
                       const struct fth_situation *writer, const struct fth_situation *reader)
{
    enum { NOT_LOOKED, IN_VAIN, FOUND } state = NOT_LOOKED;
    bool made = false;
    if (!writer->writes || writer->removes)
        return false;
    for (uint32_t i = accesses->first_touch[name]; i < accesses->first_touch[name + 1]; i++) {
        const struct fth_touch *touch = accesses->touches_by_name[i];
        if (touch->proc == writer->proc && touch->is_empty && touch->start <= writer->start)
            made = true;
        if (touch->proc != reader->proc || touch->start > reader->start)
            continue;
        if (touch->is_missing)
            state = IN_VAIN;
        else if (touch->is_there && state == IN_VAIN)
            state = FOUND;
    }
    return made && state == FOUND;
}

/* A repair that lets the second of two unordered accesses wait would be the wrong way round: it is
 * what the first one waited for, or what that is to see through its mapping. */
static bool is_other_way_round(const struct fth_run_accesses *accesses, uint32_t name,
                               const struct fth_situation *first,
                               const struct fth_situation *second)
{
    return waited_for(accesses, name, second, first) ||
           (first->is_mapping && !first->writes && !second->is_mapping);
}

static void explain(struct fth_verdict_group *group, struct fth_judge *judge, size_t model,
                    const struct fth_runs *runs, const struct fth_files *files,
                    const struct fth_violation *example)
{
    struct fth_sink missing, repair, x_who, y_who;
    const struct fth_situation *x = &judge->accesses->situations[example->x];
    const struct fth_situation *y = &judge->accesses->situations[example->y];
    uint32_t name = files->names[x->opening];
    if (!example->ordered && is_other_way_round(judge->accesses, name, x, y)) {
        const struct fth_situation *first = x;
        x = y;
        y = first;
    }
    struct fth_advice advice = {
        .model = &judge->models->models[model],
        .ordered = example->ordered,
        .perhaps = example->doubt != NULL,
        .other_run = fth_runs_of(runs, x->proc) != fth_runs_of(runs, y->proc),
        .file = group->file,
        .by_mapping = !example->ordered && x->is_mapping && y->is_mapping,
        .of_library = x->of_library && y->of_library,
        .waits_for_name = waited_for(judge->accesses, name, x, y),
        .x = side_of(judge->accesses, runs, x, &x_who),
        .y = side_of(judge->accesses, runs, y, &y_who),
    };
    if (advice.of_library) /* no function of MPI is about the file */
        advice.x.layer = advice.y.layer = NULL;
    advice.construct = fth_judge_missing(judge, model, x, y, &advice.step);
    if (!example->ordered)
        advice.step = advice.construct ? advice.construct->step_count : 0;
    fth_advice_find_done(&advice, judge, model, x, y);
    fth_sink_open_memory(&missing);
    fth_sink_open_memory(&repair);
    fth_advice_missing(&missing, &advice);
    fth_advice_repair(&repair, &advice);
    group->missing = text_of(&missing);
    group->repair = text_of(&repair);
    fth_sink_close_memory(&x_who);
    fth_sink_close_memory(&y_who);
}

/* ---- groups for people ---- */

static enum fth_removal removal_of(const struct fth_situation *situation)
{
    bool lengthens = situation->region == FTH_REGION_HOLE || situation->region == FTH_REGION_ROOM;
    if (!situation->removes || lengthens)
        return FTH_REMOVES_NOTHING;
    if (situation->moves)
        return FTH_REMOVES_PLACE;
    return situation->cuts ? FTH_REMOVES_REST : FTH_REMOVES_BYTES;
}

static struct fth_verdict_access access_of(const struct fth_situation *situation, uint64_t call)
{
    return (struct fth_verdict_access){.proc = situation->proc,
                                       .thread = situation->thread,
                                       .call = call,
                                       .chain = situation->chain,
                                       .writes = situation->writes,
                                       .removes = removal_of(situation),
                                       .perhaps_nothing = situation->perhaps_nothing,
                                       .start = situation->start,
                                       .end = situation->end_time};
}

int fth_verdict_access_order(const struct fth_verdict_access *a, const struct fth_verdict_access *b)
{
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->proc != b->proc)
        return a->proc < b->proc ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return a->call < b->call ? -1 : a->call > b->call;
}

/* Two calls may meet in more than one way: in what they write, and in what one of them leaves out.
 */
static int by_bytes(const struct fth_verdict_group *one, const struct fth_verdict_group *other)
{
    if (one->range_start != other->range_start)
        return one->range_start < other->range_start ? -1 : 1;
    if (one->leaves_out != other->leaves_out)
        return one->leaves_out ? 1 : -1;
    if (one->hazard != other->hazard)
        return one->hazard < other->hazard ? -1 : 1;
    return (int)one->unsure - (int)other->unsure;
}

static int most_first(const void *a, const void *b)
{
    const struct fth_verdict_group *one = a, *other = b;
    if (one->pairs != other->pairs)
        return one->pairs > other->pairs ? -1 : 1;
    int order = strcmp(one->file, other->file);
    if (!order)
        order = fth_verdict_access_order(&one->first, &other->first);
    if (!order)
        order = fth_verdict_access_order(&one->second, &other->second);
    return order ? order : by_bytes(one, other);
}

/* A read that found the end of the file depends on what others write behind it, yet has read no
 * byte there. Returns whether that is all that the two have in common. */
static bool keep_read_bytes(const struct fth_situation *x, const struct fth_situation *y,
                            uint64_t *start, uint64_t *end)
{
    const struct fth_situation *reader = !x->writes ? x : y;
    if (reader->writes || *end <= reader->read_end)
        return false;
    *end = reader->read_end;
    if (*start < *end)
        return false;
    *start = *end;
    return true;
}

/* By file, the first one of its node that was opened by the same name: what was made again under a
 * name is one more file, and the same matter. To be freed. */
static uint32_t *first_of_names(const struct fth_run_accesses *accesses,
                                const struct fth_files *files)
{
    uint32_t *firsts = fth_new(files->count + 1, sizeof *firsts);
    uint32_t *hosts = fth_new(files->count + 1, sizeof *hosts);
    struct fth_intern seen = {0};
    for (size_t i = 0; i < accesses->opening_count; i++)
        hosts[accesses->openings[i].file] = accesses->openings[i].host;
    uint32_t *first = fth_new(files->count + 1, sizeof *first);
    for (uint32_t i = 0; i < files->count; i++) {
        uint32_t key[2] = {files->names[i], hosts[i]}, known = seen.count;
        uint32_t number = fth_intern(&seen, key, sizeof key);
        if (number == known)
            first[number] = i;
        firsts[i] = first[number];
    }
    fth_intern_free(&seen);
    free(first);
    free(hosts);
    return firsts;
}

/* Those of one model, whichever others they violate. */
static void choose(struct fth_groups *chosen, const struct fth_groups *groups, size_t model,
                   const uint32_t *firsts)
{
    for (uint32_t i = 0; i < groups->keys.count; i++) {
        struct fth_group_key key;
        size_t length;
        memcpy(&key, fth_interned(&groups->keys, i, &length), sizeof key);
        if (!(key.models >> model & 1))
            continue;
        key.models = 0;
        key.file = firsts[key.file];
        add(sum_of(chosen, &key), &groups->sums[i].example, groups->sums[i].pairs);
    }
}

static struct fth_verdict_group group_of(const struct fth_groups *groups,
                                         const struct fth_group_sum *sum,
                                         const struct fth_files *files)
{
    const struct fth_violation *example = &sum->example;
    const struct fth_situation *x = &groups->accesses->situations[example->x];
    const struct fth_situation *y = &groups->accesses->situations[example->y];
    size_t length;
    struct fth_verdict_group group = {
        .file = fth_run_accesses_name(groups->accesses, files->names[x->opening], &length),
        .renamed = fth_files_renamed(files, groups->accesses, x->opening),
        .hazard = example->hazard,
        .unsure = example->unsure || example->doubt,
        .why_unsure = example->doubt  ? example->doubt
                      : x->why_unsure ? x->why_unsure
                                      : y->why_unsure,
        .by_means = example->doubt != NULL,
        .pairs = sum->pairs,
        .first = access_of(x, example->x_call),
        .second = access_of(y, example->y_call),
        .range_start = example->start,
        .range_end = example->end,
        .leaves_out = leaves_out(x, y),
    };
    group.finds_end = keep_read_bytes(x, y, &group.range_start, &group.range_end);
    return group;
}

/* `unrecorded`: why what orders threads is not known; NULL: it is. */
static void explain_threads(struct fth_verdict_group *group, const char *unrecorded)
{
    struct fth_sink missing, repair;
    fth_sink_open_memory(&missing);
    fth_sink_open_memory(&repair);
    fth_sink_text(&missing, unrecorded ? "the synchronization of threads was not recorded"
                                       : "nothing orders the two threads: no mutex that both "
                                         "hold, no join, no barrier");
    fth_sink_text(&repair, unrecorded ? "`fathom record " FTH_LAYERS_OF_THREADS
                                        "` shows mutexes, joins and barriers"
                                      : "let both threads hold one mutex around their calls, or "
                                        "join the first one before the second call");
    group->missing = text_of(&missing);
    group->repair = text_of(&repair);
}

static void sort(struct fth_verdict_group *groups, size_t count)
{
    if (count)
        qsort(groups, count, sizeof *groups, most_first);
}

void fth_groups_fill(const struct fth_groups *groups, const struct fth_groups *threads,
                     size_t model, struct fth_verdict_model *verdict, struct fth_judge *judge,
                     const struct fth_runs *runs, const struct fth_files *files)
{
    struct fth_groups chosen;
    uint32_t *firsts = first_of_names(groups->accesses, files);
    fth_groups_open(&chosen, groups->accesses);
    choose(&chosen, groups, model, firsts);
    verdict->group_count = chosen.keys.count;
    verdict->groups = fth_new(verdict->group_count + 1, sizeof *verdict->groups);
    for (uint32_t i = 0; i < chosen.keys.count; i++) {
        verdict->groups[i] = group_of(&chosen, &chosen.sums[i], files);
        explain(&verdict->groups[i], judge, model, runs, files, &chosen.sums[i].example);
    }
    fth_groups_close(&chosen);
    sort(verdict->groups, verdict->group_count);

    fth_groups_open(&chosen, threads->accesses);
    choose(&chosen, threads, model, firsts);
    free(firsts);
    verdict->thread_group_count = chosen.keys.count;
    verdict->thread_groups =
        fth_new(verdict->thread_group_count + 1, sizeof *verdict->thread_groups);
    for (uint32_t i = 0; i < chosen.keys.count; i++) {
        verdict->thread_groups[i] = group_of(&chosen, &chosen.sums[i], files);
        uint32_t proc = verdict->thread_groups[i].first.proc;
        const char *unrecorded = fth_runs_lack_threads(runs, proc);
        if (unrecorded)
            verdict->unrecorded_threads = unrecorded;
        else
            verdict->racing_threads = true;
        explain_threads(&verdict->thread_groups[i], unrecorded);
    }
    fth_groups_close(&chosen);
    sort(verdict->thread_groups, verdict->thread_group_count);
}

void fth_groups_fill_alone(const struct fth_run_accesses *accesses, const struct fth_files *files,
                           struct fth_verdict_model *verdict)
{
    for (size_t i = 0; i < verdict->model->alone_count; i++) {
        struct fth_verdict_alone *alone = &verdict->alone[i];
        size_t length;
        if (!alone->violations && !alone->unsure)
            continue;
        const struct fth_situation *x = &accesses->situations[alone->x];
        const struct fth_situation *y = &accesses->situations[alone->y];
        alone->finds_end = keep_read_bytes(x, y, &alone->range_start, &alone->range_end);
        alone->of_library = x->of_library && y->of_library;
        alone->file = fth_run_accesses_name(accesses, files->names[x->opening], &length);
        alone->renamed = fth_files_renamed(files, accesses, x->opening);
        alone->first = access_of(x, alone->x_call);
        alone->second = access_of(y, alone->y_call);
    }
}

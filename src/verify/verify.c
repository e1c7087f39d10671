/* In order: gather what processes did, put it in order, hold every two accesses that conflict
 * against each model, group what is violated. */
#include "verify/verify.h"

#include "base/memory.h"
#include "trace/record/builtin.h"
#include "verify/report/by_file.h"
#include "verify/compare/compare.h"
#include "verify/gather/append_positions.h"
#include "verify/gather/first_lengths.h"
#include "verify/gather/holes.h"
#include "verify/gather/file_identity.h"
#include "verify/gather/handle_files.h"
#include "verify/report/call_places.h"
#include "verify/gather/new_files.h"
#include "verify/gather/noted_names.h"
#include "verify/gather/inherited_maps.h"
#include "verify/gather/process_ends.h"
#include "verify/report/position_races.h"
#include "verify/report/races.h"
#include "verify/report/scope.h"
#include "verify/compare/side_by_side.h"
#include "verify/report/unseen_parts.h"
#include "verify/report/weakest.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum { MOST_LAYERS = 8 };

/* Whose collective calls make accesses of one process for others: they are gathered also where no
 * model compares them. The first of the layers. */
enum { CARRYING };

struct fth_verdict_inside {
    struct fth_runs *runs;
    const struct fth_consistencies *models;
    struct fth_run_accesses accesses;
    struct fth_files files;
    struct fth_carriers carriers;
    struct fth_judge judge, possible; /* by what came before; by what may have, too */
    struct fth_judge synchronized;    /* by that, if collective calls were barriers */
    pthread_mutex_t synchronizing;    /* of that */
    bool is_synchronizing;            /* it was asked for */
    unsigned thread_count;
    struct fth_consistencies first; /* the first model, for that one */
    struct fth_possible_means means;
    struct fth_groups groups, threads;
    bool equal_contents;
    struct fth_verify_progress *progress; /* or NULL */
    size_t layer_count;
    const char *layers[MOST_LAYERS];
    unsigned *model_layers; /* by model: bits of its layers */
    bool judging;
};

/* ---- what is asked for ---- */

static int find_layers(struct fth_verdict_inside *inside, struct fth_error **error)
{
    const struct fth_consistencies *models = inside->models;
    inside->model_layers = fth_new(models->count + 1, sizeof *inside->model_layers);
    inside->layers[inside->layer_count++] = fth_layer_that_is(FTH_LAYER_TOGETHER);
    for (size_t i = 0; i < models->count; i++)
        for (size_t j = 0; j < models->models[i].layer_count; j++) {
            const char *layer = models->models[i].layers[j];
            size_t at = 0;
            while (at < inside->layer_count && strcmp(inside->layers[at], layer) != 0)
                at++;
            if (at == MOST_LAYERS)
                return fth_fail(error, "the models name more than %d layers", MOST_LAYERS);
            inside->layers[at] = layer;
            if (at == inside->layer_count)
                inside->layer_count++;
            inside->model_layers[i] |= 1u << at;
        }
    return 0;
}

/* ---- gathering: processes side by side ---- */

struct gathering {
    struct fth_verdict_inside *inside;
    struct fth_accesses_wanted *wanted; /* by run */
    struct fth_run_accesses *accesses;  /* by process */
    struct fth_progress progress;
    pthread_mutex_t lock;
    uint32_t next;
    struct fth_error *error;
};

static bool gather_one(struct gathering *gathering, uint32_t proc, struct fth_error **error)
{
    const struct fth_runs *runs = gathering->inside->runs;
    const struct fth_run *run = fth_runs_of(runs, proc);
    return fth_run_accesses_gather(&gathering->accesses[proc], run->trace, proc - run->first_proc,
                                   &gathering->wanted[run - runs->runs], run->order,
                                   gathering->inside->progress, error);
}

static void gather_some(void *context, unsigned thread)
{
    (void)thread;
    struct gathering *gathering = context;
    const struct fth_runs *runs = gathering->inside->runs;
    for (;;) {
        struct fth_error *error = NULL;
        pthread_mutex_lock(&gathering->lock);
        uint32_t proc = gathering->error ? (uint32_t)runs->process_count : gathering->next;
        gathering->next += proc < runs->process_count;
        pthread_mutex_unlock(&gathering->lock);
        if (proc >= runs->process_count)
            return;
        bool done = gather_one(gathering, proc, &error);
        pthread_mutex_lock(&gathering->lock);
        if (done)
            fth_progress_add(&gathering->progress, fth_runs_process(runs, proc)->calls);
        else if (!gathering->error)
            gathering->error = error;
        else
            fth_error_free(error);
        pthread_mutex_unlock(&gathering->lock);
    }
}

static bool have_several_nodes(const struct fth_runs *runs)
{
    const char *first = runs->process_count ? fth_runs_process(runs, 0)->host : "";
    for (uint32_t proc = 1; proc < runs->process_count; proc++)
        if (strcmp(fth_runs_process(runs, proc)->host, first) != 0)
            return true;
    return false;
}

/* What is wanted of each run; all builders are there before several threads use them. */
static void prepare(struct gathering *gathering)
{
    struct fth_verdict_inside *inside = gathering->inside;
    uint64_t calls = 0;
    for (size_t i = 0; i < inside->runs->count; i++) {
        const struct fth_run *run = &inside->runs->runs[i];
        struct fth_accesses_wanted *wanted = &gathering->wanted[i];
        *wanted = (struct fth_accesses_wanted){
            .semantics_table = fth_verify_semantics_table_of(run->trace, inside->models,
                                                             inside->layers, inside->layer_count),
            .several_nodes = have_several_nodes(inside->runs),
            .together = CARRYING,
            .contents = inside->equal_contents};
        calls += fth_trace_info(run->trace)->calls;
        fth_order_want_possible(run->order);
        for (size_t proc = 0; proc < fth_trace_process_count(run->trace); proc++)
            fth_order_feed(run->order, proc);
    }
    fth_progress_begin(&gathering->progress, "reading calls", calls);
    if (inside->progress)
        inside->progress->total = calls;
}

static int gather(struct fth_verdict_inside *inside, unsigned threads, struct fth_error **error)
{
    const struct fth_runs *runs = inside->runs;
    struct gathering gathering = {
        .inside = inside,
        .wanted = fth_new(runs->count + 1, sizeof(struct fth_accesses_wanted)),
        .accesses = fth_new(runs->process_count + 1, sizeof(struct fth_run_accesses)),
        .lock = PTHREAD_MUTEX_INITIALIZER,
    };
    prepare(&gathering);
    fth_side_by_side(threads, gather_some, &gathering);
    fth_progress_end(&gathering.progress);
    if (inside->progress)
        inside->progress->read = (uint64_t)inside->progress->total;
    for (uint32_t proc = 0; proc < runs->process_count; proc++) {
        if (!gathering.error) {
            fth_run_accesses_settle(&gathering.accesses[proc], fth_runs_of(runs, proc));
            fth_run_accesses_join(&inside->accesses, &gathering.accesses[proc]);
        }
        fth_run_accesses_free(&gathering.accesses[proc]);
    }
    for (size_t i = 0; i < runs->count; i++)
        fth_verify_semantics_table_free(&gathering.wanted[i].semantics_table);
    free(gathering.wanted);
    free(gathering.accesses);
    if (!gathering.error)
        return 0;
    *error = gathering.error;
    return -1;
}

/* ---- the order, within runs and between them ---- */

static int settle(struct fth_verdict_inside *inside, struct fth_order_options options,
                  struct fth_error **error)
{
    struct fth_handle_files files = fth_handle_files_of(&inside->accesses);
    int done = 0;
    options.together = fth_carriers_together;
    options.together_context = &inside->carriers;
    options.file_of = fth_handle_file;
    options.file_context = &files;
    options.asks_synchronized = !options.collectives_synchronize;
    for (size_t i = 0; i < inside->runs->count && done == 0; i++) {
        const struct fth_run *run = &inside->runs->runs[i];
        inside->carriers.first_proc = files.first_proc = run->first_proc;
        if (!fth_order_settle(run->order, options, error))
            done = fth_fail_in(error, "the order of '%s'", run->path);
    }
    fth_handle_files_free(&files);
    return done;
}

/* By the clock, and by the files that both access. */
static void order_by_files(struct fth_verdict_inside *inside)
{
    struct fth_runs *runs = inside->runs;
    const struct fth_run_accesses *accesses = &inside->accesses;
    bool *touches = fth_new((size_t)inside->files.count * runs->count + 1, sizeof *touches);
    for (size_t i = 0; i < accesses->situation_count; i++)
        touches[accesses->situations[i].opening * runs->count +
                runs->run_of_proc[accesses->situations[i].proc]] = true;
    for (size_t a = 0; a < runs->count; a++)
        for (size_t b = 0; b < runs->count; b++) {
            const struct fth_run *one = &runs->runs[a], *other = &runs->runs[b];
            if (a == b || one->offset + fth_trace_info(one->trace)->end > other->offset)
                continue;
            for (uint32_t file = 0; file < inside->files.count; file++)
                if (touches[file * runs->count + a] && touches[file * runs->count + b])
                    fth_runs_put_before(runs, a, b);
        }
    free(touches);
}

/* ---- the verdict ---- */

/* What has passed since *since, ns; *since becomes now. */
static int64_t lap(int64_t *since)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t time = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec, passed = time - *since;
    *since = time;
    return passed;
}

/* Were lines recorded? */
static bool has_places(const struct fth_run_accesses *accesses)
{
    size_t length;
    for (uint32_t i = 0; i < accesses->chains.count; i++) {
        struct fth_chain chain;
        memcpy(&chain, fth_interned(&accesses->chains, i, &length), sizeof chain);
        if (chain.source != FTH_NO_CHAIN)
            return true;
    }
    return false;
}

static void find_places(struct fth_verdict *verdict)
{
    const struct fth_runs *runs = verdict->runs;
    if (!has_places(&verdict->inside->accesses))
        return;
    verdict->finding_places = fth_new(runs->count + 1, sizeof *verdict->finding_places);
    for (size_t i = 0; i < runs->count; i++)
        verdict->finding_places[i] = fth_finding_places(&runs->runs[i]);
}

/* Is any access, or what it is inside of, a call of MPI-IO? */
static bool has_mpi_io(const struct fth_run_accesses *accesses)
{
    size_t length;
    for (uint32_t i = 0; i < accesses->chains.count; i++) {
        struct fth_chain chain;
        memcpy(&chain, fth_interned(&accesses->chains, i, &length), sizeof chain);
        if (fth_layer_is(chain.function->layer, FTH_LAYER_TOGETHER))
            return true;
    }
    return false;
}

/* Of fth_comparing.synchronized. */
static const struct fth_judge *synchronized(void *context)
{
    struct fth_verdict_inside *inside = context;
    pthread_mutex_lock(&inside->synchronizing);
    if (!inside->is_synchronizing && has_mpi_io(&inside->accesses)) {
        fth_means_synchronize(&inside->means);
        inside->first = (struct fth_consistencies){1, inside->models->models};
        if (inside->means.is_synchronized)
            fth_judge_open(&inside->synchronized, &inside->means.synchronized, &inside->accesses,
                           &inside->carriers, &inside->first, inside->thread_count);
    }
    inside->is_synchronizing = true;
    pthread_mutex_unlock(&inside->synchronizing);
    return inside->means.is_synchronized ? &inside->synchronized : NULL;
}

static bool is_of_mpi_io(const struct fth_verdict *verdict, const struct fth_verdict_access *access)
{
    enum { LINKS = 8 };
    struct fth_verdict_link links[LINKS];
    size_t count = fth_verdict_chain(verdict, access->chain, links, LINKS);
    for (size_t i = 0; i < count && i < LINKS; i++)
        if (fth_layer_is(links[i].function->layer, FTH_LAYER_TOGETHER))
            return true;
    return false;
}

/* Do calls of MPI-IO violate the first model? */
static bool is_about_mpi_io(const struct fth_verdict *verdict)
{
    const struct fth_verdict_model *model = &verdict->models[0];
    for (size_t i = 0; verdict->model_count && i < model->group_count; i++)
        if (is_of_mpi_io(verdict, &model->groups[i].first) ||
            is_of_mpi_io(verdict, &model->groups[i].second))
            return true;
    return false;
}

/* ---- judges ---- */

struct opening_judges {
    struct fth_verdict_inside *inside;
    unsigned next; /* that nobody opens yet: 0, or 1 for what is possible */
};

static void open_some(void *context, unsigned thread)
{
    (void)thread;
    struct opening_judges *opening = context;
    struct fth_verdict_inside *inside = opening->inside;
    for (unsigned which; (which = __atomic_fetch_add(&opening->next, 1, __ATOMIC_RELAXED)) < 2;) {
        if (which == 0)
            fth_judge_open(&inside->judge, inside->runs, &inside->accesses, &inside->carriers,
                           inside->models, inside->thread_count);
        else if (inside->means.is_possible)
            fth_judge_open(&inside->possible, &inside->means.possible, &inside->accesses,
                           &inside->carriers, inside->models, inside->thread_count);
    }
}

/* Side by side, as each looks at all accesses. */
static void open_judges(struct fth_verdict_inside *inside)
{
    struct opening_judges opening = {.inside = inside};
    fth_means_open(&inside->means, inside->runs);
    bool both = inside->means.is_possible && inside->thread_count > 1;
    fth_side_by_side(both ? 2 : 1, open_some, &opening);
    inside->judging = true;
}

static int verify(struct fth_verdict *verdict, const struct fth_verify_options *options,
                  struct fth_error **error)
{
    struct fth_verdict_inside *inside = verdict->inside;
    unsigned threads = fth_thread_count(options->threads);
    int64_t time = 0;
    lap(&time);
    inside->equal_contents = options->equal_contents;
    inside->progress = options->progress;
    inside->thread_count = threads;
    inside->synchronizing = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    verdict->collectives_synchronize = options->order.collectives_synchronize;
    if (find_layers(inside, error) || gather(inside, threads, error))
        return -1;
    verdict->reading_time = lap(&time);
    fth_carriers_open(&inside->carriers, &inside->accesses);
    fth_noted_names_follow(&inside->accesses, inside->runs);
    fth_inherited_maps_add(&inside->accesses, inside->runs);
    fth_process_ends_mark(&inside->accesses, inside->runs);
    fth_files_identify(&inside->files, &inside->accesses, inside->runs);
    if (settle(inside, options->order, error))
        return -1;
    if (options->order_by_files)
        order_by_files(inside);
    if (fth_runs_close_order(inside->runs, error))
        return -1;
    fth_ownership_settle(&inside->accesses, inside->runs, inside->files.count);
    fth_new_files_find(&inside->accesses, inside->files.count, inside->runs);
    struct fth_first_length *first = fth_first_lengths_new(&inside->accesses, inside->files.count);
    fth_first_lengths_drop_reads(&inside->accesses, first, inside->files.count);
    fth_append_positions_find(&inside->accesses, first, inside->files.count, inside->runs,
                              CARRYING);
    fth_holes_find(&inside->accesses, first, inside->runs);
    free(first);
    verdict->ordering_time = lap(&time);
    open_judges(inside);
    bool possible = inside->means.is_possible;
    fth_groups_open(&inside->groups, &inside->accesses);
    fth_groups_open(&inside->threads, &inside->accesses);
    bool matter =
        fth_compare(&(struct fth_comparing){inside->models, inside->model_layers, &inside->accesses,
                                            inside->files.count, &inside->judge,
                                            possible ? &inside->possible : NULL, synchronized,
                                            inside, &inside->means, threads, inside->progress},
                    verdict->models, &inside->groups, &inside->threads);
    if (inside->progress && inside->progress->given_up)
        return fth_fail(error, "it was given up");
    for (size_t i = 0; i < verdict->model_count; i++)
        fth_groups_fill(&inside->groups, &inside->threads, i, &verdict->models[i], &inside->judge,
                        inside->runs, &inside->files);
    verdict->collectives_matter = matter && is_about_mpi_io(verdict);
    for (size_t i = 0; i < verdict->model_count; i++)
        fth_groups_fill_alone(&inside->accesses, &inside->files, &verdict->models[i]);
    fth_races_find(verdict, &inside->accesses, inside->runs);
    fth_position_races_find(verdict, &inside->accesses, &inside->files, inside->runs);
    fth_unseen_find(verdict,
                    &(struct fth_unseen_files){&inside->accesses, inside->files.names, CARRYING},
                    inside->layers[CARRYING]);
    fth_weakest_find(verdict, &(struct fth_weakest_of){inside->models, &inside->accesses,
                                                       inside->model_layers, 1u << CARRYING});
    fth_by_file_find(verdict, &inside->accesses, &inside->files, &inside->groups);
    verdict->comparing_time = lap(&time);
    fth_scope_find(verdict, &inside->accesses, &inside->files);
    find_places(verdict);
    return 0;
}

struct fth_verdict *fth_verify(struct fth_runs *runs, const struct fth_consistencies *models,
                               const struct fth_verify_options *options, struct fth_error **error)
{
    struct fth_verdict *verdict = fth_new(1, sizeof *verdict);
    verdict->inside = fth_new(1, sizeof *verdict->inside);
    verdict->inside->runs = runs;
    verdict->inside->models = models;
    verdict->runs = runs;
    verdict->model_count = models->count;
    verdict->models = fth_new(models->count + 1, sizeof *verdict->models);
    for (size_t i = 0; i < models->count; i++) {
        verdict->models[i].model = &models->models[i];
        verdict->models[i].alone =
            fth_new(models->models[i].alone_count + 1, sizeof *verdict->models[i].alone);
    }
    if (verify(verdict, options, error) == 0)
        return verdict;
    fth_verdict_free(verdict);
    return NULL;
}

static void free_groups(struct fth_verdict_group *groups, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(groups[i].missing);
        free(groups[i].repair);
    }
    free(groups);
}

void fth_verdict_free(struct fth_verdict *verdict)
{
    if (!verdict)
        return;
    struct fth_verdict_inside *inside = verdict->inside;
    for (size_t i = 0; i < verdict->model_count; i++) {
        struct fth_verdict_model *model = &verdict->models[i];
        free(model->alone);
        free_groups(model->groups, model->group_count);
        free_groups(model->thread_groups, model->thread_group_count);
    }
    free(verdict->by_file);
    free(verdict->single);
    free(verdict->models);
    for (size_t i = 0; i < verdict->race_group_count; i++)
        free(verdict->race_groups[i].pattern);
    free(verdict->race_groups);
    for (size_t i = 0; verdict->finding_places && i < verdict->runs->count; i++)
        fth_finding_places_free(verdict->finding_places[i], &verdict->runs->runs[i]);
    free(verdict->finding_places);
    fth_unseen_free(verdict);
    free(verdict->unknown_files);
    free(verdict->mapped_files);
    free(verdict->turn_files);
    free(verdict->vague_turn_files);
    free(verdict->placed_files);
    free(verdict->position_races);
    if (inside->judging) {
        fth_judge_close(&inside->judge);
        if (inside->means.is_possible)
            fth_judge_close(&inside->possible);
        if (inside->means.is_synchronized)
            fth_judge_close(&inside->synchronized);
        fth_means_close(&inside->means);
        fth_groups_close(&inside->groups);
        fth_groups_close(&inside->threads);
    }
    fth_carriers_close(&inside->carriers);
    fth_files_free(&inside->files);
    fth_run_accesses_free(&inside->accesses);
    free(inside->model_layers);
    free(inside);
    free(verdict);
}

size_t fth_verdict_chain(const struct fth_verdict *verdict, uint32_t chain,
                         struct fth_verdict_link *links, size_t limit)
{
    const struct fth_run_accesses *accesses = &verdict->inside->accesses;
    size_t length, count = 0, at;
    struct fth_chain link;
    for (uint32_t i = chain; i != FTH_NO_CHAIN; i = link.parent, count++)
        memcpy(&link, fth_interned(&accesses->chains, i, &length), sizeof link);
    at = count < limit ? count : limit;
    for (uint32_t i = chain; i != FTH_NO_CHAIN && at > 0; i = link.parent) {
        memcpy(&link, fth_interned(&accesses->chains, i, &length), sizeof link);
        bool has_source = link.source != FTH_NO_CHAIN;
        links[--at] = (struct fth_verdict_link){
            link.function,
            has_source ? fth_run_accesses_name(accesses, link.source, &length) : NULL};
    }
    return count;
}

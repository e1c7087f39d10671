/* The survey: a crew of threads that take one process after the other (visit.c), and merge them in
 * their order. */
#include "analysis/survey/survey.h"

#include "analysis/extents/file_map.h"
#include "analysis/survey/run_files.h"
#include "analysis/survey/ledger.h"
#include "analysis/survey/visit.h"
#include "analysis/survey/working.h"
#include "base/memory.h"
#include "base/processors.h"
#include "base/saturating.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* ---- calls around one another ---- */

const struct fth_frame *fth_frame_asked(const struct fth_frame *frame)
{
    const struct fth_frame *asked = frame;
    for (; frame; frame = fth_frame_around(frame))
        if (frame->class->io)
            asked = frame;
    return asked;
}

const struct fth_frame *fth_frame_above(const struct fth_frame *frame)
{
    for (const struct fth_frame *above = fth_frame_around(frame); above;
         above = fth_frame_around(above))
        if (above->class->io && above->class->layer != frame->class->layer)
            return above;
    return NULL;
}

/* ---- the run ---- */

struct run {
    struct fth_survey survey;
    struct fth_survey_lifetime *lifetimes;
    struct fth_run_files *files;
    const struct fth_pass *const *passes;
    size_t pass_count;
    const struct fth_listener *listener;
    void **states;
    struct fth_progress *progress;
    size_t *procs; /* that are selected */
    pthread_mutex_t lock;
    pthread_cond_t turn;
    size_t next, merged; /* places in procs: who comes next, whose turn it is to be merged */
    bool failed;
    struct fth_error *error;
};

static void merge(struct run *run, struct fth_visit *visit)
{
    uint32_t *files = fth_run_files_add(run->files, visit->proc, &visit->paths);
    run->survey.files = fth_run_files_list(run->files, &run->survey.file_count);
    for (size_t i = 0; i < run->pass_count; i++)
        run->passes[i]->merge(run->states[i], visit->states[i], files);
    free(files);
    fth_progress_add(run->progress, fth_trace_process(run->survey.trace, visit->proc)->calls);
}

static void open_passes(struct fth_visit *visit, const struct run *run)
{
    visit->states = fth_new(run->pass_count + 1, sizeof *visit->states);
    visit->by_file = fth_new(run->pass_count + 1, sizeof *visit->by_file);
    for (size_t i = 0; i < run->pass_count; i++) {
        visit->states[i] = run->passes[i]->open(run->states[i], visit->proc);
        if (run->passes[i]->by_file)
            visit->by_file[visit->by_file_count++] = run->passes[i]->by_file(visit->states[i]);
    }
    visit->firsts.columns = visit->by_file_count;
    for (uint32_t i = 0; i < visit->by_file_count; i++)
        fth_indexed_share(visit->by_file[i], &visit->firsts, i);
}

/* One after the other, also when one fails: nobody waits for ever. */
static void visit_process(struct run *run, size_t place)
{
    struct fth_visit visit = {.survey = &run->survey,
                              .passes = run->passes,
                              .pass_count = run->pass_count,
                              .listener = run->listener,
                              .proc = run->procs[place]};
    struct fth_error *error = NULL;
    open_passes(&visit, run);
    if (run->listener)
        visit.listening = run->listener->open(run->listener->context, visit.proc);
    int result = fth_visit_go_through(&visit, &error);
    run->lifetimes[visit.proc] =
        fth_visit_lifetime(&visit, fth_trace_process(run->survey.trace, visit.proc));
    pthread_mutex_lock(&run->lock);
    while (run->merged != place)
        pthread_cond_wait(&run->turn, &run->lock);
    merge(run, &visit);
    if (run->listener)
        run->listener->close(run->listener->context, visit.listening);
    if (result && !run->failed) {
        run->failed = true;
        run->error = error;
        error = NULL;
        fth_fail_in(&run->error, "cannot read the calls of process %zu", visit.proc);
    }
    run->merged++;
    pthread_cond_broadcast(&run->turn);
    pthread_mutex_unlock(&run->lock);
    fth_error_free(error);
    fth_visit_leave(&visit);
}

static void *work(void *argument)
{
    struct run *run = argument;
    for (;;) {
        pthread_mutex_lock(&run->lock);
        size_t place = run->next;
        bool more = place < run->survey.process_count && !run->failed;
        run->next += more;
        pthread_mutex_unlock(&run->lock);
        if (!more)
            return NULL;
        visit_process(run, place);
    }
}

static void send_crew(struct run *run, unsigned threads)
{
    size_t count = threads ? threads : fth_processors();
    if (count > run->survey.process_count)
        count = run->survey.process_count;
    pthread_t *crew = fth_new(count + 1, sizeof *crew);
    size_t hired = 0;
    while (hired + 1 < count && !pthread_create(&crew[hired], NULL, work, run))
        hired++;
    work(run);
    for (size_t i = 0; i < hired; i++)
        pthread_join(crew[i], NULL);
    free(crew);
}

static void select_processes(struct run *run)
{
    struct fth_survey *survey = &run->survey;
    size_t count = fth_trace_process_count(survey->trace);
    run->procs = fth_new(count + 1, sizeof *run->procs);
    survey->lifetimes = run->lifetimes = fth_new(count + 1, sizeof *run->lifetimes);
    for (size_t proc = 0; proc < count; proc++) {
        if (!fth_analysis_selects_process(survey->selection, survey->trace, proc))
            continue;
        const struct fth_process *process = fth_trace_process(survey->trace, proc);
        run->procs[survey->process_count++] = proc;
        survey->rank_count += process->rank != FTH_NO_RANK;
    }
    struct fth_working working = fth_analysis_working(survey->trace, survey->selection);
    survey->whole = working.whole;
    survey->working = working.whole - working.mpi;
}

static void add_lifetimes_up(struct run *run)
{
    for (size_t i = 0; i < run->survey.process_count; i++) {
        const struct fth_survey_lifetime *lifetime = &run->lifetimes[run->procs[i]];
        run->survey.lifetime.threads += lifetime->threads;
        run->survey.lifetime.threads_of_mpi += lifetime->threads_of_mpi;
        FTH_ADD_SATURATING(run->survey.lifetime.time, lifetime->time);
        run->survey.lifetime.cut |= lifetime->cut;
        run->survey.lifetime.unended += lifetime->unended;
    }
}

bool fth_analysis_survey(struct fth_trace *trace, const struct fth_selection *selection,
                         const struct fth_thresholds *thresholds,
                         const struct fth_pass *const *passes, size_t pass_count,
                         const struct fth_listener *listener, unsigned threads,
                         struct fth_progress *progress, struct fth_results *results,
                         struct fth_error **error)
{
    struct fth_call_classes *classes = fth_call_classes_new(trace);
    struct run run = {
        .survey = {.trace = trace,
                   .selection = selection,
                   .thresholds = thresholds,
                   .classes = classes},
        .files = fth_run_files_new(trace),
        .passes = passes,
        .pass_count = pass_count,
        .listener = listener,
        .progress = progress,
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .turn = PTHREAD_COND_INITIALIZER,
    };
    select_processes(&run);
    run.states = fth_new(pass_count + 1, sizeof *run.states);
    for (size_t i = 0; i < pass_count; i++)
        run.states[i] = passes[i]->begin(&run.survey);
    send_crew(&run, threads);
    add_lifetimes_up(&run);
    results->lifetime = run.survey.lifetime;
    for (size_t i = 0; i < pass_count && !run.failed; i++) {
        run.failed = passes[i]->again && !passes[i]->again(run.states[i], run.files, &run.error);
        run.survey.files = fth_run_files_list(run.files, &run.survey.file_count);
    }
    for (size_t i = 0; i < pass_count; i++)
        passes[i]->finish(run.states[i], results);
    fth_findings_fold(&results->findings);
    fth_results_settle(results, run.survey.working, thresholds);
    fth_results_share(results, run.survey.whole, run.survey.working);
    if (run.failed)
        *error = run.error;
    fth_run_files_free(run.files);
    fth_call_classes_free(classes);
    free(run.states);
    free(run.lifetimes);
    free(run.procs);
    return !run.failed;
}

/* ---- results ---- */

struct fth_table *fth_results_table_of_files(const struct fth_results *results,
                                             const struct fth_shape *shape)
{
    struct fth_table *table = fth_table_new(shape);
    if (!table)
        fth_out_of_memory();
    if (results->only_findings)
        fth_table_keep_nothing(table);
    return table;
}

void fth_results_add(struct fth_results *results, struct fth_table *table)
{
    if (!table)
        fth_out_of_memory();
    FTH_GROW(results->tables, results->table_count);
    results->tables[results->table_count++] = table;
}

void fth_results_share(struct fth_results *results, int64_t whole, int64_t working)
{
    fth_findings_share(&results->findings, working);
    results->whole = whole;
    results->mpi_share = whole > 0 ? 100.0 * (double)(whole - working) / (double)whole : 0;
}

void fth_results_settle(struct fth_results *results, int64_t working,
                        const struct fth_thresholds *thresholds)
{
    if (results->ledger)
        fth_ledger_settle(results->ledger, working,
                          thresholds->values[FTH_THRESHOLD_WORTH] * (double)working,
                          &results->findings);
    fth_findings_share(&results->findings, working);
}

void fth_results_free(struct fth_results *results)
{
    for (size_t i = 0; i < results->table_count; i++)
        fth_table_free(results->tables[i]);
    free(results->tables);
    fth_indexed_free(&results->fates);
    fth_indexed_free(&results->reopened);
    fth_file_maps_free(results->file_maps);
    fth_offset_classes_free(&results->offsets);
    fth_ledger_free(results->ledger);
    fth_findings_free(&results->findings);
}

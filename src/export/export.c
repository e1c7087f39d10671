/* The threads that write parts, and how these are joined.
 *
 * A thread takes the next part that nobody has taken, and writes it into a file that has no name.
 * The thread that called waits for the parts in order, and appends each to the output. If there is
 * only one thread or one part, parts go to the output directly. */
#include "export/export.h"

#include "analysis/survey/call_walk.h"
#include "base/memory.h"
#include "base/processors.h"
#include "base/progress.h"
#include "export/division.h"
#include "export/shared/anonymous.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

const struct fth_exporter *const fth_exporters[] = {
    &fth_exporter_perfetto, &fth_exporter_trace_events, &fth_exporter_otf2,  &fth_exporter_hdtrace,
    &fth_exporter_parquet,  &fth_exporter_csv,          &fth_exporter_jsonl, &fth_exporter_null};
const size_t fth_exporter_count = sizeof fth_exporters / sizeof *fth_exporters;

enum {
    AHEAD = 4,     /* parts for each thread that may wait for their turn */
    STRIDE = 4096, /* calls between two looks at whether to go on */
    LOOK = 200,    /* milliseconds between two looks at the progress */
};

enum part_state { WAITING, TAKEN, DONE };
struct part {
    struct fth_export_part of;
    enum part_state state;
    struct fth_output *output; /* to a file without a name; NULL: none */
};

struct job {
    const struct fth_exporter *exporter;
    struct fth_exported exported;
    const char *folder;
    struct part *parts;
    size_t part_count, taken, joined, ahead;
    _Atomic bool stopped;
    struct fth_progress *progress; /* if parts are written in turn */
    _Atomic uint64_t calls;        /* done so far, of all parts */
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

static void show_progress(const struct job *job, struct fth_progress *progress)
{
    uint64_t done = atomic_load_explicit(&job->calls, memory_order_relaxed);
    fth_progress_add(progress, done - progress->done);
}

/* ---- one part ---- */

/* Says how far it is. False: it is of no use to go on. */
static bool go_on(struct job *job, const struct fth_export_part *part, uint64_t calls)
{
    atomic_fetch_add_explicit(&job->calls, calls, memory_order_relaxed);
    if (job->progress)
        show_progress(job, job->progress);
    return !job->stopped && !part->error && !(part->output && fth_views_stopped(part->output));
}

static void write_process(struct job *job, struct fth_export_part *part, size_t proc)
{
    const struct fth_exporter *exporter = job->exporter;
    struct fth_selection one = *job->exported.selection;
    struct fth_integer_range only = {(int64_t)proc, (int64_t)proc};
    const struct fth_call *call;
    struct fth_error **error = &part->error;
    struct fth_anonymous anonymous = {.names = job->exported.names};
    one.procs = (struct fth_integers){1, &only};
    struct fth_run_walk *walk =
        fth_analysis_walk_open(job->exported.trace, &one, FTH_WALK_BY_PROCESS, NULL, &part->error);
    if (!walk)
        return;
    if ((exporter->wants_accesses && exporter->wants_accesses(&job->exported)) ||
        (exporter->wants_operations && fth_analysis_has_operations(job->exported.trace)))
        fth_analysis_walk_accesses(walk);
    if (exporter->wants_handles)
        fth_analysis_walk_with_handles(walk);
    if (exporter->begin_process)
        exporter->begin_process(part, proc);
    uint64_t calls = 0;
    while (fth_analysis_walk_next(walk, &call, error) > 0) {
        part->access =
            fth_anonymous_access(&anonymous, fth_analysis_walk_access(walk, &part->accesses));
        exporter->call(part, fth_anonymous_call(&anonymous, call));
        if (++calls % STRIDE == 0 && !go_on(job, part, STRIDE))
            break;
    }
    go_on(job, part, calls % STRIDE);
    if (exporter->end_process)
        exporter->end_process(part, proc);
    fth_anonymous_free(&anonymous);
    fth_analysis_walk_close(walk);
}

static void write_part(struct job *job, struct fth_export_part *part)
{
    const struct fth_exporter *exporter = job->exporter;
    if (exporter->begin_part)
        exporter->begin_part(part);
    for (size_t i = 0; i < part->count && !part->error && !job->stopped; i++)
        write_process(job, part, job->exported.processes[part->first + i]);
    if (exporter->end_part)
        exporter->end_part(part);
}

/* ---- threads ---- */

/* A file that nobody else sees, and that is gone when it is closed. */
static int nameless_file(const char *folder)
{
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        return file;
    char *name = fth_text_format("%s/.fathom-export.XXXXXX", folder);
    file = mkostemp(name, O_CLOEXEC);
    if (file >= 0)
        unlink(name);
    free(name);
    return file;
}

static void free_output(struct part *part)
{
    if (part->output)
        close(part->output->descriptor);
    free(part->output);
    part->output = NULL;
}

static void write_alone(struct job *job, struct part *part)
{
    struct fth_error **error = &part->of.error;
    if (job->exporter->is_folder) {
        write_part(job, &part->of);
        return;
    }
    int file = nameless_file(job->folder);
    if (file < 0) {
        fth_fail_errno(error, "cannot make a temporary file in '%s'", job->folder);
        return;
    }
    part->of.output = part->output = fth_new(1, sizeof *part->output);
    fth_views_open_file(part->output, file, "a temporary file");
    write_part(job, &part->of);
    if (!*error && !fth_sink_flush(&part->output->sink)) {
        errno = part->output->error_number;
        fth_fail_errno(error, "cannot write a temporary file in '%s'", job->folder);
    }
}

static struct part *take(struct job *job)
{
    struct part *part = NULL;
    pthread_mutex_lock(&job->lock);
    while (!job->stopped && job->taken < job->part_count && job->taken >= job->joined + job->ahead)
        pthread_cond_wait(&job->changed, &job->lock);
    if (!job->stopped && job->taken < job->part_count) {
        part = &job->parts[job->taken++];
        part->state = TAKEN;
    }
    pthread_mutex_unlock(&job->lock);
    return part;
}

static void *work(void *argument)
{
    struct job *job = argument;
    for (struct part *part; (part = take(job));) {
        write_alone(job, part);
        pthread_mutex_lock(&job->lock);
        part->state = DONE;
        pthread_cond_broadcast(&job->changed);
        pthread_mutex_unlock(&job->lock);
    }
    return NULL;
}

static void wait_for(struct job *job, const struct part *part, struct fth_progress *progress)
{
    pthread_mutex_lock(&job->lock);
    while (part->state != DONE) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&job->changed, &job->lock, &until);
        show_progress(job, progress);
    }
    pthread_mutex_unlock(&job->lock);
}

static int append(struct fth_output *output, int file, struct fth_error **error)
{
    static char buffer[1 << 16];
    ssize_t count;
    if (lseek(file, 0, SEEK_SET) < 0)
        return fth_fail_errno(error, "cannot read a temporary file");
    while ((count = read(file, buffer, sizeof buffer)) > 0 && !fth_views_stopped(output))
        fth_sink_bytes(&output->sink, buffer, (size_t)count);
    return count < 0 ? fth_fail_errno(error, "cannot read a temporary file") : 0;
}

static void set_stopped(struct job *job)
{
    pthread_mutex_lock(&job->lock);
    job->stopped = true;
    pthread_cond_broadcast(&job->changed);
    pthread_mutex_unlock(&job->lock);
}

static int append_part(struct job *job, struct part *part, struct fth_output *output,
                       struct fth_error **error)
{
    *error = part->of.error;
    part->of.error = NULL;
    int result = *error ? -1 : part->output ? append(output, part->output->descriptor, error) : 0;
    free_output(part);
    pthread_mutex_lock(&job->lock);
    job->joined++;
    pthread_cond_broadcast(&job->changed);
    pthread_mutex_unlock(&job->lock);
    return result;
}

static int join(struct job *job, struct fth_output *output, struct fth_progress *progress,
                struct fth_error **error)
{
    int result = 0;
    for (size_t i = 0; i < job->part_count && !result; i++) {
        wait_for(job, &job->parts[i], progress);
        result = append_part(job, &job->parts[i], output, error);
        if (output && fth_views_stopped(output))
            break;
    }
    return result;
}

static int write_together(struct job *job, struct fth_output *output, unsigned threads,
                          struct fth_progress *progress, struct fth_error **error)
{
    pthread_t *workers = fth_new(threads, sizeof *workers);
    unsigned started = 0;
    job->ahead = (size_t)threads * AHEAD;
    while (started < threads && !pthread_create(&workers[started], NULL, work, job))
        started++;
    int result =
        started ? join(job, output, progress, error) : fth_fail(error, "cannot start a thread");
    set_stopped(job);
    for (unsigned i = 0; i < started; i++)
        pthread_join(workers[i], NULL);
    free(workers);
    return result;
}

static int write_in_turn(struct job *job, struct fth_output *output, struct fth_progress *progress,
                         struct fth_error **error)
{
    job->progress = progress;
    for (size_t i = 0; i < job->part_count && !*error; i++) {
        struct fth_export_part *part = &job->parts[i].of;
        part->output = output;
        if (output && fth_views_stopped(output))
            break;
        write_part(job, part);
        *error = part->error;
        part->error = NULL;
    }
    return *error ? -1 : 0;
}

/* ---- the whole ---- */

static void take_division(struct job *job, const struct fth_export_division *division)
{
    job->part_count = division->count;
    job->parts = fth_new(division->count + 1, sizeof *job->parts);
    for (size_t i = 0; i < division->count; i++)
        job->parts[i].of = (struct fth_export_part){.of = &job->exported,
                                                    .number = division->parts[i].number,
                                                    .first = division->parts[i].first,
                                                    .count = division->parts[i].count};
}

/* All processes of the trace, with pseudonyms; NULL: their names stay. */
static struct fth_process *anonymous_processes(struct fth_trace *trace,
                                               const struct fth_pseudonyms *names)
{
    size_t count = fth_trace_process_count(trace);
    struct fth_process *processes = names ? fth_new(count + 1, sizeof *processes) : NULL;
    for (size_t proc = 0; processes && proc < count; proc++)
        fth_anonymous_process(&processes[proc], fth_trace_process(trace, proc), names);
    return processes;
}

static void free_processes(struct fth_trace *trace, struct fth_process *processes)
{
    for (size_t proc = 0; processes && proc < fth_trace_process_count(trace); proc++)
        fth_anonymous_process_free(&processes[proc]);
    free(processes);
}

static void free_parts(struct job *job)
{
    for (size_t i = 0; i < job->part_count; i++) {
        free_output(&job->parts[i]);
        fth_error_free(job->parts[i].of.error);
    }
    free(job->parts);
}

static int export_parts(struct job *job, struct fth_output *output, uint64_t calls,
                        struct fth_error **error)
{
    struct fth_progress progress;
    unsigned threads = job->exported.threads;
    if (threads > job->part_count)
        threads = (unsigned)job->part_count;
    fth_progress_begin(&progress, "exporting calls", calls);
    int result = threads > 1 ? write_together(job, output, threads, &progress, error)
                             : write_in_turn(job, output, &progress, error);
    fth_progress_end(&progress);
    return result;
}

static int export_all(struct job *job, const struct fth_export_request *request, uint64_t calls,
                      struct fth_error **error)
{
    const struct fth_exporter *exporter = job->exporter;
    const struct fth_export_share *share = &request->share;
    struct fth_output *frame = share->rank ? NULL : request->output;
    int result = exporter->begin ? exporter->begin(&job->exported, frame, error) : 0;
    if (!result)
        result = export_parts(job, request->output, calls, error);
    if (share->meet)
        result = share->meet(share->meeting, result, job->calls, error);
    if (exporter->end && exporter->end(&job->exported, frame, error))
        result = -1;
    return result;
}

int fth_export(const struct fth_export_request *request, struct fth_trace *trace,
               struct fth_export_sums *sums, struct fth_error **error)
{
    struct job job = {.exporter = request->exporter, .folder = request->folder};
    struct fth_process *anonymous = anonymous_processes(trace, request->names);
    struct fth_export_division division;
    fth_export_divide(&division, request->exporter, trace, request->selection, &request->share);
    job.exported =
        (struct fth_exported){.trace = trace,
                              .selection = request->selection,
                              .processes = division.processes,
                              .process_count = division.process_count,
                              .threads = request->jobs ? request->jobs : fth_processors(),
                              .names = request->names,
                              .anonymous = anonymous,
                              .folder = request->folder,
                              .tables = request->tables,
                              .share = &request->share,
                              .report = request->report};
    pthread_mutex_init(&job.lock, NULL);
    pthread_cond_init(&job.changed, NULL);
    take_division(&job, &division);
    int result = export_all(&job, request, division.calls, error);
    sums->calls = job.calls;
    free_parts(&job);
    free_processes(trace, anonymous);
    pthread_cond_destroy(&job.changed);
    pthread_mutex_destroy(&job.lock);
    fth_export_division_free(&division);
    return result;
}

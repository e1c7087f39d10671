/* What a process has written to streams of stdio, and was still in their buffers when it ended
 * without emptying them (a signal, _exit, exec): those bytes are in no file. It has no table.
 *
 * Who returns from main, or calls exit, empties all buffers in calls that are recorded: whoever
 * ends with bytes in them did neither. A forked child has a copy of what its parent left in
 * buffers, and may write that: what a process writes beyond its own makes up for what another one
 * lost. What could not be written is another matter (failures.c).
 *
 * Writes to files that filters leave out (/dev/null) are not in the trace. A stream may write to
 * such a file for a while: its descriptor becomes one of that file by dup2, or is closed and given
 * out again. Then nothing is known of what left its buffer. */
#include "analysis/passes/passes.h"

#include "analysis/passes/finding_texts.h"
#include "base/indexed.h"
#include "base/number_set.h"
#include "base/memory.h"
#include "trace/record/builtin.h"

#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct streamed {
    uint64_t written, left; /* bytes: to streams by the program; to the file by whoever */
    uint64_t emptied;       /* of the latter: out of buffers of streams */
    bool to_others;         /* it is a pipe, a socket, a terminal */
    bool refused;           /* a call failed to write it: a full disk, a pipe that nobody reads */
    struct fth_example example;
};

struct process {
    size_t proc;
    bool redirected;          /* a descriptor became one of a file that is not recorded */
    struct fth_indexed files; /* of struct streamed */
    /* files of which a descriptor was closed by itself: another file may have its number */
    struct fth_number_set closed;
};

/* Of a file, over all processes. */
struct lost {
    struct streamed streamed; /* by those that lost something */
    uint64_t beyond;          /* bytes that others wrote beyond what they gave to their streams */
    const char *ended;
};

struct run {
    const struct fth_survey *survey;
    bool complete; /* all calls on streams and below them are there, if none of a process is lost */
    struct fth_indexed files; /* of struct lost */
};

/* Filters leave out single calls, and what is chosen of a run is not all of it. */
static bool is_complete(const struct fth_survey *survey)
{
    static const char *const filters[] = {"functions", "min_bytes", "min_duration_ns"};
    const struct fth_trace_info *info = fth_trace_info(survey->trace);
    json_t *meta = info->meta_json ? json_loads(info->meta_json, 0, NULL) : NULL;
    bool complete = !survey->selection->where;
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        complete &= !json_object_get(meta, filters[i]);
    json_decref(meta);
    return complete;
}

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->complete = is_complete(survey);
    run->files.size = sizeof(struct lost);
    return run;
}

static void *open_process(void *run, size_t proc)
{
    (void)run;
    struct process *process = fth_new(1, sizeof *process);
    process->proc = proc;
    process->files.size = sizeof(struct streamed);
    return process;
}

static void see_redirection(struct process *process, const struct fth_frame *frame, bool in_stream)
{
    if (frame->failed ||
        (frame->class->kind != FTH_CALLS_DUP && frame->class->kind != FTH_CALLS_CLOSE) ||
        !fth_layer_is(frame->function->layer, FTH_LAYER_SYSTEM))
        return;
    if (frame->class->kind == FTH_CALLS_DUP && frame->file.number == FTH_NO_FILE)
        process->redirected = true;
    if (frame->class->kind == FTH_CALLS_CLOSE && frame->file.number != FTH_NO_FILE && !in_stream)
        fth_number_set_add(&process->closed, frame->file.number);
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    const struct fth_frame *around = fth_frame_around(frame);
    bool in_stream = around && around->class->stream;
    bool to_stream = frame->class->stream && !in_stream;
    see_redirection(process, frame, in_stream);
    if (!frame->writes || frame->file.number == FTH_NO_FILE ||
        (!to_stream && !frame->class->system))
        return;
    struct streamed *streamed = fth_indexed_get(&process->files, frame->file.number, 0);
    if (frame->failed) {
        streamed->refused = true;
        return;
    }
    if (!to_stream) {
        streamed->left += frame->data.bytes;
        streamed->emptied += frame->class->empties ? frame->data.bytes : 0;
        return;
    }
    streamed->written += frame->data.bytes;
    streamed->to_others |= frame->file.to_others;
    fth_example_see(&streamed->example, frame);
}

static bool ended_by(const struct fth_process *process, const char *what)
{
    return strncmp(process->how_ended, what, strlen(what)) == 0;
}

/* Whether a process of another node still runs is not known. */
static bool was_killed(const struct run *run, const struct fth_process *process)
{
    const char *host = fth_trace_process(run->survey->trace, 0)->host;
    return ended_by(process, "killed") && host && process->host && !strcmp(host, process->host);
}

/* Is it known what it wrote until it ended? Who was killed by somebody whose calls are not
 * recorded, as ranks are by launchers, has left all of its calls. */
static bool is_known(const struct run *run, const struct fth_process *process)
{
    return run->complete && !fth_process_lacks_calls(process) && !process->stopped &&
           (ended_by(process, "signal") || ended_by(process, "exit") || ended_by(process, "exec") ||
            was_killed(run, process));
}

/* Nobody was there any more to read it. */
static bool has_no_reader(const struct fth_process *process, const struct streamed *streamed)
{
    return streamed->to_others && ended_by(process, "signal") &&
           atoi(process->how_ended + strlen("signal")) == SIGPIPE;
}

static uint64_t lost_of(const struct streamed *streamed)
{
    return streamed->written > streamed->left ? streamed->written - streamed->left : 0;
}

static uint64_t beyond_of(const struct streamed *streamed)
{
    return streamed->left > streamed->written ? streamed->left - streamed->written : 0;
}

/* The buffer of a stream whose descriptor becomes one of another file (dup2) goes there. */
static bool went_elsewhere(const struct process *process)
{
    uint64_t lost = 0, beyond = 0;
    for (uint32_t i = 0; i < process->files.count; i++) {
        const struct streamed *streamed = fth_indexed_item(&process->files, i);
        lost += lost_of(streamed);
        if (streamed->emptied > streamed->written)
            beyond += streamed->emptied - streamed->written;
    }
    return beyond >= lost;
}

static void lose(struct lost *lost, const struct streamed *more, const struct fth_process *process)
{
    lost->streamed.written += more->written;
    lost->streamed.left += more->left;
    if (fth_example_merge(&lost->streamed.example, &more->example) || !lost->ended)
        lost->ended = process->how_ended;
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    const struct fth_process *facts = fth_trace_process(run->survey->trace, process->proc);
    bool loses = is_known(run, facts) && !process->redirected && !went_elsewhere(process);
    for (uint32_t i = 0; i < process->files.count; i++) {
        uint32_t file = fth_indexed_at(&process->files, i)->number;
        const struct streamed *more = fth_indexed_item(&process->files, i);
        bool is_known_file = !(fth_number_set_has(&process->closed, file) && facts->excluded);
        bool lost_any = loses && lost_of(more) && !more->refused && is_known_file &&
                        !has_no_reader(facts, more);
        if (!lost_any && !beyond_of(more))
            continue;
        struct lost *lost = fth_indexed_get(&run->files, files[file], 0);
        lost->beyond += beyond_of(more);
        if (lost_any)
            lose(lost, more, facts);
    }
    fth_indexed_free(&process->files);
    fth_number_set_free(&process->closed);
    free(process);
}

static const char *advice_of(const struct lost *lost)
{
    return strncmp(lost->ended, "e", 1) != 0 /* neither exit nor exec */
               ? "Call fflush after data that has to survive a crash, or make a log line-buffered "
                 "(setvbuf with _IOLBF)."
               : "Call fflush before _exit, quick_exit, exec or MPI_Abort: they leave the buffers "
                 "of streams as they are. exit empties them.";
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    for (uint32_t i = 0; i < run->files.count; i++) {
        const struct lost *lost = fth_indexed_item(&run->files, i);
        uint64_t written = lost->streamed.written, left = lost->streamed.left + lost->beyond;
        if (left >= written)
            continue;
        struct fth_finding *finding = fth_finding_write(
            run->survey, results, fth_indexed_at(&run->files, i)->number, &lost->streamed.example,
            "lost_in_buffer", "Data was lost in a stdio buffer", 0);
        finding->wrong = true;
        fth_finding_say(finding,
                        "%s were written to the stream. Only %s left its buffer before the "
                        "process ended (%s); the other %s are lost.",
                        FTH_BYTES(written), FTH_BYTES(left), lost->ended,
                        FTH_BYTES(written - left));
        fth_finding_advise(finding, "%s", advice_of(lost));
    }
    fth_indexed_free(&run->files);
    free(run);
}

const struct fth_pass fth_pass_unwritten = {
    "unwritten", begin, open_process,         call, merge, finish, NULL, NULL,
    NULL,        NULL,  fth_pass_takes_rounds};

/* What a process has written to streams of stdio, and was still in their buffers when a signal
 * ended it: those bytes are in no file. It has no table. */
#include "analysis/passes/passes.h"

#include "analysis/passes/finding_texts.h"
#include "base/indexed.h"
#include "base/memory.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct streamed {
    uint64_t written, left; /* bytes: to streams by the program; to the file by whoever */
    bool to_others;         /* it is a pipe, a socket, a terminal */
    struct fth_example example;
};

struct process {
    size_t proc;
    struct fth_indexed files; /* of struct streamed */
};

struct run {
    const struct fth_survey *survey;
    struct fth_indexed files; /* of struct streamed: of processes that were ended */
    const char *ended;
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->files.size = sizeof(struct streamed);
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

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    const struct fth_frame *around = fth_frame_around(frame);
    bool to_stream = frame->class->stream && !(around && around->class->stream);
    if (!frame->writes || frame->failed || frame->file.number == FTH_NO_FILE ||
        (!to_stream && !frame->class->system))
        return;
    struct streamed *streamed = fth_indexed_get(&process->files, frame->file.number, 0);
    if (!to_stream) {
        streamed->left += frame->data.bytes;
        return;
    }
    streamed->written += frame->data.bytes;
    streamed->to_others |= frame->file.to_others;
    fth_example_see(&streamed->example, frame);
}

/* A process that ends by itself empties its buffers. */
static bool was_ended(const struct fth_process *process)
{
    return strncmp(process->how_ended, "signal", strlen("signal")) == 0;
}

/* Nobody was there any more to read it. */
static bool has_no_reader(const struct fth_process *process, const struct streamed *streamed)
{
    return streamed->to_others && atoi(process->how_ended + strlen("signal")) == SIGPIPE;
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    const struct fth_process *facts = fth_trace_process(run->survey->trace, process->proc);
    for (uint32_t i = 0; was_ended(facts) && i < process->files.count; i++) {
        const struct streamed *more = fth_indexed_item(&process->files, i);
        if (more->written <= more->left || has_no_reader(facts, more))
            continue;
        struct streamed *all =
            fth_indexed_get(&run->files, files[fth_indexed_at(&process->files, i)->number], 0);
        all->written += more->written;
        all->left += more->left;
        fth_example_merge(&all->example, &more->example);
        run->ended = facts->how_ended;
    }
    fth_indexed_free(&process->files);
    free(process);
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    for (uint32_t i = 0; i < run->files.count; i++) {
        const struct streamed *all = fth_indexed_item(&run->files, i);
        struct fth_finding *finding = fth_finding_write(
            run->survey, results, fth_indexed_at(&run->files, i)->number, &all->example,
            "lost_in_buffer", "Data was lost in a stdio buffer", 0);
        finding->wrong = true;
        fth_finding_say(finding,
                        "The program wrote %s to the stream. Only %s reached the file before the "
                        "process ended (%s); the other %s are lost.",
                        FTH_BYTES(all->written), FTH_BYTES(all->left), run->ended,
                        FTH_BYTES(all->written - all->left));
        fth_finding_advise(finding, "Call fflush after data that has to survive a crash, or make a "
                                    "log line-buffered (setvbuf with _IOLBF).");
    }
    fth_indexed_free(&run->files);
    free(run);
}

const struct fth_pass fth_pass_unwritten = {"unwritten", begin, open_process, call, merge,
                                            finish,      NULL,  NULL,         NULL, NULL};

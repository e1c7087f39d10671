/* Writes that moved fewer bytes than they were asked to, and that nobody went on with: the rest is
 * in no file. A write may be short where space or a limit ends; the next one would say why. On
 * pipes, sockets and terminals that is usual. It has no table. */
#include "analysis/passes/finding_texts.h"
#include "analysis/passes/passes.h"

#include "base/indexed.h"
#include "base/memory.h"

#include <stdlib.h>

/* Of one process at a time. Each later write is held against them. */
enum { MOST_GAPS = 1024 };

/* Where a write ended short. */
struct gap {
    uint32_t file;
    uint64_t at; /* byte of the file; UINT64_MAX: not known, whatever is written next goes on */
    uint64_t lacking;
    struct fth_example example;
};

struct process {
    struct gap *gaps;
    size_t count;
    struct fth_indexed refused; /* of bool, by file: a write failed, which is reported by itself */
};

/* Of a file, over all processes. */
struct lacking {
    uint64_t calls, bytes, processes;
    struct fth_example example;
};

struct run {
    const struct fth_survey *survey;
    struct fth_indexed files; /* of struct lacking */
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->files.size = sizeof(struct lacking);
    return run;
}

static void *open_process(void *run, size_t proc)
{
    (void)run;
    (void)proc;
    struct process *process = fth_new(1, sizeof *process);
    process->refused.size = sizeof(bool);
    return process;
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (frame->failed && frame->writes && frame->class->system && frame->file.number != FTH_NO_FILE)
        *(bool *)fth_indexed_get(&process->refused, frame->file.number, 0) = true;
}

/* Streams go on by themselves until a write fails. */
static bool is_short(const struct fth_frame *frame)
{
    return frame->writes && frame->class->system && !frame->class->empties && !frame->copies &&
           !frame->file.to_others && !frame->of_library && frame->data.bytes &&
           frame->data.bytes < frame->data.asked;
}

static bool goes_on(const struct gap *gap, const struct fth_frame *frame)
{
    uint64_t behind = frame->data.behind +
                      (frame->calls - 1) * (uint64_t)(frame->data.step > 0 ? frame->data.step : 0);
    return gap->file == frame->file.number && (gap->at == UINT64_MAX || !frame->data.ranges ||
                                               (frame->data.first <= gap->at && gap->at < behind));
}

/* One write. */
static void see(struct process *process, const struct fth_frame *frame)
{
    for (size_t i = 0; i < process->count;)
        if (goes_on(&process->gaps[i], frame))
            process->gaps[i] = process->gaps[--process->count];
        else
            i++;
    if (!is_short(frame) || process->count == MOST_GAPS)
        return;
    process->gaps = fth_resize(process->gaps, process->count + 1, sizeof *process->gaps);
    struct gap *gap = &process->gaps[process->count++];
    *gap = (struct gap){.file = frame->file.number,
                        .at = frame->data.ranges ? frame->data.behind : UINT64_MAX,
                        .lacking = frame->data.asked - frame->data.bytes};
    fth_example_see(&gap->example, frame);
}

static bool matters(const struct process *process, const struct fth_frame *frame)
{
    return frame->class->system && frame->writes && (process->count || is_short(frame));
}

static void each(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (!matters(process, frame))
        return;
    if (!is_short(frame)) {
        see(process, frame);
        return;
    }
    struct fth_frame one = *frame;
    one.calls = 1;
    for (uint64_t i = 0; i < frame->calls; i++) {
        see(process, &one);
        one.data.first += (uint64_t)frame->data.step;
        one.data.behind += (uint64_t)frame->data.step;
    }
}

static void turns(void *state, const struct fth_frames_in_turn *turns)
{
    struct process *process = state;
    bool any = false;
    for (uint32_t k = 0; k < turns->count; k++)
        any |= matters(process, turns->frames[k].first);
    for (uint64_t i = 0; any && i < turns->frames[0].all->calls; i++)
        for (uint32_t k = 0; k < turns->count; k++) {
            const struct fth_frame_in_turn *frame = &turns->frames[k];
            if (i >= frame->all->calls)
                continue;
            const struct fth_frame one = fth_frame_of_turn(frame, turns->apart, i);
            if (matters(process, &one))
                see(process, &one);
        }
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    for (size_t i = 0; i < process->count; i++) {
        const struct gap *gap = &process->gaps[i];
        uint32_t file = files[gap->file];
        if (*(bool *)fth_indexed_get(&process->refused, gap->file, 0) ||
            run->survey->files[file].noise)
            continue;
        struct lacking *lacking = fth_indexed_get(&run->files, file, 0);
        lacking->processes += lacking->example.proc != gap->example.proc || !lacking->calls;
        lacking->calls++;
        lacking->bytes += gap->lacking;
        fth_example_merge(&lacking->example, &gap->example);
    }
    fth_indexed_free(&process->refused);
    free(process->gaps);
    free(process);
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    for (uint32_t i = 0; i < run->files.count; i++) {
        const struct lacking *lacking = fth_indexed_item(&run->files, i);
        struct fth_finding *finding =
            fth_finding_write(run->survey, results, fth_indexed_at(&run->files, i)->number,
                              &lacking->example, "short_write", "Data was not written", 0);
        finding->wrong = true;
        fth_finding_spread(finding, lacking->processes);
        fth_finding_say(finding,
                        "%s%s of %s wrote fewer bytes than requested, and no later call goes on "
                        "where %s ended: %s are missing.",
                        lacking->calls >= MOST_GAPS ? "At least " : "",
                        FTH_SEVERAL(lacking->calls, "call", "calls"), lacking->example.asked->name,
                        lacking->calls == 1 ? "it" : "each", FTH_BYTES(lacking->bytes));
        fth_finding_advise(finding,
                           "Check how many bytes each write returns, and write the rest in a loop. "
                           "Where space or a limit (ulimit -f) is at its end, the next write fails "
                           "and says so.");
    }
    fth_indexed_free(&run->files);
    free(run);
}

const struct fth_pass fth_pass_short_writes = {
    "short_writes", begin, open_process,         call, merge, finish, each, NULL,
    NULL,           turns, fth_pass_takes_rounds};

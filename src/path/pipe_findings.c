/* Writing to a pipe, a socket or a terminal that takes much of the critical path: a program that
 * prints every line at once, or whose reader is slow and not recorded. (Known waits for a reader
 * that is recorded are on its side of the path: the writes that take long beside them may wait for
 * it, too.) What MPI writes to start and to end is in no finding. */
#include "analysis/survey/findings.h"
#include "base/memory.h"
#include "base/phrase.h"
#include "base/saturating.h"
#include "base/text.h"
#include "path/run_flow.h"

#include <stdio.h>
#include <string.h>

/* Of the critical path: less is no finding. */
static const double MUCH = 0.05;

/* Writes to one pipe. */
struct writes {
    const struct fth_path *path;
    uint32_t file;
};

static bool are_writes(const struct writes *writes, uint32_t number)
{
    const struct fth_flow_work *work = &writes->path->work.all[number];
    return work->file == writes->file && work->function != FTH_NO_FUNCTION && !work->starts_mpi &&
           work->activity == FTH_ACTIVITY_WAITING &&
           writes->path->facts[work->function].class->kind == FTH_CALLS_WRITE;
}

static int64_t time_of(const struct writes *writes, const int64_t *of_work)
{
    int64_t time = 0;
    for (uint32_t i = 0; i < writes->path->work.count; i++)
        FTH_ADD_SATURATING(time, are_writes(writes, i) ? of_work[i] : 0);
    return time;
}

static bool is_write(void *context, const struct fth_path_work *work)
{
    const struct writes *writes = context;
    size_t length;
    const void *file = fth_interned(&writes->path->files, writes->file, &length);
    return work->file == file && work->function && !work->starts_mpi &&
           fth_call_class_of(writes->path->classes, work->function)->kind == FTH_CALLS_WRITE;
}

/* The pipe whose writes take most of the critical path; FTH_FLOW_NO_FILE: none. */
static uint32_t most_written(const struct fth_path *path)
{
    int64_t *times = fth_new((size_t)path->files.count + 1, sizeof *times);
    uint32_t most = FTH_FLOW_NO_FILE;
    for (uint32_t i = 0; i < path->work.count; i++) {
        uint32_t file = path->work.all[i].file;
        if (file == FTH_FLOW_NO_FILE || !are_writes(&(struct writes){path, file}, i))
            continue;
        FTH_ADD_SATURATING(times[file], path->results.critical_work[i]);
        most = most == FTH_FLOW_NO_FILE || times[file] > times[most] ? file : most;
    }
    free(times);
    return most;
}

/* What writes waited until recorded processes read, and the process for which they waited most. */
struct reading {
    int64_t waited, most;
    uint32_t proc;
    int64_t *by_proc;
};

static void add_wait(const struct fth_path *path, struct reading *reading, struct fth_event exit)
{
    struct fth_event cause;
    size_t edge = fth_path_edge_at(&path->timelines[exit.timeline], exit.step);
    if (!fth_path_cause(path, exit.timeline, exit.step, edge, &cause))
        return;
    int64_t waited = fth_path_waited(path, exit.timeline, exit.step, cause);
    uint32_t proc = path->timelines[cause.timeline].proc;
    if (waited <= 0)
        return;
    FTH_ADD_SATURATING(reading->waited, waited);
    FTH_ADD_SATURATING(reading->by_proc[proc], waited);
    if (reading->by_proc[proc] > reading->most) {
        reading->most = reading->by_proc[proc];
        reading->proc = proc;
    }
}

/* Who writes, with which functions, and the longest call; and what they waited for. */
static struct reading add_writers(const struct writes *writes, struct fth_finding *finding)
{
    const struct fth_path *path = writes->path;
    struct fth_event longest = {FTH_NO_TIMELINE, 0};
    int64_t most = 0;
    struct reading reading = {
        .by_proc = fth_new(fth_trace_process_count(path->trace) + 1, sizeof *reading.by_proc)};
    for (uint32_t i = 0; i < path->timeline_count; i++) {
        const struct fth_thread_timeline *timeline = &path->timelines[i];
        for (uint32_t step = 0; path->selected[timeline->proc] && step + 1 < timeline->event_count;
             step++) {
            const struct fth_flow_kind *kind = fth_flow_kind(timeline, step);
            struct fth_flow_shares shares = fth_flow_shares(timeline, step, step + 1);
            uint32_t work;
            int64_t time;
            if (kind->is_exit || kind->function == FTH_NO_FUNCTION ||
                !fth_flow_next_share(&shares, &work, &time) || !are_writes(writes, work))
                continue;
            add_wait(path, &reading, (struct fth_event){i, step + 1});
            fth_finding_rank(finding, path->trace, timeline->proc);
            fth_finding_list_add(&finding->functions,
                                 fth_trace_function(path->trace, kind->function)->name);
            if (time > most) {
                most = time;
                longest = (struct fth_event){i, step + 1};
            }
        }
    }
    if (most)
        fth_path_add_call(path, finding, longest);
    free(reading.by_proc);
    return reading;
}

/* "gzip (process 4)" */
static const char *name_of(const struct fth_path *path, uint32_t proc, char text[160])
{
    const char *executable = fth_trace_process(path->trace, proc)->executable,
               *slash = executable ? strrchr(executable, '/') : NULL;
    if (executable && *executable)
        snprintf(text, 160, "%.120s (process %u)", slash ? slash + 1 : executable, proc);
    else
        snprintf(text, 160, "process %u", proc);
    return text;
}

/* What it is, and what to do. */
struct pipe_words {
    const char *begins, *title, *advice;
};
static const struct pipe_words words[] = {
    {"pipe:", "Writing to a pipe takes much of the run",
     "Print less, or more at once (no flush after each line, a larger buffer: setvbuf), or write "
     "to a file."},
    {"socket:", "Writing to a socket takes much of the run",
     "Send less, or more at once: collect small messages in a buffer."},
    {"/dev/", "Writing to a terminal takes much of the run", "Print less, or write to a file."},
    {"", "Waking others up takes much of the run", "Do it less often, for several things at once."},
};

static const struct pipe_words *words_of(const char *name)
{
    size_t i = 0;
    while (!fth_text_begins(name, words[i].begins))
        i++;
    return &words[i];
}

/* `share`: of the critical path. */
static void say_why(const struct writes *writes, struct fth_finding *finding,
                    const struct pipe_words *said, const struct reading *reading,
                    struct fth_phrase share)
{
    char who[160];
    const char *name = finding->files.items[0], *reader = name_of(writes->path, reading->proc, who);
    if (reading->waited > 0)
        fth_finding_say(finding,
                        "Writes to %s took %s. They waited for %s, which reads late, for %s of "
                        "that at least. The rest of them is %s of the critical path.",
                        name, fth_phrase_duration(finding->severity).text, reader,
                        fth_phrase_duration(reading->most).text, share.text);
    else
        fth_finding_say(finding,
                        "Writes to %s took %s. They are %s of the critical path. No recorded "
                        "process is known to have kept them waiting there.",
                        name, fth_phrase_duration(finding->severity).text, share.text);
    if (2 * reading->waited >= finding->severity)
        fth_finding_advise(finding, "Make %s faster: what writes to it waits for it.", reader);
    else
        fth_finding_advise(finding, "%s", said->advice);
}

void fth_path_find_written_pipe(const struct fth_path *path, struct fth_findings *findings)
{
    struct writes writes = {path, most_written(path)};
    if (writes.file == FTH_FLOW_NO_FILE)
        return;
    int64_t critical = time_of(&writes, path->results.critical_work);
    if (critical <= 0 || (double)critical < MUCH * (double)path->sums.program)
        return;
    size_t length;
    const char *name = (const char *)fth_interned(&path->files, writes.file, &length);
    const struct pipe_words *said = words_of(name);
    struct fth_finding *finding = fth_finding_add(findings, "written_pipe", said->title);
    finding->severity = time_of(&writes, path->results.work_time);
    fth_finding_list_add(&finding->files, name);
    struct reading reading = add_writers(&writes, finding);
    int64_t length_without =
        fth_path_without(path, &(struct fth_path_change){.gone = is_write, .context = &writes});
    finding->gain = length_without < path->sums.length ? path->sums.length - length_without : 0;
    say_why(&writes, finding, said, &reading,
            fth_phrase_percent(100 * (double)critical / (double)path->sums.program));
}

/* Bursts: many processes open one file at the same moment, again and again perhaps, and the file
 * system makes some of them wait for the others (Tschueter 2021, 5.3: openings of a snapshot). It
 * has no table. Of each process the first openings of a file are kept: memory does not grow with
 * calls. */
#include "analysis/passes/passes.h"

#include "analysis/passes/finding_texts.h"
#include "base/indexed.h"
#include "base/memory.h"

#include <string.h>

enum {
    KEPT = 32,           /* of a process and a file */
    MOST_KEPT = 1 << 16, /* of a file */
    NEAR = 10,           /* so many openings, as long as the one in the middle, are a moment */
};

struct opening {
    int64_t start, time; /* time: without waiting for others in a collective opening */
    size_t proc;
};

struct handling {
    uint32_t count;
    struct opening *list;
    struct fth_example example;
};

struct openings {
    size_t count;
    struct opening *list;
    struct fth_example example; /* the longest */
};

struct process {
    bool few;                 /* processes there are for a burst: nothing is kept */
    struct fth_indexed files; /* of struct handling */
};

struct run {
    const struct fth_survey *survey;
    struct fth_indexed files; /* of struct openings */
    uint32_t *open;           /* by process: its openings in the moment that is looked at */
    size_t process_limit;
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->files.size = sizeof(struct openings);
    return run;
}

/* So many processes at once are a burst. */
static double least_of(const struct fth_survey *survey)
{
    double least = fth_threshold_of(survey, FTH_THRESHOLD_BURST),
           share = fth_threshold_of(survey, FTH_THRESHOLD_STORM) * (double)survey->process_count;
    return share > least ? share : least;
}

static void *open_process(void *run, size_t proc)
{
    (void)proc;
    const struct fth_survey *survey = ((const struct run *)run)->survey;
    struct process *process = fth_new(1, sizeof *process);
    process->few = (double)survey->process_count < least_of(survey);
    process->files.size = sizeof(struct handling);
    return process;
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (process->few || frame->class->kind != FTH_CALLS_OPEN || frame->file.number == FTH_NO_FILE ||
        frame->file.object || frame->failed || frame->of_library || fth_frame_asked(frame) != frame)
        return;
    struct handling *handling = fth_indexed_get(&process->files, frame->file.number, 0);
    for (uint64_t i = 0; i < frame->calls && handling->count < KEPT; i++) {
        const struct fth_frame one = frame->calls > 1 ? fth_frame_of_round(frame, i) : *frame;
        FTH_GROW(handling->list, handling->count);
        handling->list[handling->count++] = (struct opening){
            one.times.start, one.collective ? one.times.inside : one.times.all, one.proc};
        fth_example_see(&handling->example, &one);
    }
}

static struct fth_indexed *by_file(void *state)
{
    return &((struct process *)state)->files;
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    for (uint32_t i = 0; i < process->files.count; i++) {
        uint32_t file = files[fth_indexed_at(&process->files, i)->number];
        struct handling *more = fth_indexed_item(&process->files, i);
        struct openings *all = fth_indexed_get(&run->files, file, 0);
        for (uint32_t k = 0; k < more->count && all->count < MOST_KEPT; k++) {
            FTH_GROW(all->list, all->count);
            all->list[all->count++] = more->list[k];
            run->process_limit = more->list[k].proc >= run->process_limit ? more->list[k].proc + 1
                                                                          : run->process_limit;
        }
        fth_example_merge(&all->example, &more->example);
        free(more->list);
    }
    fth_indexed_free(&process->files);
    free(process);
}

/* ---- moments ---- */

struct bursts {
    uint64_t count, processes; /* processes: in the largest */
    int64_t severity, median, longest;
};

static int by_start(const void *one, const void *other)
{
    const struct opening *a = one, *b = other;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->proc > b->proc) - (a->proc < b->proc);
}

static int by_length(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

/* Do the openings of a moment take some processes much longer than others? Then it is a burst. */
static void weigh(const struct run *run, const struct opening *list, size_t count,
                  uint64_t processes, struct bursts *bursts)
{
    int64_t *times = fth_new(count + 1, sizeof *times), severity = 0;
    for (size_t i = 0; i < count; i++)
        times[i] = list[i].time;
    qsort(times, count, sizeof *times, by_length);
    for (size_t i = 0; i < count; i++)
        severity += times[i] - times[0];
    int64_t median = times[count / 2], longest = times[count - 1];
    free(times);
    if ((double)longest < fth_threshold_of(run->survey, FTH_THRESHOLD_UNEVEN) * (double)median)
        return;
    bursts->count++;
    bursts->severity += severity;
    if (longest > bursts->longest) {
        bursts->longest = longest;
        bursts->median = median;
        bursts->processes = processes;
    }
}

static int64_t median_of(const struct openings *all)
{
    int64_t *times = fth_new(all->count + 1, sizeof *times);
    for (size_t i = 0; i < all->count; i++)
        times[i] = all->list[i].time;
    qsort(times, all->count, sizeof *times, by_length);
    int64_t median = times[all->count / 2];
    free(times);
    return median;
}

/* Goes along with a moment that begins at each opening in turn; behind a burst it begins anew. */
static struct bursts find_bursts(struct run *run, struct openings *all)
{
    struct bursts bursts = {0};
    double least = least_of(run->survey);
    if ((double)all->count < least)
        return bursts;
    qsort(all->list, all->count, sizeof *all->list, by_start);
    int64_t moment = NEAR * median_of(all);
    uint64_t processes = 0;
    memset(run->open, 0, run->process_limit * sizeof *run->open);
    for (size_t from = 0, to = 0; from < all->count;) {
        while (to < all->count && all->list[to].start <= all->list[from].start + moment)
            processes += !run->open[all->list[to++].proc]++;
        if ((double)processes >= least) {
            weigh(run, &all->list[from], to - from, processes, &bursts);
            while (from < to)
                run->open[all->list[from++].proc] = 0;
            processes = 0;
        } else {
            processes -= !--run->open[all->list[from++].proc];
        }
    }
    return bursts;
}

static void add_finding(const struct run *run, struct fth_results *results, uint32_t file,
                        const struct openings *all, const struct bursts *bursts)
{
    struct fth_finding *finding =
        fth_finding_write(run->survey, results, file, &all->example, "opening_burst",
                          "Many processes open a file at the same time", bursts->severity);
    fth_finding_spread(finding, bursts->processes);
    finding->classes = FTH_CALLS_BIT(FTH_CALLS_OPEN);
    fth_finding_say(finding,
                    "%s of openings, by up to %s. In the worst one an opening takes %s (median) "
                    "and %s at most.",
                    FTH_SEVERAL(bursts->count, "burst", "bursts"),
                    FTH_SEVERAL(bursts->processes, "process", "processes"),
                    FTH_TIME(bursts->median), FTH_TIME(bursts->longest));
    fth_finding_advise(finding,
                       "Open the file once and keep it open, or let fewer processes open it: one "
                       "that reads and broadcasts, or the aggregators of collective I/O.");
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    run->open = fth_new(run->process_limit + 1, sizeof *run->open);
    for (uint32_t i = 0; i < run->files.count; i++) {
        uint32_t file = fth_indexed_at(&run->files, i)->number;
        struct openings *all = fth_indexed_item(&run->files, i);
        struct bursts bursts = {0};
        if (!run->survey->files[file].noise)
            bursts = find_bursts(run, all);
        if (bursts.count && fth_finding_is_worth(run->survey, bursts.severity))
            add_finding(run, results, file, all, &bursts);
        free(all->list);
    }
    fth_indexed_free(&run->files);
    free(run->open);
    free(run);
}

const struct fth_pass fth_pass_bursts = {
    "bursts", begin, open_process,         call, merge, finish, NULL, by_file,
    NULL,     NULL,  fth_pass_takes_rounds};

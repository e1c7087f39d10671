/* Between two accesses nothing that was followed makes an order, but something may: shared
 * memory, a server that was not recorded, threads whose locks were not recorded. The verdict
 * names it, so that people who know the program can decide. */
#include "verify/judge/ordering_means.h"

#include "base/memory.h"
#include "order/imported.h"
#include "trace/program/hides.h"
#include "verify/verify.h"

#include <string.h>

enum { MOST_MEANS = 4 };

static bool has_stopped(const struct fth_run *run)
{
    const struct fth_missing *unrecorded = &fth_trace_info(run->trace)->unrecorded;
    if (unrecorded->calls || unrecorded->uncounted)
        return true;
    for (size_t i = 0; i < fth_trace_process_count(run->trace); i++) {
        const struct fth_process *process = fth_trace_process(run->trace, i);
        if (!process->launcher && (process->stopped || process->missing.calls ||
                                   process->missing.uncounted || process->summed))
            return true;
    }
    return false;
}

/* Is that because processes were only watched from time to time? */
static bool is_watched(const struct fth_run *run)
{
    size_t phases;
    for (size_t i = 0; i < fth_trace_process_count(run->trace); i++)
        if (fth_trace_phases(run->trace, i, &phases))
            return true;
    return false;
}

/* Gives the run this order, if there is one, or else the other one. */
static bool put_order(struct fth_runs *to, size_t run, const struct fth_order *other,
                      const struct fth_order *order)
{
    /* who judges only asks */
    to->runs[run].order = (struct fth_order *)(uintptr_t)(order ? order : other);
    return order != NULL;
}

void fth_means_open(struct fth_possible_means *means, const struct fth_runs *runs)
{
    *means = (struct fth_possible_means){
        .runs = runs, .possible = *runs, .synchronized = *runs, .lock = PTHREAD_MUTEX_INITIALIZER};
    means->possible.runs = fth_new(runs->count + 1, sizeof *means->possible.runs);
    means->synchronized.runs = fth_new(runs->count + 1, sizeof *means->synchronized.runs);
    means->missing = fth_new(runs->count + 1, sizeof *means->missing);
    means->is_assumed = fth_new(runs->count + 1, sizeof *means->is_assumed);
    for (size_t i = 0; i < runs->count; i++) {
        means->possible.runs[i] = runs->runs[i];
        const struct fth_trace_info *info = fth_trace_info(runs->runs[i].trace);
        means->missing[i] = fth_blind_spots_lack(info->blind_spots, info->blind_spot_count);
        means->is_assumed[i] = means->missing[i];
        if (!means->missing[i] && has_stopped(&runs->runs[i]))
            means->missing[i] = is_watched(&runs->runs[i])
                                    ? "calls that were only watched (--select)"
                                    : "calls that are missing because the recording stopped";
        const struct fth_order *order = runs->runs[i].order;
        means->is_possible |= put_order(&means->possible, i, order, fth_order_possible(order));
    }
}

void fth_means_synchronize(struct fth_possible_means *means)
{
    for (size_t i = 0; i < means->runs->count; i++) {
        means->synchronized.runs[i] = means->possible.runs[i];
        means->is_synchronized |= put_order(&means->synchronized, i, means->possible.runs[i].order,
                                            fth_order_synchronized(means->runs->runs[i].order));
    }
}

void fth_means_close(struct fth_possible_means *means)
{
    for (size_t i = 0; i < means->text_count; i++)
        free(means->texts[i]);
    free(means->texts);
    free(means->possible.runs);
    free(means->synchronized.runs);
    free(means->missing);
    free(means->is_assumed);
}

static void begin_item(struct fth_sink *sink, size_t *count)
{
    fth_sink_text(sink, (*count)++ ? "; " : "");
}

static void put_item(struct fth_sink *sink, size_t *count, const char *text)
{
    begin_item(sink, count);
    fth_sink_text(sink, text);
}

static bool pools_threads(const struct fth_runs *runs, uint32_t proc)
{
    const struct fth_run *run = fth_runs_of(runs, proc);
    return fth_order_pools_threads(run->order, proc - run->first_proc);
}

static void put_unrecorded(struct fth_sink *sink, const struct fth_run *run, const char *threads)
{
    fth_sink_text(sink, threads);
    fth_sink_text(sink, " (");
    fth_sink_text(sink, fth_order_lacks_threads(run->trace));
    fth_sink_char(sink, ')');
}

/* What threads of a process may learn of each other by. */
static void put_threads(struct fth_sink *sink, const struct fth_runs *runs, uint32_t proc)
{
    const struct fth_run *run = fth_runs_of(runs, proc);
    if (fth_order_has_threads(run->trace))
        fth_sink_text(sink, "memory that threads of one process share");
    else
        put_unrecorded(sink, run, "threads whose locks were not recorded");
}

static void put_others(struct fth_sink *sink, const struct fth_runs *runs)
{
    for (uint32_t proc = 0; proc < runs->process_count; proc++) {
        const struct fth_run *run = fth_runs_of(runs, proc);
        if (!pools_threads(runs, proc))
            continue;
        if (fth_order_has_threads(run->trace))
            fth_sink_text(sink, "memory that threads of another process share");
        else
            put_unrecorded(sink, run, "threads of other processes, whose locks were not recorded");
        return;
    }
    fth_sink_text(sink, "other processes, which may synchronize the two");
}

bool fth_means_are_missing(const struct fth_possible_means *means, const struct fth_situation *x,
                           const struct fth_situation *y)
{
    const uint32_t *run_of = means->runs->run_of_proc;
    return means->missing[run_of[x->proc]] || means->missing[run_of[y->proc]];
}

bool fth_means_may_be_missing(const struct fth_possible_means *means)
{
    for (size_t i = 0; i < means->runs->count; i++)
        if (means->missing[i])
            return true;
    return false;
}

static void put(struct fth_sink *sink, const struct fth_possible_means *means,
                const struct fth_situation *x, const struct fth_situation *y)
{
    const struct fth_runs *runs = means->runs;
    const struct fth_run *run = fth_runs_of(runs, x->proc);
    const char *texts[MOST_MEANS];
    size_t said = 0, found = 0;
    if (run == fth_runs_of(runs, y->proc))
        found = fth_order_means(run->order, x->proc - run->first_proc, y->proc - run->first_proc,
                                x->end_time, y->start, texts, MOST_MEANS);
    for (size_t i = 0; i < found && i < MOST_MEANS; i++)
        put_item(sink, &said, texts[i]);
    if (found > MOST_MEANS)
        put_item(sink, &said, "and more");
    if (pools_threads(runs, x->proc) || pools_threads(runs, y->proc)) {
        begin_item(sink, &said);
        put_threads(sink, runs, pools_threads(runs, x->proc) ? x->proc : y->proc);
    }
    const char *missing = means->missing[runs->run_of_proc[x->proc]],
               *other = means->missing[runs->run_of_proc[y->proc]];
    if (missing)
        put_item(sink, &said, missing);
    if (other && other != missing)
        put_item(sink, &said, other);
    if (!said)
        put_others(sink, runs);
}

const char *fth_means_between(struct fth_possible_means *means, const struct fth_situation *x,
                              const struct fth_situation *y)
{
    struct fth_sink sink;
    size_t at = 0;
    fth_sink_open_memory(&sink);
    put(&sink, means, x, y);
    fth_sink_char(&sink, 0);
    pthread_mutex_lock(&means->lock);
    while (at < means->text_count && strcmp(means->texts[at], sink.bytes) != 0)
        at++;
    if (at == means->text_count) {
        FTH_GROW(means->texts, means->text_count);
        means->texts[means->text_count++] = fth_text_copy(sink.bytes);
    }
    const char *text = means->texts[at];
    pthread_mutex_unlock(&means->lock);
    fth_sink_close_memory(&sink);
    return text;
}

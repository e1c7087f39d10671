/* Waits and imbalance that are worth acting on, with who is to blame, where to look and what to try. */
#include "analysis/findings.h"
#include "base/memory.h"
#include "base/phrase.h"
#include "path/flow.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_RANKS = 8, SHOWN_CALLS = 3 };

static const struct {
    const char *what, *advice; /* what: "COUNT calls of ... " goes on */
} words[FTH_WAITS] = {
    [FTH_WAIT_LATE_SENDER] = {"waited for messages that had not been sent yet",
                              "Let the senders send earlier, or do other work before receiving "
                              "(MPI_Irecv, and MPI_Wait later)."},
    [FTH_WAIT_WRONG_ORDER] =
        {"waited for a message while an earlier one of the same sender was there already",
         "Receive in the order in which the messages are sent, or whatever comes first "
         "(MPI_Waitany, MPI_ANY_TAG)."},
    [FTH_WAIT_LATE_RECEIVER] = {"waited until the receiver was ready",
                                "Post receives earlier (MPI_Irecv before computing), or send "
                                "without waiting (MPI_Isend)."},
    [FTH_WAIT_BARRIER] = {"waited at a barrier for the last rank to come",
                          "Give the ranks equal work; is the barrier needed at all?"},
    [FTH_WAIT_NXN] =
        {"waited in a collective call of all with all for the last rank to come",
         "Give the ranks equal work, or start it early and wait late (MPI_Iallreduce ...)."},
    [FTH_WAIT_EARLY_REDUCE] =
        {"waited at the root for what the others give",
         "Let the root do something else first, or use the nonblocking form (MPI_Ireduce ...)."},
    [FTH_WAIT_LATE_BROADCAST] =
        {"waited for a root that came late",
         "Let the root come earlier: what it does before is what all wait for."},
    [FTH_WAIT_SCAN] = {"waited for lower ranks", "Give the ranks equal work before the scan."},
    [FTH_WAIT_COLLECTIVE_IO] = {"waited in collective I/O for the last rank to come",
                                NULL}, /* advice_of */
    [FTH_WAIT_WRITER] = {"waited in collective I/O while other ranks reached the file for them",
                         "Let more ranks do the I/O (cb_nodes, cb_config_list; more servers), or "
                         "write in the background."},
    [FTH_WAIT_COLLECTIVE] = {"waited in collective calls for the last rank to come",
                             "Make communicators and windows once, not again and again."},
    [FTH_WAIT_END] = {"waited at the end of MPI for the last rank to come",
                      "Give the ranks equal work."},
    [FTH_WAIT_ONE_SIDED] =
        {"waited for the other side of an epoch of a window",
         "Open and close epochs at the same time on both sides, or lock (MPI_Win_lock)."},
    [FTH_WAIT_LOCK] =
        {"waited for a lock",
         "Lock shorter ranges, for shorter times, or write to ranges of one's own without locks."},
};

static int64_t run_without(const struct fth_path *path, unsigned kinds)
{
    int64_t length = fth_path_without(path, &(struct fth_path_change){.waits = kinds});
    return length < path->sums.length ? path->sums.length - length : 0;
}

/* Those that most was waited for, so that together they make up most of it. */
static void add_causes(const struct fth_path *path, struct fth_finding *finding, unsigned kind,
                       int64_t whole)
{
    size_t count = fth_trace_process_count(path->trace);
    bool *taken = fth_new(count + 1, sizeof *taken);
    int64_t sum = 0;
    for (int i = 0; i < SHOWN_RANKS && sum < whole / 10 * 9; i++) {
        uint32_t most = UINT32_MAX;
        for (uint32_t proc = 0; proc < count; proc++) {
            int64_t time = path->causes[(size_t)proc * FTH_WAITS + kind].time;
            if (!taken[proc] && time > 0 &&
                (most == UINT32_MAX || time > path->causes[(size_t)most * FTH_WAITS + kind].time))
                most = proc;
        }
        if (most == UINT32_MAX)
            break;
        taken[most] = true;
        sum += path->causes[(size_t)most * FTH_WAITS + kind].time;
        fth_finding_rank(finding, path->trace, most);
    }
    free(taken);
}

static void add_call(const struct fth_path *path, struct fth_finding *finding,
                     struct fth_event exit)
{
    const struct fth_strand *strand = &path->strands[exit.strand];
    uint32_t call = fth_flow_call(strand, fth_path_entry(path, exit));
    if (call != UINT32_MAX)
        fth_finding_call(finding, strand->proc, strand->thread, call);
}

/* The longest waits of this kind, each of another process or function. */
static void add_evidence(const struct fth_path *path, struct fth_finding *finding, unsigned kind)
{
    int64_t below = INT64_MAX;
    for (int i = 0; i < SHOWN_CALLS; i++) {
        const struct fth_wait_sum *longest = NULL;
        for (size_t k = 0; k < path->wait_count; k++)
            if (path->waits[k].kind == kind && path->waits[k].longest < below &&
                (!longest || path->waits[k].longest > longest->longest))
                longest = &path->waits[k];
        if (!longest)
            return;
        below = longest->longest;
        add_call(path, finding, longest->at);
    }
}

/* Opening, closing, views and what makes safe have no form that does not wait; there it is how often. */
static const char *advice_of(unsigned kind, const struct fth_function *function)
{
    if (kind != FTH_WAIT_COLLECTIVE_IO)
        return words[kind].advice;
    bool has_data =
        function && (!strcmp(function->kind, "read") || !strcmp(function->kind, "write"));
    return has_data ? "Give the ranks equal work before it, or use its nonblocking or split form "
                      "(MPI_File_iwrite_all ...)."
                    : "Give the ranks equal work before it, and open, close, and make safe on disk "
                      "less often.";
}

static void find_kind(const struct fth_path *path, unsigned kind, double worth,
                      struct fth_findings *findings)
{
    int64_t time = 0, most = 0;
    uint64_t count = 0;
    uint16_t function = FTH_NO_FUNCTION;
    for (size_t i = 0; i < path->wait_count; i++) {
        const struct fth_wait_sum *sum = &path->waits[i];
        if (sum->kind != kind)
            continue;
        time += sum->time;
        count += sum->count;
        if (sum->time > most) {
            most = sum->time;
            function = sum->function;
        }
    }
    if (!words[kind].what || time <= 0 || (double)time < worth * (double)path->sums.working)
        return;
    int64_t saved = kind == FTH_WAIT_WRITER ? -1 : run_without(path, 1u << kind);
    struct fth_finding *finding = fth_finding_add(findings, fth_wait_name((enum fth_wait)kind),
                                                  fth_wait_title((enum fth_wait)kind));
    finding->severity = time;
    finding->gain = saved;
    const struct fth_function *worst =
        function == FTH_NO_FUNCTION ? NULL : fth_trace_function(path->trace, function);
    fth_finding_say(finding, "%s, of %s most, %s.", fth_phrase_several(count, "call", "calls").text,
                    worst ? worst->name : "others", words[kind].what);
    fth_finding_advise(finding, "%s", advice_of(kind, worst));
    add_causes(path, finding, kind, time);
    add_evidence(path, finding, kind);
}

/* ---- why some come late ---- */

/* Those that others waited for longest in collective calls. */
static void add_late_ranks(const struct fth_path *path, struct fth_finding *finding)
{
    int64_t sum = 0, below = INT64_MAX;
    for (int i = 0; i < SHOWN_RANKS && sum < path->sums.late / 10 * 9; i++) {
        int64_t most = 0;
        for (uint32_t proc = 0; proc < fth_trace_process_count(path->trace); proc++)
            most = path->last_caused[proc] > most && path->last_caused[proc] < below
                       ? path->last_caused[proc]
                       : most;
        for (uint32_t proc = 0; most > 0 && proc < fth_trace_process_count(path->trace); proc++)
            if (path->last_caused[proc] == most) {
                fth_finding_rank(finding, path->trace, proc);
                sum += most;
            }
        below = most;
    }
}

/* How long the run would be if all had computed equally long. */
static int64_t gain_if_balanced(const struct fth_path *path)
{
    int64_t length = fth_path_without(path, &(struct fth_path_change){.balanced = true});
    return length < path->sums.length ? path->sums.length - length : 0;
}

static int percent_computed(const struct fth_path_sums *sums)
{
    return (int)(100.0 * (double)sums->late_compute / (double)sums->late);
}

static void find_straggler(const struct fth_path *path, struct fth_findings *findings)
{
    const struct fth_path_sums *sums = &path->sums;
    const struct fth_process *process = fth_trace_process(path->trace, (size_t)sums->straggler);
    struct fth_finding *finding =
        fth_finding_add(findings, "straggler", "One rank comes last again and again");
    finding->severity = sums->straggler_caused;
    if (2 * sums->late_compute >= sums->late)
        finding->gain = gain_if_balanced(path);
    fth_finding_say(finding,
                    "It is the last one in %" PRIu64 " of %" PRIu64
                    " collective calls, and the others waited %s for it there; %d %% of all "
                    "such waiting is explained by longer "
                    "computing before. It runs on %s.",
                    sums->straggler_last, sums->late_instances,
                    fth_phrase_duration(sums->straggler_caused).text, percent_computed(sums),
                    process->host ? process->host : "an unknown node");
    fth_finding_advise(finding, "Has it more work than the others, does it do their I/O, is its "
                                "node slower (other jobs, a throttled processor), or has it fewer "
                                "processors than ranks?");
    fth_finding_rank(finding, path->trace, (size_t)sums->straggler);
}

static void find_imbalance(const struct fth_path *path, struct fth_findings *findings)
{
    const struct fth_path_sums *sums = &path->sums;
    struct fth_finding *finding =
        fth_finding_add(findings, "compute_imbalance", "Ranks compute for different times");
    finding->severity = sums->late_compute;
    finding->gain = gain_if_balanced(path);
    fth_finding_say(finding,
                    "%d %% of the waiting in %" PRIu64
                    " collective calls is explained by what the ranks computed before: those that "
                    "waited had less to do (correlation %.2f).",
                    percent_computed(sums), sums->late_instances, sums->correlation);
    fth_finding_advise(finding, "Give the ranks equal work, or balance it while the program runs; "
                                "`fathom path` tells which rank has how much.");
    add_late_ranks(path, finding);
}

/* ---- messages themselves ---- */

/* Such a share of the critical path is in messages that nobody waited for, and is most of it. */
static const double MOST_OF_RUN = 0.5;

/* Not those inside of calls of I/O. */
static bool is_message(void *context, const struct fth_path_work *work)
{
    const struct fth_path *path = context;
    return work->function && !work->asked && fth_work_of(path->works, work->function)->messages;
}

/* The function that most of this time went to. */
static uint16_t sum_messages(const struct fth_path *path, int64_t *critical, int64_t *time)
{
    int64_t *of = fth_new(path->works->count + 1, sizeof *of);
    uint16_t most = FTH_NO_FUNCTION;
    *critical = *time = 0;
    for (uint32_t i = 0; i < path->work_count; i++) {
        struct fth_path_work work = fth_path_work_at(path, 0, i);
        uint16_t function = path->all_work[i].function;
        if (!is_message((void *)(uintptr_t)path, &work))
            continue;
        *critical += path->critical_work[i];
        *time += path->work_time[i];
        of[function] += path->critical_work[i];
        most = most == FTH_NO_FUNCTION || of[function] > of[most] ? function : most;
    }
    for (size_t i = 0; i < path->wait_count; i++)
        if (path->waits[i].function != FTH_NO_FUNCTION &&
            path->facts[path->waits[i].function].work->messages &&
            path->waits[i].kind < FTH_WAIT_PIPE)
            *time -= path->waits[i].time;
    free(of);
    return most;
}

/* The call of this function that took longest. */
static void add_longest(const struct fth_path *path, struct fth_finding *finding, uint16_t function)
{
    struct fth_event longest = {FTH_NO_STRAND, 0};
    int64_t most = -1;
    for (uint32_t i = 0; i < path->strand_count; i++)
        for (uint32_t step = 0; step < path->strands[i].event_count; step++) {
            const struct fth_flow_kind *kind = fth_flow_kind(&path->strands[i], step);
            if (!kind->is_exit || kind->function != function ||
                !path->selected[path->strands[i].proc])
                continue;
            int64_t time =
                fth_flow_time(&path->strands[i], step) -
                fth_flow_time(&path->strands[i], fth_flow_entry(&path->strands[i], step));
            if (time > most) {
                most = time;
                longest = (struct fth_event){i, step};
            }
        }
    if (most >= 0)
        add_call(path, finding, longest);
}

static void find_messages(const struct fth_path *path, struct fth_findings *findings)
{
    int64_t critical, time;
    uint16_t function = sum_messages(path, &critical, &time);
    if (function == FTH_NO_FUNCTION || time <= 0 ||
        (double)critical < MOST_OF_RUN * (double)path->sums.program)
        return;
    int64_t length = fth_path_without(
        path, &(struct fth_path_change){.gone = is_message, .context = (void *)(uintptr_t)path});
    struct fth_finding *finding =
        fth_finding_add(findings, "bound_by_messages", "Most of the run is messages under way");
    finding->severity = time;
    finding->gain = length < path->sums.length ? path->sums.length - length : 0;
    fth_finding_say(finding,
                    "%s of the critical path is in messages and collective calls themselves, in %s "
                    "most; nobody was late there.",
                    fth_phrase_percent(100 * (double)critical / (double)path->sums.program).text,
                    fth_trace_function(path->trace, function)->name);
    fth_finding_advise(finding,
                       "Compute while messages are under way (MPI_Isend and MPI_Irecv early, "
                       "MPI_Wait late), send less or fewer and larger ones, place ranks that talk "
                       "to each other on one node; has each rank a processor?");
    add_longest(path, finding, function);
}

void fth_path_findings(const struct fth_path *path, double worth, struct fth_findings *findings)
{
    for (unsigned kind = 0; kind < FTH_WAITS; kind++)
        find_kind(path, kind, worth, findings);
    double least = worth * (double)path->sums.working;
    if (path->sums.straggler >= 0 && (double)path->sums.straggler_caused >= least)
        find_straggler(path, findings);
    else if (path->sums.late_compute > 0 && (double)path->sums.late_compute >= least &&
             path->sums.late_compute * 2 >= path->sums.late)
        find_imbalance(path, findings);
    find_messages(path, findings);
}

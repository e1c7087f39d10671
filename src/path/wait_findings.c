/* Waits and imbalance that are worth acting on, with who is to blame, where to look and what to
 * try. */
#include "analysis/survey/findings.h"
#include "base/saturating.h"
#include "base/memory.h"
#include "base/phrase.h"
#include "path/correlation.h"
#include "path/run_flow.h"
#include "trace/record/builtin.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_RANKS = 8, SHOWN_CALLS = 3 };

static const struct {
    const char *what, *advice; /* what: "COUNT calls of ... " goes on */
} words[FTH_WAITS] = {
    [FTH_WAIT_LATE_SENDER] = {"waited for messages that had not been sent yet",
                              "Let the senders send earlier, or do other work before receiving "
                              "(MPI_Irecv early, MPI_Wait late)."},
    [FTH_WAIT_WRONG_ORDER] =
        {"waited for a message while an earlier one of the same sender had already arrived",
         "Receive messages in the order in which they are sent, or in any order (MPI_Waitany, "
         "MPI_ANY_TAG)."},
    [FTH_WAIT_LATE_RECEIVER] = {"waited until the receiver was ready",
                                "Post receives earlier (MPI_Irecv before computing), or send "
                                "without waiting (MPI_Isend)."},
    [FTH_WAIT_BARRIER] =
        {"waited at a barrier for the last rank",
         "Give the ranks equal work, and check whether the barrier is needed at all."},
    [FTH_WAIT_NXN] =
        {"waited in an N x N collective call for the last rank",
         "Give the ranks equal work, or start it early and wait late (MPI_Iallreduce ...)."},
    [FTH_WAIT_EARLY_REDUCE] =
        {"waited at the root for the data of the others",
         "Let the root do other work first, or use the nonblocking form (MPI_Ireduce ...)."},
    [FTH_WAIT_LATE_BROADCAST] =
        {"waited for a root that was late",
         "Let the root reach the call earlier: all ranks wait for the work that it does before."},
    [FTH_WAIT_SCAN] = {"waited for lower ranks", "Give the ranks equal work before the scan."},
    [FTH_WAIT_COLLECTIVE_IO] = {"waited in collective I/O for the last rank", NULL}, /* advice_of */
    [FTH_WAIT_WRITER] = {"waited in collective I/O while aggregators accessed the file",
                         "Use more aggregators (cb_nodes, cb_config_list) or more servers, or "
                         "write in the background."},
    [FTH_WAIT_COLLECTIVE] = {"waited in collective calls for the last rank",
                             "Create communicators and windows once, and reuse them."},
    [FTH_WAIT_END] = {"waited at the end of MPI for the last rank", "Give the ranks equal work."},
    [FTH_WAIT_ONE_SIDED] =
        {"waited for the other side of an epoch of a window",
         "Open and close epochs at the same time on both sides, or lock (MPI_Win_lock)."},
    [FTH_WAIT_LOCK] = {"waited for a lock", "Hold locks for shorter times, or let each "
                                            "process write to its own range without locks."},
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
            int64_t time = path->results.causes[(size_t)proc * FTH_WAITS + kind].time;
            if (!taken[proc] && time > 0 &&
                (most == UINT32_MAX ||
                 time > path->results.causes[(size_t)most * FTH_WAITS + kind].time))
                most = proc;
        }
        if (most == UINT32_MAX)
            break;
        taken[most] = true;
        FTH_ADD_SATURATING(sum, path->results.causes[(size_t)most * FTH_WAITS + kind].time);
        fth_finding_late(finding, path->trace, most);
    }
    free(taken);
}

void fth_path_add_call(const struct fth_path *path, struct fth_finding *finding,
                       struct fth_event exit)
{
    const struct fth_thread_timeline *timeline = &path->timelines[exit.timeline];
    uint32_t call = fth_flow_call(timeline, fth_path_entry(path, exit));
    if (call != UINT32_MAX)
        fth_finding_call(finding, timeline->proc, timeline->thread, call);
}

void fth_path_name_wait(const struct fth_path *path, struct fth_finding *finding,
                        const struct fth_wait_sum *sum)
{
    fth_finding_rank(finding, path->trace, sum->proc);
    if (sum->function != FTH_NO_FUNCTION)
        fth_finding_list_add(&finding->functions,
                             fth_trace_function(path->trace, sum->function)->name);
}

/* The longest waits of this kind, each of another process or function. */
static void add_evidence(const struct fth_path *path, struct fth_finding *finding, unsigned kind)
{
    int64_t below = INT64_MAX;
    for (int i = 0; i < SHOWN_CALLS; i++) {
        const struct fth_wait_sum *longest = NULL;
        for (size_t k = 0; k < path->results.wait_count; k++)
            if (path->results.waits[k].kind == kind && path->results.waits[k].longest < below &&
                (!longest || path->results.waits[k].longest > longest->longest))
                longest = &path->results.waits[k];
        if (!longest)
            return;
        below = longest->longest;
        fth_path_add_call(path, finding, longest->at);
    }
}

/* Those whose calls waited so, and their functions. */
static void add_waiting(const struct fth_path *path, struct fth_finding *finding, unsigned kind)
{
    finding->any_file = true;
    for (size_t i = 0; i < path->results.wait_count; i++)
        if (path->results.waits[i].kind == kind)
            fth_path_name_wait(path, finding, &path->results.waits[i]);
}

/* Opening, closing, views and what makes safe have no form that does not wait; there it is how
 * often. */
static const char *advice_of(unsigned kind, const struct fth_function *function)
{
    if (kind == FTH_WAIT_LATE_RECEIVER && function && function->collective)
        return "Give the ranks equal work before it, or use the nonblocking form (MPI_Ibcast ...).";
    if (kind != FTH_WAIT_COLLECTIVE_IO)
        return words[kind].advice;
    bool has_data =
        function && (!strcmp(function->kind, "read") || !strcmp(function->kind, "write"));
    return has_data
               ? "Give the ranks equal work before it, or use its nonblocking or split form "
                 "(MPI_File_iwrite_all ...)."
               : "Give the ranks equal work before it, and open, close and sync files less often.";
}

/* Locks of files, and what threads and processes wait for otherwise. */
static const struct wait_words {
    unsigned layers; /* of the function that waits most */
    const char *title, *what, *advice;
} other_locks[] = {
    {FTH_LAYER_COUNTERS, "Wait at a semaphore", "waited until others had raised a semaphore",
     "If the semaphore is a lock, hold it for shorter times. If idle workers wait there for work "
     "(a "
     "queue), give it to them earlier, or use fewer workers."},
    {FTH_LAYER_THREADS, "Wait for a lock of threads", "waited for a lock of threads",
     "Hold locks for shorter times, or use several locks for parts of the data."},
};

static struct wait_words words_of(unsigned kind, const struct fth_function *worst)
{
    for (size_t i = 0;
         kind == FTH_WAIT_LOCK && worst && i < sizeof other_locks / sizeof *other_locks; i++)
        if (fth_layer_is(worst->layer, other_locks[i].layers))
            return other_locks[i];
    return (struct wait_words){0, fth_wait_title((enum fth_wait)kind), words[kind].what,
                               advice_of(kind, worst)};
}

static void find_kind(const struct fth_path *path, unsigned kind, double worth,
                      struct fth_findings *findings)
{
    int64_t time = 0, most = 0;
    uint64_t count = 0;
    uint16_t function = FTH_NO_FUNCTION;
    for (size_t i = 0; i < path->results.wait_count; i++) {
        const struct fth_wait_sum *sum = &path->results.waits[i];
        if (sum->kind != kind)
            continue;
        FTH_ADD_SATURATING(time, sum->time);
        count += sum->count;
        if (sum->time > most) {
            most = sum->time;
            function = sum->function;
        }
    }
    if (!words[kind].what || time <= 0 || (double)time < worth * (double)path->sums.working)
        return;
    const struct fth_function *worst =
        function == FTH_NO_FUNCTION ? NULL : fth_trace_function(path->trace, function);
    const struct wait_words said = words_of(kind, worst);
    int64_t saved = kind == FTH_WAIT_WRITER ? -1 : run_without(path, 1u << kind);
    struct fth_finding *finding =
        fth_finding_add(findings, fth_wait_name((enum fth_wait)kind), said.title);
    finding->severity = time;
    finding->gain = saved;
    add_waiting(path, finding, kind);
    if (worst)
        fth_finding_say(finding, "%s of %s%s %s.", fth_phrase_several(count, "call", "calls").text,
                        worst->name, finding->functions.total > 1 ? " and others" : "", said.what);
    else
        fth_finding_say(finding, "%s %s.", fth_phrase_several(count, "call", "calls").text,
                        said.what);
    fth_finding_advise(finding, "%s", said.advice);
    add_causes(path, finding, kind, time);
    add_evidence(path, finding, kind);
}

/* ---- why some come late ---- */

static bool is_for_last(const struct fth_path *path, const struct fth_wait_sum *sum)
{
    if (sum->kind == FTH_WAIT_ONE_SIDED) { /* a fence */
        uint16_t function = fth_path_event_kind(path, sum->at)->function;
        return function != FTH_NO_FUNCTION && fth_trace_function(path->trace, function)->collective;
    }
    return sum->kind >= FTH_WAIT_BARRIER && sum->kind <= FTH_WAIT_END &&
           sum->kind != FTH_WAIT_START && sum->kind != FTH_WAIT_WRITER;
}

/* Where ranks wait for the last one to come: in collective calls, and where they wait for those
 * that do not block. */
static void add_functions_for_last(const struct fth_path *path, struct fth_finding *finding)
{
    finding->any_file = true;
    for (size_t i = 0; i < path->classes->count; i++) {
        const struct fth_function *function = fth_trace_function(path->trace, i);
        if (function->collective)
            fth_finding_list_add(&finding->functions, function->name);
    }
    for (size_t i = 0; i < path->results.wait_count; i++)
        if (is_for_last(path, &path->results.waits[i]) &&
            path->results.waits[i].function != FTH_NO_FUNCTION)
            fth_finding_list_add(
                &finding->functions,
                fth_trace_function(path->trace, path->results.waits[i].function)->name);
}

/* The ranks that wait for the last one to come, and the longest of these waits. `late`: for this
 * process; -1: for any. */
static void add_waits_for_last(const struct fth_path *path, struct fth_finding *finding,
                               int64_t late)
{
    const struct fth_wait_sum *longest = NULL;
    for (size_t i = 0; i < path->results.wait_count; i++) {
        const struct fth_wait_sum *sum = &path->results.waits[i];
        if (!is_for_last(path, sum) || sum->proc == late)
            continue;
        fth_finding_rank(finding, path->trace, sum->proc);
        if (late < 0 && (!longest || sum->longest > longest->longest))
            longest = sum;
    }
    for (size_t kind = 0; late >= 0 && kind < FTH_WAITS; kind++) {
        const struct fth_wait_sum *sum = &path->results.causes[(size_t)late * FTH_WAITS + kind];
        if (sum->count && is_for_last(path, sum) && (!longest || sum->longest > longest->longest))
            longest = sum;
    }
    if (longest)
        fth_path_add_call(path, finding, longest->at);
}

/* Those that others waited for longest in collective calls, as they had more to do. */
static void add_late_ranks(const struct fth_path *path, struct fth_finding *finding)
{
    int64_t all = 0, sum = 0, below = INT64_MAX;
    for (size_t proc = 0; proc < fth_trace_process_count(path->trace); proc++)
        FTH_ADD_SATURATING(all, path->results.last_caused[proc]);
    for (int i = 0; i < SHOWN_RANKS && sum < all / 10 * 9; i++) {
        int64_t most = 0;
        for (uint32_t proc = 0; proc < fth_trace_process_count(path->trace); proc++)
            most = path->results.last_caused[proc] > most && path->results.last_caused[proc] < below
                       ? path->results.last_caused[proc]
                       : most;
        for (uint32_t proc = 0; most > 0 && proc < fth_trace_process_count(path->trace); proc++)
            if (path->results.last_caused[proc] == most) {
                fth_finding_late(finding, path->trace, proc);
                FTH_ADD_SATURATING(sum, most);
            }
        below = most;
    }
}

/* How much shorter the run would be if all had computed, and done I/O, equally long. */
static int64_t gain_if_balanced(const struct fth_path *path)
{
    int64_t length =
        fth_path_without(path, &(struct fth_path_change){.balanced = true, .balanced_io = true});
    return length < path->sums.length ? path->sums.length - length : 0;
}

static int percent_of_late(const struct fth_path_sums *sums, int64_t time)
{
    return (int)(100.0 * (double)time / (double)sums->late);
}

/* ns that one rank worked longer than the others on average, over the whole run. */
static int64_t surplus_of(const struct fth_path *path, size_t proc)
{
    int64_t sum = 0, count = 0;
    for (size_t i = 0; i < fth_trace_process_count(path->trace); i++) {
        int64_t worked = fth_saturating_sum(path->results.computed[i], path->results.did_io[i]);
        if (i != proc && path->selected[i] && worked) {
            FTH_ADD_SATURATING(sum, worked);
            count++;
        }
    }
    return count ? fth_saturating_sum(path->results.computed[proc], path->results.did_io[proc]) -
                       sum / count
                 : 0;
}

/* ns that all would wait for this kind of work if they met once, at the end. */
static int64_t unevenness(const struct fth_path *path, const int64_t *worked)
{
    int64_t most = 0, sum = 0;
    for (size_t i = 0; i < fth_trace_process_count(path->trace); i++)
        if (path->selected[i])
            most = worked[i] > most ? worked[i] : most;
    for (size_t i = 0; i < fth_trace_process_count(path->trace); i++)
        if (path->selected[i] && (path->results.computed[i] > 0 || path->results.did_io[i] > 0))
            FTH_ADD_SATURATING(sum, most - worked[i]);
    return sum;
}

/* Where ranks share processors somebody is late at any time, each in turn: only who has more to do
 * over the whole run is to blame. */
static bool is_by_chance(const struct fth_path *path, const struct fth_oversubscription *node)
{
    const struct fth_path_sums *sums = &path->sums;
    if (!node->ranks)
        return false;
    if (sums->straggler >= 0)
        return 2 * surplus_of(path, (size_t)sums->straggler) * (int64_t)(node->ranks - 1) <
               sums->straggler_caused;
    if (2 * sums->late_compute >= sums->late)
        return unevenness(path, path->results.computed) < sums->late_compute / 2;
    return unevenness(path, path->results.did_io) < sums->late_io / 2;
}

static void find_straggler(const struct fth_path *path, struct fth_findings *findings)
{
    const struct fth_path_sums *sums = &path->sums;
    const struct fth_process *process = fth_trace_process(path->trace, (size_t)sums->straggler);
    struct fth_finding *finding =
        fth_finding_add(findings, "straggler", "One rank is often the last");
    finding->severity = sums->straggler_caused;
    add_functions_for_last(path, finding);
    finding->gain = gain_if_balanced(path);
    fth_finding_say(
        finding,
        "It is the last in %" PRIu64 " of %" PRIu64
        " collective calls. The others waited %s for it there. More time outside of calls before "
        "(computation and unrecorded waits) explains "
        "%d %% of all such waiting, and more I/O %d %%. The rank runs on %s.",
        sums->straggler_last, sums->late_instances,
        fth_phrase_duration(sums->straggler_caused).text, percent_of_late(sums, sums->late_compute),
        percent_of_late(sums, sums->late_io), process->host ? process->host : "an unknown node");
    fth_finding_advise(
        finding, "%s",
        2 * sums->late_compute < sums->late && sums->late_io > sums->late_compute
            ? "Give the ranks equal I/O, or use collective calls."
            : "Check whether the rank has more work than the others, or its node is slower (other "
              "jobs, a throttled processor). `fathom path` shows the work of each rank.");
    fth_finding_late(finding, path->trace, (size_t)sums->straggler);
    add_waits_for_last(path, finding, sums->straggler);
}

/* Of the waits at one call only the first is an observation of its own: all are for the same rank.
 * "": there is nothing to say. */
struct correlation_phrase {
    char text[128];
};

static struct correlation_phrase correlation_of(const struct fth_path_sums *sums)
{
    struct correlation_phrase phrase = {""};
    const char *strength = fth_correlation_strength(sums->correlation, sums->late_instances);
    if (strength)
        snprintf(phrase.text, sizeof phrase.text,
                 " How much shorter, and how long they waited, correlate %s (%.2f, %s).", strength,
                 sums->correlation, fth_phrase_several(sums->correlated, "wait", "waits").text);
    return phrase;
}

static void find_imbalance(const struct fth_path *path, struct fth_findings *findings)
{
    const struct fth_path_sums *sums = &path->sums;
    struct fth_finding *finding = fth_finding_add(findings, "compute_imbalance",
                                                  "Ranks spend different times outside of calls");
    finding->severity = sums->late_compute;
    add_functions_for_last(path, finding);
    finding->gain = gain_if_balanced(path);
    fth_finding_say(
        finding,
        "The time outside of calls before (computation and unrecorded waits) explains %d %% of "
        "the waiting in %" PRIu64 " collective calls: of the ranks that waited it was "
        "shorter.%s",
        percent_of_late(sums, sums->late_compute), sums->late_instances, correlation_of(sums).text);
    fth_finding_advise(finding, "Give the ranks equal work, or balance it while the program runs. "
                                "`fathom path` shows the work of each rank.");
    add_late_ranks(path, finding);
    add_waits_for_last(path, finding, -1);
}

static void find_io_imbalance(const struct fth_path *path, struct fth_findings *findings)
{
    const struct fth_path_sums *sums = &path->sums;
    struct fth_finding *finding =
        fth_finding_add(findings, "io_imbalance", "Ranks do I/O for different times");
    finding->severity = sums->late_io;
    add_functions_for_last(path, finding);
    finding->gain = gain_if_balanced(path);
    fth_finding_say(finding,
                    "The I/O before explains %d %% of the waiting in %" PRIu64
                    " collective calls: the ranks that waited did less of it.",
                    percent_of_late(sums, sums->late_io), sums->late_instances);
    fth_finding_advise(finding, "Give the ranks equal I/O, or use collective calls.");
    add_late_ranks(path, finding);
    add_waits_for_last(path, finding, -1);
}

/* ---- ranks that wait for messages, as others compute longer ---- */

static const enum fth_wait message_waits[] = {FTH_WAIT_LATE_SENDER, FTH_WAIT_LATE_RECEIVER,
                                              FTH_WAIT_ONE_SIDED}; /* but fences */
enum { MESSAGE_WAITS = sizeof message_waits / sizeof *message_waits };

/* Of the selected ranks that did anything between two collective calls. */
struct computing {
    size_t least, most; /* ranks: who computed least and most */
    int64_t mean;       /* ns */
    int64_t explained;  /* ns of the waits for messages */
    int64_t waited;     /* ns: all of these */
    int64_t one_sided;  /* ns of these: waits for epochs of windows */
};

static struct fth_phrase name_of(const struct fth_path *path, size_t proc)
{
    const struct fth_process *process = fth_trace_process(path->trace, proc);
    return fth_phrase_rank(process->world, process->rank);
}

static struct computing computing_of(const struct fth_path *path)
{
    const int64_t *computed = path->results.computed;
    struct computing found = {.least = SIZE_MAX, .most = SIZE_MAX};
    int64_t sum = 0, count = 0;
    for (size_t i = 0; i < fth_trace_process_count(path->trace); i++) {
        if (!path->selected[i] || (computed[i] <= 0 && path->results.did_io[i] <= 0))
            continue;
        found.least =
            found.least == SIZE_MAX || computed[i] < computed[found.least] ? i : found.least;
        found.most = found.most == SIZE_MAX || computed[i] > computed[found.most] ? i : found.most;
        FTH_ADD_SATURATING(sum, computed[i]);
        count++;
    }
    for (size_t i = 0; i < path->results.wait_count; i++) {
        const struct fth_wait_sum *waits = &path->results.waits[i];
        for (size_t k = 0; k < MESSAGE_WAITS && !is_for_last(path, waits); k++)
            FTH_ADD_SATURATING(found.waited, waits->kind == message_waits[k] ? waits->time : 0);
        if (waits->kind == FTH_WAIT_ONE_SIDED && !is_for_last(path, waits))
            FTH_ADD_SATURATING(found.one_sided, waits->time);
    }
    found.mean = count ? sum / count : 0;
    found.explained = unevenness(path, computed);
    found.explained = found.explained < found.waited ? found.explained : found.waited;
    return found;
}

static void find_message_imbalance(const struct fth_path *path, const struct computing *computing,
                                   struct fth_findings *findings)
{
    const int64_t *computed = path->results.computed;
    struct fth_finding *finding = fth_finding_add(findings, "compute_imbalance",
                                                  "Ranks spend different times outside of calls");
    finding->severity = computing->explained;
    finding->gain = gain_if_balanced(path);
    for (size_t k = 0; k < MESSAGE_WAITS; k++) {
        add_waiting(path, finding, message_waits[k]);
        add_evidence(path, finding, message_waits[k]);
    }
    for (size_t i = 0; i < fth_trace_process_count(path->trace); i++)
        if (path->selected[i] && computed[i] > computing->mean &&
            computed[i] - computing->mean >= (computed[computing->most] - computing->mean) / 2)
            fth_finding_late(finding, path->trace, i);
    fth_finding_say(finding,
                    "Between the start and the end of MPI, rank %s spends %s outside of calls "
                    "(computation and unrecorded waits), and rank %s %s. That explains "
                    "%.0f %% of the waiting for %s.",
                    name_of(path, computing->most).text,
                    fth_phrase_duration(computed[computing->most]).text,
                    name_of(path, computing->least).text,
                    fth_phrase_duration(computed[computing->least]).text,
                    100.0 * (double)computing->explained / (double)computing->waited,
                    !computing->one_sided                       ? "messages"
                    : computing->one_sided == computing->waited ? "epochs of windows"
                                                                : "messages and epochs of windows");
    fth_finding_advise(finding, "Give the ranks equal work, or balance it while the program runs. "
                                "`fathom path` shows the work of each rank.");
}

/* More of the waiting is for messages than in collective calls, and the computing explains most of
 * it. */
static bool explains_messages(const struct fth_path *path, const struct computing *computing)
{
    return computing->explained > path->sums.late && computing->explained * 2 >= computing->waited;
}

bool fth_path_computes_unevenly(const struct fth_path *path)
{
    struct computing computing = computing_of(path);
    return path->sums.late_compute > 0 || explains_messages(path, &computing);
}

int64_t fth_path_find_wait_states(const struct fth_path *path, double worth,
                                  const struct fth_oversubscription *node,
                                  struct fth_findings *findings)
{
    for (unsigned kind = 0; kind < FTH_WAITS; kind++)
        find_kind(path, kind, worth, findings);
    double least = worth * (double)path->sums.working;
    const struct fth_path_sums *sums = &path->sums;
    struct computing computing = computing_of(path);
    if ((double)computing.explained >= least && explains_messages(path, &computing)) {
        find_message_imbalance(path, &computing, findings);
        return computing.explained;
    }
    if (is_by_chance(path, node))
        return 0; /* nobody has more to do */
    if (sums->straggler >= 0 && (double)sums->straggler_caused >= least) {
        find_straggler(path, findings);
        return sums->straggler_caused;
    }
    if (sums->late_compute > 0 && (double)sums->late_compute >= least &&
        sums->late_compute * 2 >= sums->late) {
        find_imbalance(path, findings);
        return sums->late_compute;
    }
    if (sums->late_io > 0 && (double)sums->late_io >= least && sums->late_io * 2 >= sums->late) {
        find_io_imbalance(path, findings);
        return sums->late_io;
    }
    return 0;
}

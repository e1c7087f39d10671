/* The findings of a path: those of waits, then what holds for all waits and messages of a run
 * together: more ranks than processors, and messages that take most of the run, or much of the time
 * of the ranks. */
#include "analysis/survey/findings.h"
#include "base/saturating.h"
#include "base/memory.h"
#include "base/phrase.h"
#include "path/run_flow.h"

#include <stdio.h>
#include <string.h>

/* ---- more ranks than processors ---- */

/* Waits of one rank for another. */
static bool is_for_rank(const struct fth_wait_sum *sum)
{
    return sum->kind < FTH_WAIT_PIPE && sum->kind != FTH_WAIT_START;
}

/* As far as processors can explain them. */
static int64_t sum_waits(const struct fth_path *path)
{
    int64_t time = 0;
    for (size_t i = 0; i < path->results.wait_count; i++)
        if (is_for_rank(&path->results.waits[i]))
            FTH_ADD_SATURATING(time, path->results.waits[i].contended);
    return time;
}

/* Their ranks and functions, and the longest of them. */
static void add_waits(const struct fth_path *path, struct fth_finding *finding)
{
    const struct fth_wait_sum *longest = NULL;
    for (size_t i = 0; i < path->results.wait_count; i++) {
        const struct fth_wait_sum *sum = &path->results.waits[i];
        if (!is_for_rank(sum) || !sum->contended)
            continue;
        longest = longest && longest->longest >= sum->longest ? longest : sum;
        fth_path_name_wait(path, finding, sum);
    }
    if (longest)
        fth_path_add_call(path, finding, longest->at);
}

/* Does a selected process use Open MPI? */
static bool is_open_mpi(const struct fth_path *path)
{
    for (size_t i = 0; i < fth_trace_process_count(path->trace); i++) {
        const char *abi = fth_trace_process(path->trace, i)->mpi_abi;
        if (path->selected[i] && abi && strcmp(abi, "openmpi") == 0)
            return true;
    }
    return false;
}

/* `explained`: ns of the waits that have a cause of their own. */
static void find_oversubscription(const struct fth_path *path,
                                  const struct fth_oversubscription *node, int64_t explained,
                                  double least, struct fth_findings *findings)
{
    int64_t waits = sum_waits(path) - explained;
    if (!node->ranks || waits <= 0 || (double)waits < least)
        return;
    struct fth_finding *finding = fth_finding_add(findings, "more_ranks_than_processors",
                                                  "There are more ranks than processors");
    add_waits(path, finding);
    finding->any_file = true;
    finding->of_processors = true;
    finding->severity = waits;
    fth_finding_say(
        finding,
        "%s run on %s, which has %s online (affinity masks or quotas may leave fewer "
        "to the ranks). A rank that waits for another also waits until that one gets a "
        "processor. So much of the waits without another cause may be for that: too many "
        "ranks worked at the time.",
        fth_phrase_several(node->ranks, "rank", "ranks").text, node->host,
        fth_phrase_several(node->processors, "processor", "processors").text);
    fth_finding_advise(
        finding, "Run at most %s on this node.%s",
        fth_phrase_several(node->processors, "rank", "ranks").text,
        is_open_mpi(path)
            ? " Waiting ranks of Open MPI yield their processor only if Open MPI knows of fewer "
              "slots than ranks. If the slots exceed the processors (--host, a hostfile), or "
              "mpirun does not start the ranks, set OMPI_MCA_mpi_yield_when_idle=1."
            : "");
}

/* ---- messages themselves ---- */

/* Such a share of the critical path is in messages that nobody waited for, and is most of it. */
static const double MOST_OF_RUN = 0.5;
/* With less of the critical path in them, messages are hardly much of the run. */
static const double PERHAPS_MUCH = 0.1;
/* So many times what is worth reporting is much. */
static const double MUCH = 20;

/* Not those inside of calls of I/O. */
static bool is_message(void *context, const struct fth_path_work *work)
{
    const struct fth_path *path = context;
    return work->function && !work->asked && !work->starts_mpi &&
           fth_call_class_of(path->classes, work->function)->messages;
}

/* A wait of one rank for another in a call that passes messages. */
static bool is_for_message(const struct fth_path *path, const struct fth_wait_sum *sum)
{
    return sum->function != FTH_NO_FUNCTION && path->facts[sum->function].class->messages &&
           sum->kind < FTH_WAIT_PIPE;
}

/* Of a time that went to messages: how much, and to which function most of that. */
struct share {
    int64_t whole, time;
    uint16_t function; /* FTH_NO_FUNCTION: there is none */
};

/* `of_work`: ns, by work. */
static struct share share_of(const struct fth_path *path, const int64_t *of_work)
{
    int64_t *of = fth_new(path->classes->count + 1, sizeof *of);
    struct share share = {.function = FTH_NO_FUNCTION};
    for (uint32_t i = 0; i < path->work.count; i++) {
        struct fth_path_work work = fth_path_work_at(path, i);
        uint16_t function = path->work.all[i].function;
        if (!is_message((void *)(uintptr_t)path, &work))
            continue;
        FTH_ADD_SATURATING(share.whole, of_work[i]);
        FTH_ADD_SATURATING(of[function], of_work[i]);
        if (share.function == FTH_NO_FUNCTION || of[function] > share.time) {
            share.function = function;
            share.time = of[function];
        }
    }
    free(of);
    return share;
}

static int64_t waits_for_messages(const struct fth_path *path)
{
    int64_t time = 0;
    for (size_t i = 0; i < path->results.wait_count; i++)
        if (is_for_message(path, &path->results.waits[i]))
            FTH_ADD_SATURATING(time, path->results.waits[i].time);
    return time;
}

/* "most of it in MPI_Recv"; of what has no half "the largest part (31 %) in MPI_Recv". */
struct share_phrase {
    char text[160];
};

static struct share_phrase phrase_of(const struct fth_path *path, const struct share *share)
{
    struct share_phrase phrase;
    const char *name = fth_trace_function(path->trace, share->function)->name;
    if (2 * share->time > share->whole)
        snprintf(phrase.text, sizeof phrase.text, "most of it in %s", name);
    else
        snprintf(phrase.text, sizeof phrase.text, "the largest part (%.0f %%) in %s",
                 100 * (double)share->time / (double)share->whole, name);
    return phrase;
}

/* Does it make or free windows, and move no bytes? */
static bool sets_up_windows(const struct fth_path *path, uint16_t function)
{
    const struct fth_flow_facts *facts = &path->facts[function];
    return facts->class->kind == FTH_CALLS_RMA && facts->awaited == FTH_WAIT_COLLECTIVE;
}

/* Does it wait until nobody else holds the lock of a window? Who does is not known: a lock may be
 * held from any time on until its unlock returns. */
static bool locks_windows(const struct fth_path *path, uint16_t function)
{
    const char *orders = fth_trace_function(path->trace, function)->orders;
    return path->facts[function].class->kind == FTH_CALLS_RMA && orders &&
           strcmp(orders, "lock") == 0;
}

/* What takes most of a share. */
struct subject {
    const char *takes_run, *takes_time; /* titles */
    const char *rest;                   /* what is no wait that is known */
    bool transfers;
};

static struct subject subject_of(const struct fth_path *path, const struct share *share)
{
    bool most = 2 * share->time > share->whole;
    if (most && sets_up_windows(path, share->function))
        return (struct subject){"Making and freeing windows takes much of the run",
                                "Making and freeing windows takes much time",
                                "the work of these calls, or waits for an unknown rank", false};
    if (most && locks_windows(path, share->function))
        return (struct subject){
            "Locking windows takes much of the run", "Locking windows takes much time",
            "waits for ranks that hold a lock, or the work of these calls", false};
    return (struct subject){"Messages and collective calls take most of the run",
                            "Messages and waits for them take much time",
                            "transfer, or waits for an unknown rank", true};
}

/* Larger messages than these take as long as their bytes: fewer would not be faster. */
static const double LARGE = 1 << 16;

/* What would make messages take less. */
static const char *cheaper(const struct fth_path *path, uint16_t function)
{
    int64_t count = 0, bytes = 0;
    for (uint32_t i = 0; i < path->matches.sums.pairs.count; i++) {
        count += path->matches.sums.all[i].count - path->matches.sums.all[i].unsized;
        FTH_ADD_SATURATING(bytes, path->matches.sums.all[i].bytes);
    }
    if (sets_up_windows(path, function))
        return "Create windows once, and reuse them";
    if (locks_windows(path, function))
        return "Hold the locks of windows for shorter times, or share them (MPI_LOCK_SHARED)";
    return count && (double)bytes / (double)count >= LARGE
               ? "Send less: the messages are large already"
               : "Send less, or send fewer and larger messages";
}

/* ns of the call that ends with this event, without those that it is known to have waited. */
static int64_t time_without_wait(const struct fth_path *path, struct fth_event exit)
{
    const struct fth_thread_timeline *timeline = &path->timelines[exit.timeline];
    struct fth_event cause;
    int64_t time =
        fth_flow_time(timeline, exit.step) - fth_flow_time(timeline, fth_path_entry(path, exit));
    if (fth_path_cause(path, exit.timeline, exit.step, fth_path_edge_at(timeline, exit.step),
                       &cause))
        time -= fth_path_waited(path, exit.timeline, exit.step, cause);
    return time;
}

/* The ranks that pass messages, and the call of this function that took longest. */
static void add_longest(const struct fth_path *path, struct fth_finding *finding, uint16_t function,
                        bool waits)
{
    struct fth_event longest = {FTH_NO_TIMELINE, 0};
    int64_t most = -1;
    for (uint32_t i = 0; i < path->timeline_count; i++) {
        bool passes = false;
        for (uint32_t step = 0; step < path->timelines[i].event_count; step++) {
            const struct fth_flow_kind *kind = fth_flow_kind(&path->timelines[i], step);
            if (!kind->is_exit || kind->function == FTH_NO_FUNCTION ||
                !path->selected[path->timelines[i].proc])
                continue;
            passes |= path->facts[kind->function].class->messages;
            if (kind->function != function)
                continue;
            struct fth_event exit = {i, step};
            int64_t time = waits
                               ? fth_path_time(path, exit) -
                                     fth_flow_time(&path->timelines[i], fth_path_entry(path, exit))
                               : time_without_wait(path, exit);
            if (time > most) {
                most = time;
                longest = exit;
            }
        }
        if (passes)
            fth_finding_rank(finding, path->trace, path->timelines[i].proc);
    }
    if (most >= 0)
        fth_path_add_call(path, finding, longest);
}

/* How long would the run be without the messages; or without waits for them, too? */
static struct fth_path_change without_messages(const struct fth_path *path, bool and_waits)
{
    return (struct fth_path_change){.waits = and_waits ? (1u << FTH_WAIT_PIPE) - 1 : 0,
                                    .gone = is_message,
                                    .context = (void *)(uintptr_t)path};
}

static bool is_most_of_run(const struct fth_path *path, const struct share *critical)
{
    return (double)critical->whole >= MOST_OF_RUN * (double)path->sums.program;
}

void fth_path_expect_messages(struct fth_path *path)
{
    struct share critical = share_of(path, path->results.critical_work);
    if ((double)critical.whole >= PERHAPS_MUCH * (double)path->sums.program)
        fth_path_ask_ahead(path, without_messages(path, !is_most_of_run(path, &critical)));
}

void fth_path_expect_much_in_messages(struct fth_path *path)
{
    struct share critical = share_of(path, path->results.critical_work);
    struct share spent = share_of(path, path->results.work_time);
    if (path->known->count == 0 && !is_most_of_run(path, &critical) &&
        (double)spent.whole >= PERHAPS_MUCH * (double)path->sums.working)
        fth_path_ask_ahead(path, without_messages(path, true));
}

/* Most of the critical path. */
static bool find_bound(const struct fth_path *path, const struct share *critical, int64_t time,
                       struct fth_findings *findings)
{
    if (time <= 0 || !is_most_of_run(path, critical))
        return false;
    struct fth_path_change change = without_messages(path, false);
    int64_t length = fth_path_without(path, &change);
    struct subject subject = subject_of(path, critical);
    struct fth_finding *finding = fth_finding_add(findings, "bound_by_messages", subject.takes_run);
    finding->severity = time;
    finding->classes = FTH_CALLS_BIT(FTH_CALLS_MESSAGE_KINDS) - FTH_CALLS_BIT(FTH_CALLS_SEND);
    finding->gain = length < path->sums.length ? path->sums.length - length : 0;
    fth_finding_say(
        finding,
        "%s of the critical path is in messages and collective calls themselves, %s. "
        "Waits for ranks that are known to have been late are not part of it.%s",
        fth_phrase_percent(100 * (double)critical->whole / (double)path->sums.program).text,
        phrase_of(path, critical).text,
        locks_windows(path, critical->function)
            ? " Who locks a window waits for ranks that hold a lock. Which ranks these are is not "
              "known."
            : "");
    fth_finding_advise(
        finding, "%s. %sCheck that each rank has a processor.", cheaper(path, critical->function),
        !subject.transfers ? ""
                           : "Compute during the transfer (MPI_Isend and MPI_Irecv early, "
                             "MPI_Wait late). Place ranks that communicate on one node. ");
    add_longest(path, finding, critical->function, false);
    return true;
}

/* Messages and waits for them take much of the time of the ranks, each kind a part of it. `spent`:
 * with the waits. */
static void find_much(const struct fth_path *path, const struct share *spent, int64_t waits,
                      double least, struct fth_findings *findings)
{
    int64_t time = spent->whole > waits ? spent->whole : waits;
    if (time <= 0 || (double)time < MUCH * least)
        return;
    struct fth_path_change change = without_messages(path, true);
    int64_t length = fth_path_without(path, &change);
    struct subject subject = subject_of(path, spent);
    struct fth_finding *finding = fth_finding_add(findings, "much_in_messages", subject.takes_time);
    double whole = (double)path->sums.working;
    finding->severity = time;
    finding->classes = FTH_CALLS_BIT(FTH_CALLS_MESSAGE_KINDS) - FTH_CALLS_BIT(FTH_CALLS_SEND);
    finding->gain = length < path->sums.length ? path->sums.length - length : 0;
    fth_finding_say(
        finding,
        "Messages and collective calls take %s of the time of the ranks, %s. %s of that "
        "is known to be waiting for other ranks. The rest is %s.",
        fth_phrase_percent(100 * (double)time / whole).text, phrase_of(path, spent).text,
        fth_phrase_percent(100 * (double)waits / (double)time).text, subject.rest);
    if (2 * waits > time)
        fth_finding_advise(finding,
                           "Synchronize the ranks less often, or use fewer ranks for this much "
                           "work. `fathom path` shows who waits for whom.");
    else
        fth_finding_advise(finding, "%s. Or use fewer ranks for this much work.",
                           cheaper(path, spent->function));
    add_longest(path, finding, spent->function, true);
}

static void find_messages(const struct fth_path *path, double least, struct fth_findings *findings)
{
    struct share critical = share_of(path, path->results.critical_work);
    struct share spent = share_of(path, path->results.work_time);
    int64_t waits = waits_for_messages(path);
    if (spent.function != FTH_NO_FUNCTION &&
        !find_bound(path, &critical, spent.whole - waits, findings))
        find_much(path, &spent, waits, least, findings);
}

void fth_path_findings(const struct fth_path *path, double worth, struct fth_findings *findings)
{
    double least = worth * (double)path->sums.working;
    const struct fth_oversubscription *node = &path->contention.node;
    int64_t explained = fth_path_find_wait_states(path, worth, node, findings);
    find_oversubscription(path, node, explained, least, findings);
    find_messages(path, least, findings);
    fth_path_find_written_pipe(path, findings);
}

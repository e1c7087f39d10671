/* What processes are for: most of a parallel program compute, and some may do nothing but take
 * results and write them (I/O servers, as in MONC or ICON). Are there as many of these as are
 * needed?
 *
 * A server computes for little of its time (between the begin and the end of MPI), and spends it in
 * receiving, handing on and I/O instead; it is one only if nobody but servers writes. Those that
 * wait in collective calls wait for others that have more to do: that is imbalance. */
#include "analysis/passes/passes.h"
#include "base/saturating.h"

#include "analysis/survey/findings.h"
#include "analysis/passes/finding_texts.h"
#include "base/memory.h"

#include <string.h>

enum column { ROLE, PROCESSES, COMPUTING, RECEIVING, SENDING, IO, WRITTEN };
static const struct fth_column columns[] = {
    {"role", "role", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"processes", "processes", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"computing", "computing", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"receiving", "receiving", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"sending", "sending", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"io", "I/O", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"roles", "Roles of processes", columns, 7, 0};

/* Of their time, servers compute for less than this, receive, hand on and do I/O for more than
 * that, and receive for more than that. */
static const double computes_little = 0.25, serves = 0.5, receives = 0.1;
/* A first thread that makes calls for less than this leaves the work to others. */
static const double idles = 0.1;

/* Threads with numbers from this on are counted as one. */
enum { LAST_WORKER = 63 };

/* ns */
struct time {
    int64_t calls, receiving, sending, io;
};

/* From the begin of a thread's first call that is work to the end of its last one; ns. */
struct span {
    bool classes;
    int64_t begin, end;
};

struct share {
    int64_t begin, end; /* of MPI; -1: not known */
    /* of the first thread; in the end of those that serve, if it does not */
    struct time time;
    struct time of_workers; /* of all other threads that do work */
    uint64_t written;
    struct fth_example received, sent;
};

static int64_t length_of(const struct share *share)
{
    return share->end - share->begin;
}

struct rank {
    size_t proc;
    struct share share;
};

/* What functions do to MPI. */
enum stage { STAGE_NONE, STAGE_INIT, STAGE_FINALIZE };

struct process {
    const enum stage *stages; /* by function */
    struct rank rank;
    struct span workers[LAST_WORKER + 1]; /* by number of thread */
};

struct run {
    const struct fth_survey *survey;
    enum stage *stages; /* by function */
    size_t count;
    struct rank *list;
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->stages = fth_new(survey->classes->count + 1, sizeof *run->stages);
    for (size_t i = 0; i < survey->classes->count; i++) {
        const char *kind = fth_trace_function(survey->trace, i)->kind;
        run->stages[i] = strcmp(kind, "init") == 0       ? STAGE_INIT
                         : strcmp(kind, "finalize") == 0 ? STAGE_FINALIZE
                                                         : STAGE_NONE;
    }
    return run;
}

static void *open_process(void *state, size_t proc)
{
    const struct run *run = state;
    struct process *process = fth_new(1, sizeof *process);
    process->stages = run->stages;
    process->rank.proc = proc;
    process->rank.share.begin = process->rank.share.end = -1;
    return process;
}

static void serve(struct share *share, struct time *sum, const struct fth_frame *frame)
{
    int64_t time = frame->times.all;
    FTH_ADD_SATURATING(sum->calls, time);
    switch (frame->class->kind) {
    case FTH_CALLS_RECV:
    case FTH_CALLS_WAIT:
    case FTH_CALLS_TEST:
    case FTH_CALLS_PROBE:
        FTH_ADD_SATURATING(sum->receiving, time);
        fth_example_see(&share->received, frame);
        return;
    case FTH_CALLS_SEND:
        FTH_ADD_SATURATING(sum->sending, time);
        fth_example_see(&share->sent, frame);
        return;
    default:
        FTH_ADD_SATURATING(sum->io, frame->class->io ? time : 0);
        share->written += frame->writes ? frame->data.bytes : 0;
    }
}

/* Threads of the MPI library itself only wait for events. */
static bool is_work(const struct fth_frame *frame)
{
    return frame->class->messages ||
           (frame->class->io && !frame->file.to_others && frame->activity != FTH_ACTIVITY_WAITING);
}

static void work(struct process *process, const struct fth_frame *frame)
{
    struct span *span =
        &process->workers[frame->thread < LAST_WORKER ? frame->thread : LAST_WORKER];
    if (!span->classes && !is_work(frame))
        return;
    if (!span->classes)
        *span = (struct span){true, frame->times.start, frame->times.end};
    if (frame->times.end > span->end)
        span->end = frame->times.end;
    serve(&process->rank.share, &process->rank.share.of_workers, frame);
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    struct share *share = &process->rank.share;
    const struct fth_frame *around = fth_frame_around(frame);
    if (frame->class->region || (around && !around->class->region))
        return;
    if (frame->thread) {
        if (share->begin >= 0 && share->end < 0)
            work(process, frame);
        return;
    }
    enum stage stage = process->stages[frame->class->index];
    if (stage == STAGE_INIT && share->begin < 0) {
        *share = (struct share){.begin = frame->times.end, .end = -1};
        memset(process->workers, 0, sizeof process->workers);
        return;
    }
    if (stage == STAGE_FINALIZE)
        share->end = frame->times.start;
    if (share->end >= 0)
        return;
    serve(share, &share->time, frame);
}

/* The part of `time`, ns, that `covered` is of `present`; both ns, `present` above 0. */
static int64_t part_of(int64_t time, int64_t covered, int64_t present)
{
    return (int64_t)((double)time * ((double)covered / (double)present));
}

/* Threads of a server may receive and write while the first one waits for them, in calls that are
 * not recorded. Then the process does what those that are at work do, from the begin of the first
 * of them to the end of the last: one that ends early has not computed from then on. */
static void choose_threads(struct process *process)
{
    struct share *share = &process->rank.share;
    struct time *time = &share->time;
    const struct time *of = &share->of_workers;
    int64_t present = 0, begin = INT64_MAX, end = INT64_MIN;
    for (size_t i = 0; i <= LAST_WORKER; i++) {
        const struct span *span = &process->workers[i];
        if (!span->classes)
            continue;
        FTH_ADD_SATURATING(present, span->end - span->begin);
        begin = span->begin < begin ? span->begin : begin;
        end = span->end > end ? span->end : end;
    }
    if (present <= 0)
        return;
    /* what threads do beside each other counts */
    if ((double)time->calls >= idles * (double)length_of(share)) {
        FTH_ADD_SATURATING(time->receiving, of->receiving);
        FTH_ADD_SATURATING(time->sending, of->sending);
        FTH_ADD_SATURATING(time->io, of->io);
        return;
    }
    *time = (struct time){
        part_of(of->calls, end - begin, present), part_of(of->receiving, end - begin, present),
        part_of(of->sending, end - begin, present), part_of(of->io, end - begin, present)};
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    (void)files;
    if (process->rank.share.begin >= 0 && length_of(&process->rank.share) > 0) {
        choose_threads(process);
        FTH_GROW(run->list, run->count);
        run->list[run->count++] = process->rank;
    }
    free(process);
}

/* ---- roles ---- */

enum role { CLIENT, SERVER, ROLES };
static const char *const role_words[] = {"computes", "serves"};

struct group {
    uint64_t processes, writers, written;
    int64_t length, computing, receiving, sending, io;
    struct fth_example received, sent;
};

static enum role role_of(const struct share *share)
{
    double length = (double)length_of(share);
    bool computes = (double)(length_of(share) - share->time.calls) >= computes_little * length,
         is_served = (double)share->time.receiving < receives * length;
    double serving =
        (double)share->time.receiving + (double)share->time.sending + (double)share->time.io;
    return !computes && !is_served && serving >= serves * length ? SERVER : CLIENT;
}

static void add(struct group *group, const struct share *share)
{
    group->processes++;
    group->writers += share->written > 0;
    group->written += share->written;
    FTH_ADD_SATURATING(group->length, length_of(share));
    FTH_ADD_SATURATING(group->computing, length_of(share) - share->time.calls);
    FTH_ADD_SATURATING(group->receiving, share->time.receiving);
    FTH_ADD_SATURATING(group->sending, share->time.sending);
    FTH_ADD_SATURATING(group->io, share->time.io);
    fth_example_merge(&group->received, &share->received);
    fth_example_merge(&group->sent, &share->sent);
}

static void add_row(struct fth_table *table, enum role role, const struct group *group)
{
    size_t row = fth_table_add_row(table);
    const int64_t times[] = {group->computing, group->receiving, group->sending, group->io};
    fth_table_set(table, row, ROLE, fth_cell_text(role_words[role]));
    fth_table_increase(table, row, PROCESSES, group->processes);
    for (size_t i = 0; i < 4; i++)
        fth_table_set(table, row, COMPUTING + i,
                      fth_finding_percent((uint64_t)(times[i] > 0 ? times[i] : 0),
                                          (uint64_t)(group->length > 0 ? group->length : 0)));
    fth_table_increase(table, row, WRITTEN, group->written);
}

/* ---- findings ---- */

typedef void name_rank(struct fth_finding *finding, const struct fth_trace *trace, size_t proc);

static void name_servers(const struct run *run, struct fth_finding *finding, name_rank *name)
{
    for (size_t i = 0; i < run->count; i++)
        if (role_of(&run->list[i].share) == SERVER)
            name(finding, run->survey->trace, run->list[i].proc);
}

/* So many would have been enough: none of them busier than the threshold says. */
static uint64_t needed(const struct group *servers, double busy)
{
    double all = (double)servers->io * (double)servers->processes, count = 1;
    while (all > count * busy * (double)servers->length && count < (double)servers->processes)
        count++;
    return (uint64_t)count;
}

static void find_sizing(const struct run *run, struct fth_results *results,
                        const struct group *servers, const struct group *clients)
{
    double most = fth_threshold_of(run->survey, FTH_THRESHOLD_BUSY),
           busy = (double)servers->io / (double)servers->length;
    uint64_t enough = needed(servers, most);
    int64_t idle =
        (int64_t)(servers->processes - enough) * (servers->length / (int64_t)servers->processes);
    if (enough < servers->processes && fth_finding_is_worth(run->survey, idle)) {
        struct fth_finding *finding =
            fth_finding_write(run->survey, results, FTH_NO_FILE, &servers->received,
                              "idle_io_servers", "More I/O servers than needed", idle);
        name_servers(run, finding, fth_finding_rank);
        finding->of_lifetimes = true;
        fth_finding_say(finding,
                        "%s receive results of %s, and %s of them %s these. Together they do I/O "
                        "for %.1f %% of their time. %s would be enough.",
                        FTH_SEVERAL(servers->processes, "rank", "ranks"),
                        FTH_COUNT(clients->processes), FTH_COUNT(servers->writers),
                        servers->writers == 1 ? "writes" : "write", 100 * busy, FTH_COUNT(enough));
        fth_finding_advise(
            finding, "Use fewer servers and let the others compute, or let all of them write.");
        return;
    }
    if (busy < most || !fth_finding_is_worth(run->survey, clients->sending))
        return;
    struct fth_finding *finding =
        fth_finding_write(run->survey, results, FTH_NO_FILE, &clients->sent, "busy_io_servers",
                          "Too few I/O servers", clients->sending);
    fth_finding_spread(finding, clients->processes);
    name_servers(run, finding, fth_finding_late);
    finding->classes = FTH_CALLS_BIT(FTH_CALLS_SEND);
    fth_finding_say(finding,
                    "%s do I/O for %.0f %% of their time. %s send to them and spend %.0f %% of "
                    "their time on that.",
                    FTH_SEVERAL(servers->processes, "rank", "ranks"), 100 * busy,
                    FTH_COUNT(clients->processes),
                    100 * (double)clients->sending / (double)clients->length);
    fth_finding_advise(finding, "Use more servers, larger accesses, or buffers for the results.");
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    struct fth_table *table = fth_table_new(&shape);
    struct group groups[ROLES] = {0};
    for (size_t i = 0; i < run->count; i++)
        add(&groups[role_of(&run->list[i].share)], &run->list[i].share);
    if (groups[SERVER].writers && groups[CLIENT].processes >= groups[SERVER].processes &&
        !groups[CLIENT].written && groups[SERVER].length > 0) {
        for (int role = 0; role < ROLES; role++)
            add_row(table, (enum role)role, &groups[role]);
        find_sizing(run, results, &groups[SERVER], &groups[CLIENT]);
    }
    fth_results_add(results, table);
    free(run->list);
    free(run->stages);
    free(run);
}

const struct fth_pass fth_pass_roles = {
    "roles", begin, open_process,         call, merge, finish, NULL, NULL,
    NULL,    NULL,  fth_pass_takes_rounds};

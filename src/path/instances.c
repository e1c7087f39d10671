/* Collective calls, one after the other: which rank was last, why (it computed longer, or did
 * more I/O), and in collective I/O which ranks waited for the aggregators. */
#include "base/memory.h"
#include "base/saturating.h"
#include "path/correlation.h"
#include "path/run_flow.h"
#include "path/since_met.h"

#include <math.h>

/* What may be so by chance, with this probability, makes no straggler. */
static const double CHANCE = 0.001;

/* ---- their members ---- */

struct fth_instance_member {
    struct fth_event begin;
    uint32_t end; /* step in the same timeline; UINT32_MAX: it is not known */
};

static void put_member(struct fth_bytes *members, struct fth_event before,
                       struct fth_instance_member member)
{
    fth_bytes_signed(members, (int64_t)member.begin.timeline - before.timeline);
    fth_bytes_signed(members, (int64_t)member.begin.step - before.step);
    fth_bytes_varint(members, member.end == UINT32_MAX
                                  ? 0
                                  : 1 + fth_zigzag((int64_t)member.end - member.begin.step));
}

static struct fth_instance_member take_member(struct fth_view *members, struct fth_event before)
{
    struct fth_instance_member member = {.end = UINT32_MAX};
    member.begin.timeline = before.timeline + (uint32_t)fth_view_signed(members);
    member.begin.step = before.step + (uint32_t)fth_view_signed(members);
    uint64_t end = fth_view_varint(members);
    if (end)
        member.end = member.begin.step + (uint32_t)fth_unzigzag(end - 1);
    return member;
}

/* Who does not need the last one, as the root of a broadcast, waited for it nevertheless if it
 * stayed in its call until that one had begun, and so much longer than a copy takes: the message
 * was large, or the library synchronizes. */
static void look_at_senders(struct fth_path *path, const struct fth_order_member *members,
                            size_t count, struct fth_event last)
{
    for (size_t i = 0; i < count; i++) {
        struct fth_event begin = members[i].begin, end = members[i].end;
        if (!fth_path_has(path, begin) || end.timeline != begin.timeline ||
            !fth_path_has(path, end) || end.timeline == last.timeline ||
            fth_path_entry(path, end) != begin.step)
            continue;
        uint16_t function = fth_path_event_kind(path, begin)->function;
        enum fth_wait awaited =
            function == FTH_NO_FUNCTION ? FTH_WAITS : path->facts[function].awaited;
        if (awaited == FTH_WAIT_LATE_BROADCAST || awaited == FTH_WAIT_EARLY_REDUCE ||
            awaited == FTH_WAIT_SCAN)
            fth_path_look_at_sender(path, begin, end, last);
    }
}

void fth_path_together(void *context, const struct fth_order_member *members, size_t count)
{
    struct fth_path *path = context;
    fth_path_link_together(path, members, count);
    struct fth_instance instance = {.first = path->matches.members.length, .time = INT64_MIN};
    struct fth_event before = {0}, last = {0};
    for (size_t i = 0; i < count; i++) {
        if (!fth_path_has(path, members[i].begin))
            continue;
        int64_t time = fth_path_time(path, members[i].begin);
        bool ended = members[i].end.timeline == members[i].begin.timeline &&
                     fth_path_has(path, members[i].end);
        if (time > instance.time) {
            instance.time = time;
            instance.latest = instance.count;
            last = members[i].begin;
        }
        put_member(&path->matches.members, before,
                   (struct fth_instance_member){members[i].begin,
                                                ended ? members[i].end.step : UINT32_MAX});
        before = members[i].begin;
        instance.count++;
    }
    if (instance.count < 2) {
        path->matches.members.length = instance.first;
        return;
    }
    look_at_senders(path, members, count, last);
    fth_path_add_instance(path, &instance);
}

/* ---- one collective call ---- */

struct weighing {
    struct fth_path *path;
    struct fth_since_met *since;         /* by timeline */
    struct fth_instance_member *members; /* of the call at hand */
    struct fth_spent *spent;             /* of each: what came since */
    uint32_t member_room, room;
    uint32_t ranks;                     /* most that come to one call */
    struct fth_correlation correlation; /* of computation and waits */
};

/* Who leaves before the last one has come has not met it: as those that only send to the root. */
static bool all_met(const struct weighing *weighing, const struct fth_instance *instance)
{
    const struct fth_path *path = weighing->path;
    uint32_t last = path->timelines[weighing->members[instance->latest].begin.timeline].proc;
    for (uint32_t i = 0; i < instance->count; i++) {
        const struct fth_instance_member *member = &weighing->members[i];
        const struct fth_thread_timeline *timeline = &path->timelines[member->begin.timeline];
        if (member->end != UINT32_MAX &&
            fth_saturating_sum(fth_flow_time(timeline, member->end),
                               fth_path_clock_error(path, timeline->proc, last)) < instance->time)
            return false;
    }
    return true;
}

/* The members have left the call. */
static void leave(struct weighing *weighing, const struct fth_instance *instance)
{
    bool met = all_met(weighing, instance);
    for (uint32_t i = 0; i < instance->count; i++) {
        const struct fth_instance_member *member = &weighing->members[i];
        struct fth_since_met *since = &weighing->since[member->begin.timeline];
        uint32_t end = member->end == UINT32_MAX ? member->begin.step : member->end;
        if (end > since->at)
            since->at = end;
        if (met && end > since->met)
            *since = fth_since_met_at(weighing->path, member->begin.timeline, end, since->at);
    }
}

static void take_members(struct weighing *weighing, const struct fth_instance *instance)
{
    const struct fth_bytes *members = &weighing->path->matches.members;
    struct fth_view view =
        fth_view_of(members->data + instance->first, members->length - instance->first);
    struct fth_event before = {0};
    weighing->members = fth_reach(weighing->members, &weighing->member_room, instance->count,
                                  sizeof *weighing->members);
    for (uint32_t i = 0; i < instance->count; i++) {
        weighing->members[i] = take_member(&view, before);
        before = weighing->members[i].begin;
    }
}

static int64_t least(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

static int64_t positive(int64_t time)
{
    return time > 0 ? time : 0;
}

/* Who did less than the others would have to do more, while it waits at best: nothing is added, so
 * that the run is no longer than it would be. */
static float less_than(int64_t mine, double mean)
{
    return (double)mine > mean ? (float)(1 - mean / (double)mine) : 0;
}

/* What each member did since it met others; and, where all meet now, how much less it would have
 * been, had all done equally much. */
static void look_back(struct weighing *weighing, const struct fth_instance *instance)
{
    struct fth_path *path = weighing->path;
    const struct fth_instance_member *members = weighing->members;
    double computing = 0, io = 0;
    weighing->spent =
        fth_reach(weighing->spent, &weighing->room, instance->count, sizeof *weighing->spent);
    for (uint32_t i = 0; i < instance->count; i++) {
        fth_since_met_go_on(path, weighing->since, members[i].begin);
        weighing->spent[i] = weighing->since[members[i].begin.timeline].spent;
        computing += (double)weighing->spent[i].computing / instance->count;
        io += (double)weighing->spent[i].io / instance->count;
    }
    bool met = all_met(weighing, instance);
    for (uint32_t i = 0; met && i < instance->count; i++) {
        struct fth_event begin = members[i].begin;
        const struct fth_spent *mine = &weighing->spent[i];
        if (!mine->computing && !mine->io)
            continue;
        struct fth_balances *balances = &path->results.balances[begin.timeline];
        FTH_GROW(balances->all, balances->count);
        balances->all[balances->count++] =
            (struct fth_balance){weighing->since[begin.timeline].met, begin.step,
                                 less_than(mine->computing, computing), less_than(mine->io, io)};
    }
}

/* ns since they met, to the begin of the call at hand, without waits. */
static int64_t between(const struct weighing *weighing, struct fth_event begin)
{
    const struct fth_thread_timeline *timeline = &weighing->path->timelines[begin.timeline];
    const struct fth_since_met *since = &weighing->since[begin.timeline];
    return fth_flow_time(timeline, begin.step) - fth_flow_time(timeline, since->met) -
           since->waited;
}

/* Those that had more to do: the last one, then whom it had waited for before, and so on. */
enum { CHAIN = 8 };
struct doer {
    uint32_t proc;
    struct fth_spent spent;
    int64_t waited; /* ns, and `most` of them for the next one */
    int64_t most;
};

static uint32_t doers_of(struct weighing *weighing, struct fth_event event, struct doer *doers)
{
    for (uint32_t count = 0;;) {
        fth_since_met_go_on(weighing->path, weighing->since, event);
        const struct fth_since_met *since = &weighing->since[event.timeline];
        doers[count++] = (struct doer){weighing->path->timelines[event.timeline].proc, since->spent,
                                       since->waited, since->most};
        if (!since->most || count == CHAIN)
            return count;
        event = since->cause;
    }
}

/* ns of a wait, by why. */
struct reasons {
    int64_t compute, io;
};

/* Each explains what is left, at most as much as it was waited for longer than by me. */
static struct reasons explain(struct weighing *weighing, const struct doer *doers, uint32_t count,
                              struct fth_event me, struct fth_spent by_me, int64_t wait)
{
    const struct fth_since_met *mine = &weighing->since[me.timeline];
    struct reasons reasons = {0};
    int64_t left = wait;
    for (uint32_t i = 0; i < count && left > 0; i++) {
        int64_t compute = least(left, positive(doers[i].spent.computing - by_me.computing));
        int64_t io = least(left - compute, positive(doers[i].spent.io - by_me.io));
        reasons.compute += compute;
        reasons.io += io;
        if (i)
            FTH_ADD_SATURATING(weighing->path->results.last_caused[doers[i].proc], compute + io);
        left -= compute + io;
        left = least(left, least(doers[i].most, positive(doers[i].waited - mine->waited)));
    }
    return reasons;
}

/* Why did the last one come so late? It had more to do since they met before; or it waited for one
 * that had; or it came out of that call later than the others, as who writes for all of them does,
 * which is nothing that it could have done faster here. */
static void weigh_lateness(struct weighing *weighing, const struct fth_instance *instance)
{
    struct fth_path *path = weighing->path;
    const struct fth_instance_member *members = weighing->members,
                                     *last = &members[instance->latest];
    uint32_t proc = path->timelines[last->begin.timeline].proc;
    struct doer doers[CHAIN];
    uint32_t doer_count = doers_of(weighing, last->begin, doers);
    int64_t waited = 0, more = 0, by_last_between = between(weighing, last->begin);
    for (uint32_t i = 0; i < instance->count; i++) {
        const struct fth_thread_timeline *timeline = &path->timelines[members[i].begin.timeline];
        if (i == instance->latest || members[i].end == UINT32_MAX ||
            !path->selected[timeline->proc])
            continue;
        int64_t until = least(instance->time, fth_flow_time(timeline, members[i].end));
        uint32_t from = fth_path_asked_since(path, members[i].begin.timeline, members[i].end);
        int64_t wait = until - fth_flow_time(timeline, from);
        if (wait <= 0 || wait <= fth_path_clock_error(path, timeline->proc, proc) ||
            fth_flow_time(timeline, members[i].end) < instance->time)
            continue;
        struct fth_spent by_me = weighing->spent[i];
        struct reasons reasons =
            explain(weighing, doers, doer_count, members[i].begin, by_me, wait);
        FTH_ADD_SATURATING(waited, wait);
        int64_t longer = by_last_between - between(weighing, members[i].begin);
        FTH_ADD_SATURATING(more, least(wait, positive(longer)));
        FTH_ADD_SATURATING(path->sums.late_compute, reasons.compute);
        FTH_ADD_SATURATING(path->sums.late_io, reasons.io);
        fth_correlation_add(&weighing->correlation,
                            (double)(doers[0].spent.computing - by_me.computing), (double)wait);
    }
    FTH_ADD_SATURATING(path->sums.late, waited);
    path->sums.late_instances += waited > 0;
    path->results.last_count[proc] += waited > 0 && more >= waited - more;
    FTH_ADD_SATURATING(path->results.last_caused[proc], more);
}

/* What is before MPI_Init is not the program's. */
static bool is_start(const struct weighing *weighing)
{
    const struct fth_path *path = weighing->path;
    uint16_t function = fth_path_event_kind(path, weighing->members[0].begin)->function;
    return function != FTH_NO_FUNCTION && path->facts[function].awaited == FTH_WAIT_START;
}

/* In collective I/O some reach the file for all: the others wait when all have come. */
static void weigh_io(struct weighing *weighing, const struct fth_instance *instance)
{
    struct fth_path *path = weighing->path;
    const struct fth_instance_member *members = weighing->members;
    uint16_t function = fth_path_event_kind(path, members[0].begin)->function;
    if (function == FTH_NO_FUNCTION || !path->facts[function].class->io)
        return;
    int64_t most = 0;
    uint32_t writer = 0;
    for (uint32_t i = 0; i < instance->count; i++) {
        const struct fth_thread_timeline *timeline = &path->timelines[members[i].begin.timeline];
        int64_t below =
            members[i].end == UINT32_MAX
                ? 0
                : fth_spent_between(path, timeline, members[i].begin.step, members[i].end, function)
                      .below;
        if (below > most) {
            most = below;
            writer = timeline->proc;
        }
    }
    for (uint32_t i = 0; i < instance->count && most > 0; i++) {
        const struct fth_thread_timeline *timeline = &path->timelines[members[i].begin.timeline];
        if (members[i].end == UINT32_MAX || !path->selected[timeline->proc] ||
            timeline->proc == writer)
            continue;
        int64_t end = fth_flow_time(timeline, members[i].end);
        int64_t begin = fth_flow_time(timeline, members[i].begin.step);
        begin = instance->time > begin ? instance->time : begin;
        bool idle =
            fth_spent_between(path, timeline, members[i].begin.step, members[i].end, function)
                .below == 0;
        if (idle && fth_flow_entry(timeline, members[i].end) == members[i].begin.step &&
            end > begin)
            fth_path_add_wait(path, FTH_WAIT_WRITER,
                              (struct fth_event){members[i].begin.timeline, members[i].end}, writer,
                              least(end - begin, most));
    }
}

/* ---- all of them, in order of time ---- */

static int by_step(const void *one, const void *other)
{
    const struct fth_balance *a = one, *b = other;
    return (a->to > b->to) - (a->to < b->to);
}

/* Mostly they are: a thread makes one collective call after the other. */
static void sort_balances(struct fth_balances *balances)
{
    for (size_t i = 1; i < balances->count; i++)
        if (balances->all[i - 1].to > balances->all[i].to) {
            qsort(balances->all, balances->count, sizeof *balances->all, by_step);
            return;
        }
}

/* How likely is it that any of several ranks is the last one so often, if each is it as likely as
 * the others? On a machine with too few processors somebody is late at any time, and in a few calls
 * easily the same one. */
static double chance_of(uint64_t last, uint64_t instances, uint32_t ranks)
{
    double n = (double)instances, p = 1 / (double)ranks, sum = 0, term = 1;
    for (double k = (double)last; k <= n && term > 1e-9 * sum; k++) {
        term = exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) +
                   (n - k) * log1p(-p));
        sum += term;
    }
    return sum * ranks;
}

static void find_straggler(const struct weighing *weighing)
{
    struct fth_path *path = weighing->path;
    const int64_t *caused = path->results.last_caused;
    double late = (double)path->sums.late_instances;
    path->sums.straggler = -1;
    for (size_t proc = 0; proc < fth_trace_process_count(path->trace); proc++)
        if (caused[proc] > path->sums.straggler_caused &&
            (double)path->results.last_count[proc] >= path->straggles * late &&
            (double)caused[proc] >= path->straggles * (double)path->sums.late &&
            chance_of(path->results.last_count[proc], path->sums.late_instances, weighing->ranks) <
                CHANCE) {
            path->sums.straggler = (int64_t)proc;
            path->sums.straggler_last = path->results.last_count[proc];
            path->sums.straggler_caused = caused[proc];
        }
}

static void weigh(void *context, const struct fth_instance *instance)
{
    struct weighing *weighing = context;
    weighing->ranks = instance->count > weighing->ranks ? instance->count : weighing->ranks;
    take_members(weighing, instance);
    if (!is_start(weighing)) {
        look_back(weighing, instance);
        weigh_lateness(weighing, instance);
    }
    weigh_io(weighing, instance);
    leave(weighing, instance);
}

void fth_path_weigh_instances(struct fth_path *path)
{
    size_t processes = fth_trace_process_count(path->trace);
    struct weighing weighing = {
        .path = path, .since = fth_new((size_t)path->timeline_count + 1, sizeof *weighing.since)};
    path->results.balances =
        fth_new((size_t)path->timeline_count + 1, sizeof *path->results.balances);
    path->results.last_count = fth_new(processes + 1, sizeof *path->results.last_count);
    path->results.last_caused = fth_new(processes + 1, sizeof *path->results.last_caused);
    path->results.computed = fth_new(processes + 1, sizeof *path->results.computed);
    path->results.did_io = fth_new(processes + 1, sizeof *path->results.did_io);
    for (uint32_t i = 0; i < path->timeline_count; i++)
        weighing.since[i] = fth_since_met_at(path, i, 0, 0);
    if (!path->is_of_a_part) /* what watched ranks did before they met is not known */
        fth_path_each_instance(path, weigh, &weighing);
    path->sums.instances = path->matches.instances.count;
    path->sums.correlated = weighing.correlation.count;
    path->sums.correlation = fth_correlation_of(&weighing.correlation);
    find_straggler(&weighing);
    for (uint32_t i = 0; i < path->timeline_count; i++)
        sort_balances(&path->results.balances[i]);
    free(weighing.since);
    free(weighing.spent);
    free(weighing.members);
    fth_rows_free(&path->matches.instances);
    fth_bytes_free(&path->matches.members);
}

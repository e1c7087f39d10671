/* What a call waited for: of the events that came before its end, the last one; and what that is
 * called. */
#include "base/memory.h"
#include "path/run_flow.h"

#include <string.h>

/* A send that is not synchronous (a write to a pipe) waited for its receive (a read) only if it
 * lasted until that had begun, and so much longer than a copy takes. */
enum { LONG_SEND = 100000 /* ns */ };
/* Less than this between two questions whether something has come is no work. */
enum { NO_WORK = 100000 /* ns */ };

/* ---- messages ---- */

static int by_to(const void *one, const void *other)
{
    const struct fth_flow_message *a = one, *b = other;
    if (a->to.timeline != b->to.timeline)
        return a->to.timeline < b->to.timeline ? -1 : 1;
    return (a->to.step > b->to.step) - (a->to.step < b->to.step);
}

static void add_blocked(struct fth_path *path, struct fth_event since, struct fth_event end)
{
    FTH_GROW(path->matches.blocked, path->matches.blocked_count);
    path->matches.blocked[path->matches.blocked_count++] = (struct fth_flow_message){since, end};
}

/* From `begin` to `end` it may have returned before the others came, the last of them `since`. */
void fth_path_look_at_sender(struct fth_path *path, struct fth_event begin, struct fth_event end,
                             struct fth_event since)
{
    int64_t time = fth_path_time(path, since);
    if (time > fth_path_time(path, end) || time - fth_path_time(path, begin) < LONG_SEND)
        return;
    add_blocked(path, since, end);
}

/* Did a send that may return at once not return before its receive began? */
static void look_at_send(struct fth_path *path, const struct fth_order_message *message)
{
    if (message->probed || !fth_path_has(path, message->send) ||
        !fth_path_has(path, message->sent) || !fth_path_has(path, message->receive) ||
        message->sent.timeline != message->send.timeline)
        return;
    uint16_t function = fth_path_event_kind(path, message->send)->function;
    if (function == FTH_NO_FUNCTION || !path->facts[function].sends ||
        !fth_path_event_kind(path, message->sent)->is_exit ||
        fth_path_entry(path, message->sent) != message->send.step)
        return;
    fth_path_look_at_sender(path, message->send, message->sent, message->receive);
}

void fth_path_posted(void *context, struct fth_event begin, struct fth_event end,
                     struct fth_event post)
{
    struct fth_path *path = context;
    if (fth_path_has(path, begin) && fth_path_has(path, end) && fth_path_has(path, post) &&
        end.timeline == begin.timeline && fth_path_entry(path, end) == begin.step)
        fth_path_look_at_sender(path, begin, end, post);
}

void fth_path_made_room(void *context, struct fth_event begin, struct fth_event end,
                        struct fth_event read)
{
    struct fth_path *path = context;
    if (!fth_path_has(path, begin) || !fth_path_has(path, end) || !fth_path_has(path, read) ||
        end.timeline != begin.timeline || fth_path_entry(path, end) != begin.step)
        return;
    struct fth_event before = {begin.timeline, begin.step - 1};
    int64_t time = fth_path_time(path, read);
    if (time > fth_path_time(path, begin))
        fth_path_look_at_sender(path, begin, end, read);
    else if (begin.step && time - fth_path_time(path, before) >= LONG_SEND)
        add_blocked(path, read, end);
}

static struct fth_flow_message *unpack_messages(const struct fth_rows *messages, uint32_t timeline)
{
    struct fth_flow_message *all = fth_resize(NULL, (size_t)messages->count + 1, sizeof *all);
    struct fth_rows_place place = {0};
    for (uint32_t i = 0; i < messages->count; i++) {
        const int64_t *row = fth_rows_at(messages, &place, i);
        all[i] = (struct fth_flow_message){{(uint32_t)row[0], (uint32_t)row[1]},
                                           {timeline, (uint32_t)row[2]}};
    }
    fth_rows_leave(&place);
    return all;
}

void fth_path_message(void *context, const struct fth_order_message *message)
{
    struct fth_path *path = context;
    look_at_send(path, message);
    fth_path_received(path, message);
    if (message->probed || !fth_path_has(path, message->send) ||
        !fth_path_has(path, message->received))
        return;
    if (!path->matches.messages)
        path->matches.messages =
            fth_new((size_t)path->timeline_count + 1, sizeof *path->matches.messages);
    struct fth_rows *messages = &path->matches.messages[message->received.timeline];
    messages->columns = 3;
    fth_rows_add(messages,
                 (int64_t[]){message->send.timeline, message->send.step, message->received.step});
}

/* By sender, and the order in which they were received. */
static int by_pair(const void *one, const void *other)
{
    const struct fth_flow_message *a = one, *b = other;
    if (a->from.timeline != b->from.timeline)
        return a->from.timeline < b->from.timeline ? -1 : 1;
    if (a->to.step != b->to.step)
        return a->to.step < b->to.step ? -1 : 1;
    return (a->from.step > b->from.step) - (a->from.step < b->from.step);
}

static int by_event(const void *one, const void *other)
{
    const struct fth_event *a = one, *b = other;
    if (a->timeline != b->timeline)
        return a->timeline < b->timeline ? -1 : 1;
    return (a->step > b->step) - (a->step < b->step);
}

/* Receives of a timeline that took a message while one that the same sender had sent before was
 * received only later. */
static void find_wrong_order_of(struct fth_path *path, struct fth_flow_message *messages,
                                size_t count)
{
    qsort(messages, count, sizeof *messages, by_pair);
    uint32_t least = UINT32_MAX, least_here = UINT32_MAX;
    for (size_t i = count; i-- > 0;) {
        const struct fth_flow_message *message = &messages[i], *next = message + 1;
        bool same_pair = i + 1 < count && next->from.timeline == message->from.timeline;
        if (!same_pair)
            least = least_here = UINT32_MAX;
        else if (next->to.step != message->to.step)
            least = least_here;
        if (least < message->from.step) {
            FTH_GROW(path->matches.wrong, path->matches.wrong_count);
            path->matches.wrong[path->matches.wrong_count++] = message->to;
        }
        least_here = message->from.step < least_here ? message->from.step : least_here;
    }
}

/* What came last from a timeline. */
struct came {
    uint32_t receiver; /* plus 1 */
    uint32_t sent, received;
};

/* Did the timeline receive the messages of each sender in the order in which they were sent? As
 * most do: then nothing has to be sorted. */
static bool is_in_order(const struct fth_rows *messages, uint32_t receiver, struct came *came)
{
    struct fth_rows_place place = {0};
    bool ordered = true;
    for (uint32_t i = 0; i < messages->count && ordered; i++) {
        const int64_t *row = fth_rows_at(messages, &place, i);
        uint32_t sent = (uint32_t)row[1], received = (uint32_t)row[2];
        struct came *before = &came[row[0]];
        ordered = before->receiver != receiver + 1 ||
                  (before->sent <= sent && before->received <= received);
        *before = (struct came){receiver + 1, sent, received};
    }
    fth_rows_leave(&place);
    return ordered;
}

static void find_wrong_order(struct fth_path *path)
{
    struct came *came = fth_new((size_t)path->timeline_count + 1, sizeof *came);
    for (uint32_t i = 0; i < path->timeline_count; i++) {
        struct fth_rows *messages = &path->matches.messages[i];
        struct fth_flow_message *all = messages->count && !is_in_order(messages, i, came)
                                           ? unpack_messages(messages, i)
                                           : NULL;
        if (all)
            find_wrong_order_of(path, all, messages->count);
        free(all);
        fth_rows_free(messages);
    }
    free(came);
    if (path->matches.wrong_count)
        qsort(path->matches.wrong, path->matches.wrong_count, sizeof *path->matches.wrong,
              by_event);
    free(path->matches.messages);
    path->matches.messages = NULL;
}

/* ---- hubs ---- */

static bool is_later(const struct fth_path *path, struct fth_event event, struct fth_event than)
{
    return !fth_path_has(path, than) || fth_path_time(path, event) > fth_path_time(path, than);
}

void fth_path_prepare_causes(struct fth_path *path)
{
    size_t hubs = fth_order_hubs(path->order);
    for (uint32_t i = 0; i < path->timeline_count; i++) {
        path->timelines[i].edges = fth_order_edges(path->order, i);
        path->timelines[i].edge_count = path->timelines[i].edges->count;
    }
    path->matches.hub_latest = fth_new(hubs + 1, sizeof *path->matches.hub_latest);
    struct fth_rows_place place = {0};
    for (size_t i = 0; i < hubs; i++) {
        bool chained;
        size_t count = fth_order_hub_size(path->order, i, &chained);
        struct fth_event latest =
            chained ? path->matches.hub_latest[i - 1] : (struct fth_event){FTH_NO_TIMELINE, 0};
        for (size_t k = 0; k < count; k++) {
            struct fth_event input = fth_order_hub_input(path->order, &place, i, k);
            if (fth_path_has(path, input) && is_later(path, input, latest))
                latest = input;
        }
        path->matches.hub_latest[i] = latest;
    }
    fth_rows_leave(&place);
    if (path->matches.blocked_count)
        qsort(path->matches.blocked, path->matches.blocked_count, sizeof *path->matches.blocked,
              by_to);
    if (path->matches.messages)
        find_wrong_order(path);
}

/* ---- causes ---- */

static bool is_edge_before(const struct fth_thread_timeline *timeline, size_t edge, uint32_t step)
{
    return fth_flow_edge(timeline, edge).to < step;
}

/* Who asks goes from event to event: the place is mostly near the last one that was asked for. */
size_t fth_path_edge_at(const struct fth_thread_timeline *timeline, uint32_t step)
{
    size_t low = 0, high = timeline->edge_count, near = timeline->places->edge, reach = 1;
    if (near < high && is_edge_before(timeline, near, step)) {
        for (low = near + 1; near + reach < high; reach *= 2) {
            if (is_edge_before(timeline, near + reach, step))
                low = near + reach + 1;
            else
                high = near + reach;
        }
    } else {
        for (high = near; reach <= near && low == 0; reach *= 2) {
            if (is_edge_before(timeline, near - reach, step))
                low = near - reach + 1;
            else
                high = near - reach;
        }
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_edge_before(timeline, middle, step))
            low = middle + 1;
        else
            high = middle;
    }
    timeline->places->edge = low;
    return low;
}

struct search {
    const struct fth_path *path;
    uint32_t timeline;
    int64_t until;
    bool first; /* the first one is looked for */
    bool found;
    struct fth_event best;
};

static void consider(struct search *search, struct fth_event from)
{
    if (from.timeline == search->timeline || !fth_path_has(search->path, from))
        return;
    int64_t time = fth_path_time(search->path, from);
    if (time > search->until) /* clocks; or a collective call that does not wait for all */
        return;
    int64_t best = search->found ? fth_path_time(search->path, search->best) : 0;
    if (search->found && (search->first ? time >= best : time <= best))
        return;
    search->best = from;
    search->found = true;
}

/* The place of the first send that waited at `to` or behind it. */
static size_t first_blocked(const struct fth_path *path, struct fth_event to)
{
    size_t low = 0, high = path->matches.blocked_count;
    struct fth_flow_message wanted = {.to = to};
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_to(&path->matches.blocked[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void consider_blocked(struct search *search, struct fth_event to)
{
    const struct fth_path *path = search->path;
    struct fth_flow_message wanted = {.to = to};
    for (size_t i = first_blocked(path, to);
         i < path->matches.blocked_count && by_to(&path->matches.blocked[i], &wanted) == 0; i++)
        consider(search, path->matches.blocked[i].from);
}

bool fth_path_cause(const struct fth_path *path, uint32_t number, uint32_t step, size_t first,
                    struct fth_event *cause)
{
    const struct fth_thread_timeline *timeline = &path->timelines[number];
    uint16_t function = fth_flow_kind(timeline, step)->function;
    struct search search = {
        .path = path, .timeline = number, .until = fth_flow_time(timeline, step)};
    search.first = function != FTH_NO_FUNCTION && path->facts[function].takes_first;
    for (size_t i = first; i < timeline->edge_count; i++) {
        struct fth_order_edge edge = fth_flow_edge(timeline, i);
        if (edge.to != step)
            break;
        if (edge.from != FTH_NO_TIMELINE)
            consider(&search, (struct fth_event){edge.from, edge.step});
        else if (edge.step != UINT32_MAX)
            consider(&search, path->matches.hub_latest[edge.step]);
    }
    if (path->matches.blocked_count)
        consider_blocked(&search, (struct fth_event){number, step});
    *cause = search.best;
    return search.found;
}

struct fth_path_walk fth_path_walk_from(const struct fth_path *path, uint32_t timeline,
                                        uint32_t step)
{
    struct fth_path_walk walk = {.timeline = timeline};
    walk.next_edge = fth_path_edge_at(&path->timelines[timeline], step);
    walk.next_blocked = first_blocked(path, (struct fth_event){timeline, step});
    return walk;
}

bool fth_path_walk_on(const struct fth_path *path, struct fth_path_walk *walk, uint32_t until)
{
    const struct fth_thread_timeline *timeline = &path->timelines[walk->timeline];
    const struct fth_flow_message *blocked = path->matches.blocked;
    size_t count = path->matches.blocked_count;
    uint32_t step = walk->next_edge < timeline->edge_count
                        ? fth_flow_edge(timeline, walk->next_edge).to
                        : UINT32_MAX;
    if (walk->next_blocked < count && blocked[walk->next_blocked].to.timeline == walk->timeline &&
        blocked[walk->next_blocked].to.step < step)
        step = blocked[walk->next_blocked].to.step;
    if (step >= until)
        return false;
    walk->step = step;
    walk->edge = walk->next_edge;
    while (walk->next_edge < timeline->edge_count &&
           fth_flow_edge(timeline, walk->next_edge).to == step)
        walk->next_edge++;
    while (walk->next_blocked < count &&
           blocked[walk->next_blocked].to.timeline == walk->timeline &&
           blocked[walk->next_blocked].to.step == step)
        walk->next_blocked++;
    return true;
}

/* ---- what waiting is ---- */

static bool is_test(const struct fth_path *path, const struct fth_flow_kind *kind)
{
    return kind->function != FTH_NO_FUNCTION && path->facts[kind->function].tests;
}

static bool ends_test(const struct fth_path *path, const struct fth_flow_kind *kind)
{
    return kind->is_exit && is_test(path, kind);
}

/* Before this entry: was there a question, and none that comes before it by so long that there was
 * work in between? */
static bool was_asked_shortly_before(const struct fth_path *path,
                                     const struct fth_thread_timeline *timeline, uint32_t entry)
{
    return entry > 1 && ends_test(path, fth_flow_kind(timeline, entry - 1)) &&
           fth_flow_time(timeline, entry) - fth_flow_time(timeline, entry - 1) <= NO_WORK;
}

uint32_t fth_path_asked_since(const struct fth_path *path, uint32_t number, uint32_t step)
{
    const struct fth_thread_timeline *timeline = &path->timelines[number];
    uint32_t entry = fth_flow_entry(timeline, step);
    if (!is_test(path, fth_flow_kind(timeline, step)))
        return entry;
    while (entry > 1 && ends_test(path, fth_flow_kind(timeline, entry - 1))) {
        uint32_t before = fth_flow_entry(timeline, entry - 1);
        /* once it may be long: another program had the processor */
        if (!was_asked_shortly_before(path, timeline, entry) &&
            !was_asked_shortly_before(path, timeline, before))
            break;
        entry = before;
    }
    return entry;
}

/* It came before the call began: who waited for it did so in poll or the like. */
static bool came_before(const struct fth_path *path, uint32_t timeline, uint32_t since,
                        struct fth_event cause)
{
    return fth_path_time(path, cause) <= fth_flow_time(&path->timelines[timeline], since);
}

uint32_t fth_path_waited_since(const struct fth_path *path, uint32_t timeline, uint32_t step,
                               struct fth_event cause)
{
    uint32_t since = fth_path_asked_since(path, timeline, step);
    return since && came_before(path, timeline, since, cause) ? since - 1 : since;
}

int64_t fth_path_waited(const struct fth_path *path, uint32_t timeline, uint32_t step,
                        struct fth_event cause)
{
    const struct fth_thread_timeline *mine = &path->timelines[timeline];
    if (!fth_flow_kind(mine, step)->is_exit)
        return 0;
    uint32_t since = fth_path_asked_since(path, timeline, step);
    int64_t wait = came_before(path, timeline, since, cause)
                       ? fth_path_waited_before(path, timeline, step, cause, false)
                       : fth_path_time(path, cause) - fth_flow_time(mine, since);
    return wait > 0 && wait > fth_path_clock_error(path, mine->proc,
                                                   path->timelines[cause.timeline].proc)
               ? wait
               : 0;
}

static bool is_in_wrong_order(const struct fth_path *path, struct fth_event at)
{
    return path->matches.wrong_count &&
           bsearch(&at, path->matches.wrong, path->matches.wrong_count, sizeof at, by_event);
}

/* Does the order say that it comes after that one? Else it only waited for it. */
static bool has_to_wait(const struct fth_path *path, struct fth_event at, struct fth_event cause)
{
    const struct fth_thread_timeline *timeline = &path->timelines[at.timeline];
    for (size_t i = fth_path_edge_at(timeline, at.step); i < timeline->edge_count; i++) {
        struct fth_order_edge edge = fth_flow_edge(timeline, i);
        if (edge.to != at.step)
            break;
        struct fth_event from = {edge.from, edge.step};
        if (edge.from == FTH_NO_TIMELINE && edge.step != UINT32_MAX)
            from = path->matches.hub_latest[edge.step];
        if (from.timeline == cause.timeline && from.step == cause.step)
            return true;
    }
    return false;
}

enum fth_wait fth_path_kind(const struct fth_path *path, struct fth_event at,
                            struct fth_event cause)
{
    uint16_t awaited =
        fth_path_event_kind(path, (struct fth_event){cause.timeline, fth_path_entry(path, cause)})
            ->function;
    if (awaited == FTH_NO_FUNCTION)
        return path->timelines[at.timeline].proc == path->timelines[cause.timeline].proc
                   ? FTH_WAIT_THREAD
                   : FTH_WAIT_CHILD;
    enum fth_wait kind = path->facts[awaited].awaited;
    if (kind == FTH_WAIT_LATE_SENDER && is_in_wrong_order(path, at))
        return FTH_WAIT_WRONG_ORDER;
    bool sends =
        kind == FTH_WAIT_LATE_BROADCAST || kind == FTH_WAIT_EARLY_REDUCE || kind == FTH_WAIT_SCAN;
    return sends && !has_to_wait(path, at, cause) ? FTH_WAIT_LATE_RECEIVER : kind;
}

/* Which receive takes which message: of one sender, one receiver, one communicator and one tag (a
 * *channel*) the k-th send and the k-th receive, in the order of their calls. A receive that would
 * have taken anything has the sender and tag of its status. */
#include "base/memory.h"
#include "order/match/match.h"

#include <string.h>

struct channel {
    uint32_t group, from, to; /* places */
    int32_t tag;
    uint32_t first, last; /* sends that were not received yet, operations of the sender */
    uint32_t sender;      /* process */
    uint32_t send_timeline, receive_timeline;
    uint32_t shared; /* index of struct fth_channel_threads plus 1; 0: of one thread on each side */
};

struct channels {
    struct fth_matching *matching;
    struct channel *all;
    size_t count;
    uint32_t *table; /* index plus 1 */
    size_t table_size;
};

/* ---- the table ---- */

static size_t place_of(const struct channels *channels, const struct channel *wanted)
{
    uint64_t hash = (uint64_t)wanted->group << 32 | wanted->from;
    hash = (hash ^ (hash >> 29)) * 0xbf58476d1ce4e5b9u;
    hash ^= (uint64_t)wanted->to << 32 | (uint32_t)wanted->tag;
    hash = (hash ^ (hash >> 31)) * 0x94d049bb133111ebu;
    size_t at = (hash ^ (hash >> 30)) & (channels->table_size - 1);
    for (; channels->table[at]; at = (at + 1) & (channels->table_size - 1)) {
        const struct channel *there = &channels->all[channels->table[at] - 1];
        if (there->group == wanted->group && there->from == wanted->from &&
            there->to == wanted->to && there->tag == wanted->tag)
            break;
    }
    return at;
}

static void grow_table(struct channels *channels)
{
    free(channels->table);
    channels->table_size = channels->table_size ? channels->table_size * 2 : 1024;
    channels->table = fth_new(channels->table_size, sizeof *channels->table);
    for (size_t i = 0; i < channels->count; i++)
        channels->table[place_of(channels, &channels->all[i])] = (uint32_t)i + 1;
}

static uint32_t channel_like(struct channels *channels, struct channel wanted)
{
    if (channels->count * 2 >= channels->table_size)
        grow_table(channels);
    size_t at = place_of(channels, &wanted);
    if (channels->table[at])
        return channels->table[at] - 1;
    FTH_GROW(channels->all, channels->count);
    wanted.first = wanted.last = FTH_NO_OPERATION;
    wanted.send_timeline = wanted.receive_timeline = FTH_NO_TIMELINE;
    channels->all[channels->count++] = wanted;
    channels->table[at] = (uint32_t)channels->count;
    return (uint32_t)channels->count - 1;
}

/* The one that a operation uses; false: its communicator is not known, or has no such rank. */
static bool find_channel(struct channels *channels, uint32_t proc,
                         const struct fth_order_operation *operation, uint32_t *found)
{
    const struct fth_matching *matching = channels->matching;
    const struct fth_order_operations *process = &matching->processes[proc];
    if (operation->member >= process->mpi.member_count ||
        process->mpi.members[operation->member].group == FTH_NO_GROUP || operation->peer < 0)
        return false;
    const struct fth_member *member = &process->mpi.members[operation->member];
    const struct fth_group *group = &matching->groups[member->group];
    bool of_two_sides = group->split != group->size;
    uint32_t peer = (uint32_t)operation->peer;
    uint32_t limit = group->size;
    if (of_two_sides) {
        limit = member->place < group->split ? group->size - group->split : group->split;
        peer += member->place < group->split ? group->split : 0;
    }
    if ((uint32_t)operation->peer >= limit)
        return false;
    bool sends = operation->kind == FTH_SYNC_SEND;
    *found = channel_like(channels, (struct channel){.group = member->group,
                                                     .from = sends ? member->place : peer,
                                                     .to = sends ? peer : member->place,
                                                     .tag = operation->tag,
                                                     .sender = sends ? proc : group->procs[peer]});
    return true;
}

/* ---- going through the operations ---- */

static void share(struct channels *channels, struct channel *channel)
{
    struct fth_matching *matching = channels->matching;
    if (channel->shared)
        return;
    FTH_GROW(matching->shared, matching->shared_count);
    matching->shared[matching->shared_count++] = (struct fth_channel_threads){0};
    channel->shared = (uint32_t)matching->shared_count;
}

/* Of this member of the process: the name or number of its communicator or window. */
static struct fth_order_sent sent_in(const struct fth_matching *matching, uint32_t proc,
                                     uint32_t number)
{
    const struct fth_order_operations *process = &matching->processes[proc];
    const struct fth_member *member =
        number < process->mpi.member_count ? &process->mpi.members[number] : NULL;
    return (struct fth_order_sent){.from = proc,
                                   .to = FTH_NOT_KNOWN,
                                   .name = member ? member->name : NULL,
                                   .handle = member ? member->handle : UINT64_MAX};
}

static void report_sent(const struct channels *channels, uint32_t proc, uint32_t number,
                        const struct fth_order_operation *operation, const struct channel *channel)
{
    const struct fth_matching *matching = channels->matching;
    if (!matching->options.sent)
        return;
    struct fth_order_sent sent = sent_in(matching, proc, operation->member);
    sent.bytes = operation->bytes;
    sent.begin = operation->begin;
    sent.call = operation->call;
    sent.operation = number;
    sent.tag = operation->tag;
    if (channel)
        sent.to = matching->groups[channel->group].procs[channel->to];
    matching->options.sent(matching->options.message_context, &sent);
}

/* The process whose memory it accesses. */
static uint32_t accessed_by(const struct fth_matching *matching, uint32_t proc,
                            const struct fth_order_access_like *like)
{
    const struct fth_order_operations *process = &matching->processes[proc];
    uint32_t number = like->member < process->mpi.member_count
                          ? process->mpi.members[like->member].group
                          : FTH_NO_GROUP;
    return number != FTH_NO_GROUP && (uint32_t)like->peer < matching->groups[number].size
               ? matching->groups[number].procs[like->peer]
               : FTH_NOT_KNOWN;
}

static void report_accesses(const struct fth_matching *matching, uint32_t proc)
{
    const struct fth_order_operations *process = &matching->processes[proc];
    struct fth_rows_place place = {0};
    for (uint32_t i = 0; i < process->mpi.accesses.count; i++) {
        const int64_t *row = fth_rows_at(&process->mpi.accesses, &place, i);
        size_t length;
        const struct fth_order_access_like *like =
            (const void *)fth_interned(&process->mpi.likes, (uint32_t)row[0], &length);
        struct fth_order_sent sent = sent_in(matching, proc, like->member);
        uint32_t other = accessed_by(matching, proc, like);
        sent.from = like->gives ? proc : other;
        sent.to = like->gives ? other : proc;
        sent.one_sided = true;
        sent.begin.timeline = process->first_timeline + like->thread;
        sent.call = (uint64_t)row[1];
        sent.start = row[2];
        sent.bytes = row[3];
        sent.operation = i;
        matching->options.sent(matching->options.message_context, &sent);
    }
    fth_rows_leave(&place);
}

/* Bits of kinds. */
enum { MESSAGES = 1 << FTH_SYNC_SEND | 1 << FTH_SYNC_RECEIVE | 1 << FTH_SYNC_PROBE };

/* Sends wait in their channel; receives know theirs by `next`. */
static void put_in_channels(struct channels *channels, uint32_t proc)
{
    struct fth_order_operations *process = &channels->matching->processes[proc];
    for (uint32_t i = 0; i < process->operation_count; i++) {
        struct fth_order_operation operation = fth_order_operation(process, i);
        uint32_t number;
        if (operation.kind != FTH_SYNC_SEND && operation.kind != FTH_SYNC_RECEIVE &&
            operation.kind != FTH_SYNC_PROBE)
            continue;
        bool sends = operation.kind == FTH_SYNC_SEND;
        *fth_order_next(process, i) = FTH_NO_OPERATION;
        struct channel *channel =
            find_channel(channels, proc, &operation, &number) ? &channels->all[number] : NULL;
        if (sends)
            report_sent(channels, proc, i, &operation, channel);
        if (!channel)
            continue;
        uint32_t *timeline = sends ? &channel->send_timeline : &channel->receive_timeline;
        if (*timeline == FTH_NO_TIMELINE)
            *timeline = operation.begin.timeline;
        else if (*timeline != operation.begin.timeline)
            share(channels, channel);
        if (!sends) {
            *fth_order_next(process, i) = number;
        } else if (channel->first == FTH_NO_OPERATION) {
            channel->first = channel->last = i;
        } else {
            *fth_order_next(process, channel->last) = i;
            channel->last = i;
        }
    }
}

static void add_edges(const struct fth_matching *matching, const struct fth_pair *pair)
{
    struct fth_order_operation send = fth_order_operation(&matching->processes[pair->from_proc],
                                                          pair->from),
                               receive = fth_order_operation(&matching->processes[pair->to_proc],
                                                             pair->to);
    bool probed = receive.kind == FTH_SYNC_PROBE;
    fth_clocks_edge(matching->clocks, send.begin, receive.end);
    if ((send.flags & FTH_SYNC_BOTH) && !probed)
        fth_clocks_edge(matching->clocks, receive.begin, send.end);
    fth_match_parts(matching, pair->from_proc, pair->from, pair->to_proc, pair->to);
    if (matching->options.message)
        matching->options.message(matching->options.message_context,
                                  &(struct fth_order_message){send.begin, send.end, receive.begin,
                                                              receive.end, probed, pair->from_proc,
                                                              pair->to_proc, send.bytes, pair->from,
                                                              receive.call});
}

static void mark_begin(struct fth_matching *matching, uint32_t proc, uint32_t number)
{
    struct fth_event begin = fth_order_operation(&matching->processes[proc], number).begin;
    fth_clocks_mark(matching->clocks, (struct fth_moment){begin.timeline, begin.step + 1});
}

static void join(struct channels *channels, const struct channel *channel, uint32_t send,
                 uint32_t proc, uint32_t receive)
{
    struct fth_matching *matching = channels->matching;
    struct fth_pair pair = {channel->sender, send, proc, receive};
    if (!channel->shared) {
        add_edges(matching, &pair);
        return;
    }
    struct fth_channel_threads *shared = &matching->shared[channel->shared - 1];
    FTH_GROW(shared->pairs, shared->count);
    shared->pairs[shared->count++] = pair;
    mark_begin(matching, channel->sender, send);
    mark_begin(matching, proc, receive);
}

/* What a receive that may have taken anything has taken is not known: what later receives on this
 * communicator took is not, either. */
struct doubt {
    bool any, all_tags;
    int32_t tag;
};

static bool is_doubtful(const struct doubt *doubt, int32_t tag)
{
    return doubt->any && (doubt->all_tags || doubt->tag == tag);
}

static void add_doubt(struct doubt *doubt, int32_t tag)
{
    doubt->all_tags = doubt->all_tags || tag == FTH_TAG_ANY || (doubt->any && doubt->tag != tag);
    doubt->any = true;
    doubt->tag = tag;
}

static void take_messages(struct channels *channels, uint32_t proc)
{
    struct fth_matching *matching = channels->matching;
    struct fth_order_operations *process = &matching->processes[proc];
    struct doubt *doubts = fth_new(process->mpi.member_count + 1, sizeof *doubts);
    for (uint32_t i = 0; i < process->operation_count; i++) {
        struct fth_order_operation operation = fth_order_operation(process, i);
        if ((operation.kind != FTH_SYNC_RECEIVE && operation.kind != FTH_SYNC_PROBE) ||
            operation.member >= process->mpi.member_count)
            continue;
        struct doubt *doubt = &doubts[operation.member];
        if (operation.peer == FTH_PEER_ANY || operation.tag == FTH_TAG_ANY) {
            if (operation.kind == FTH_SYNC_PROBE)
                continue;
            add_doubt(doubt, operation.tag);
            process->mpi.members[operation.member].doubted = true;
            matching->find(matching->context, FTH_ORDER_UNKNOWN_SOURCE, proc, &operation, NULL);
            continue;
        }
        if (operation.next == FTH_NO_OPERATION || is_doubtful(doubt, operation.tag))
            continue;
        struct channel *channel = &channels->all[operation.next];
        if (channel->first == FTH_NO_OPERATION) {
            if (operation.kind == FTH_SYNC_RECEIVE)
                matching->find(matching->context, FTH_ORDER_UNMATCHED_RECEIVE, proc, &operation,
                               NULL);
            continue;
        }
        uint32_t send = channel->first;
        if (operation.kind == FTH_SYNC_RECEIVE)
            channel->first = *fth_order_next(&matching->processes[channel->sender], send);
        join(channels, channel, send, proc, i);
    }
    free(doubts);
}

static void report_unreceived(struct channels *channels)
{
    struct fth_matching *matching = channels->matching;
    for (size_t i = 0; i < channels->count; i++) {
        const struct channel *channel = &channels->all[i];
        const struct fth_group *group = &matching->groups[channel->group];
        uint32_t to = group->procs[channel->to], member = group->members[channel->to];
        if (channel->first == FTH_NO_OPERATION ||
            (to < matching->process_count && member < matching->processes[to].mpi.member_count &&
             matching->processes[to].mpi.members[member].doubted))
            continue;
        for (uint32_t k = channel->first; k != FTH_NO_OPERATION;) {
            struct fth_order_operation operation =
                fth_order_operation(&matching->processes[channel->sender], k);
            matching->find(matching->context, FTH_ORDER_UNMATCHED_SEND, channel->sender, &operation,
                           NULL);
            k = operation.next;
        }
    }
}

void fth_match_messages(struct fth_matching *matching)
{
    struct channels channels = {.matching = matching};
    for (uint32_t i = 0; i < matching->process_count; i++)
        if (fth_order_operations_have(&matching->processes[i], MESSAGES))
            put_in_channels(&channels, i);
    for (uint32_t i = 0; i < matching->process_count; i++)
        if (fth_order_operations_have(&matching->processes[i], MESSAGES))
            take_messages(&channels, i);
    report_unreceived(&channels);
    for (uint32_t i = 0; i < matching->process_count && matching->options.sent; i++)
        report_accesses(matching, i);
    free(channels.all);
    free(channels.table);
}

/* ---- channels that several threads use ---- */

/* The first pair that comes in no order behind the one before it. */
static const struct fth_pair *first_unordered(const struct fth_matching *matching,
                                              const struct fth_channel_threads *shared)
{
    for (size_t i = 1; i < shared->count; i++) {
        const struct fth_pair *one = &shared->pairs[i - 1], *other = &shared->pairs[i];
        const struct fth_order_operations *sender = &matching->processes[one->from_proc],
                                          *receiver = &matching->processes[one->to_proc];
        struct fth_order_operation sends[] = {fth_order_operation(sender, one->from),
                                              fth_order_operation(sender, other->from)};
        struct fth_order_operation receives[] = {fth_order_operation(receiver, one->to),
                                                 fth_order_operation(receiver, other->to)};
        if (!fth_match_in_order(matching, &sends[0], &sends[1]) ||
            !fth_match_in_order(matching, &receives[0], &receives[1]))
            return other;
    }
    return NULL;
}

bool fth_match_threaded_channels(struct fth_matching *matching)
{
    bool any = false;
    for (size_t i = 0; i < matching->shared_count; i++) {
        struct fth_channel_threads *shared = &matching->shared[i];
        if (shared->settled || first_unordered(matching, shared))
            continue;
        for (size_t k = 0; k < shared->count; k++)
            add_edges(matching, &shared->pairs[k]);
        shared->settled = true;
        any = true;
    }
    return any;
}

void fth_match_report_threaded_channels(struct fth_matching *matching)
{
    for (size_t i = 0; i < matching->shared_count; i++) {
        const struct fth_pair *pair =
            matching->shared[i].settled ? NULL : first_unordered(matching, &matching->shared[i]);
        if (!pair)
            continue;
        struct fth_order_operation operation =
            fth_order_operation(&matching->processes[pair->to_proc], pair->to);
        matching->find(matching->context, FTH_ORDER_AMBIGUOUS, pair->to_proc, &operation, NULL);
    }
}

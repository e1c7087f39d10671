/* Pipes and sockets: which transfers of which processes are about the same one, in the same
 * direction. A pipe of which something may not have been recorded orders nothing. */
#include "base/memory.h"
#include "order/match/match.h"
#include "order/match/match_holders.h"
#include "order/match/pipe_bytes.h"
#include "order/match/pipe_names.h"

#include <stdlib.h>
#include <string.h>

/* A transfer and the direction of the pipe that it is about: of sockets that at which is written.
 * Or, without a transfer, that a process has this pipe. */
struct entry {
    uint32_t host;
    const char *name;
    struct fth_pipe_piece piece;
    bool made, packets, packets_set, packets_unset, has_unseen;
};

struct entries {
    struct entry *all;
    size_t count;
    struct fth_order_transfer *ends; /* that entries point to */
};

static bool writes(const struct fth_order_transfer *transfer)
{
    return transfer->kind == FTH_TRANSFER_WRITE || transfer->kind == FTH_TRANSFER_CLOSE ||
           transfer->kind == FTH_TRANSFER_LEFT || transfer->kind == FTH_TRANSFER_MAYBE_LEFT ||
           transfer->kind == FTH_TRANSFER_SHUT || transfer->kind == FTH_TRANSFER_BROKEN;
}

static void add_entry(struct entries *entries, struct entry entry)
{
    entry.piece.name = entry.name;
    FTH_GROW(entries->all, entries->count);
    entries->all[entries->count++] = entry;
}

/* Of a pair of sockets what is read at one is what was written at the other one. */
static void add_process(struct entries *entries, const struct fth_pipe_names *names,
                        const struct fth_order_operations *process, uint32_t proc)
{
    for (uint32_t i = 0; i < process->pipes.count; i++) {
        const char *name = process->pipes.all[i].name;
        const struct fth_pipe_name *known = fth_pipe_named(names, process->host, name);
        struct entry entry = {.host = process->host,
                              .name = name,
                              .made = known || name[0] == '/',
                              .packets = known && known->packets,
                              .packets_set = process->pipes.all[i].packets_set,
                              .packets_unset = process->pipes.all[i].packets_unset,
                              .has_unseen = process->has_unseen};
        add_entry(entries, entry);
        entry.name = known ? known->other : NULL;
        entry.host = known ? known->other_host : entry.host;
        if (entry.name)
            add_entry(entries, entry);
    }
    for (size_t i = 0; i < process->pipes.transfer_count; i++) {
        const struct fth_order_transfer *transfer = &process->pipes.transfers[i];
        const char *name = process->pipes.all[transfer->pipe].name;
        const struct fth_pipe_name *known =
            writes(transfer) ? NULL : fth_pipe_named(names, process->host, name);
        add_entry(entries,
                  (struct entry){.host = known && known->other ? known->other_host : process->host,
                                 .name = known && known->other ? known->other : name,
                                 .piece = {.transfer = transfer, .proc = proc}});
    }
}

static int by_name(const void *one, const void *other)
{
    const struct entry *a = one, *b = other;
    if (a->host != b->host)
        return a->host < b->host ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* How each descriptor was closed, in the direction that it could write, and in the one that it
 * could read. */
static void add_ends(struct entries *entries, const struct fth_pipe_names *names,
                     const struct fth_matching *matching, const struct fth_trace *trace)
{
    struct fth_holders holders = fth_holders_of(matching, trace);
    entries->ends = fth_new(2 * holders.count + 1, sizeof *entries->ends);
    for (size_t i = 0; i < holders.count; i++) {
        const struct fth_holder *holder = &holders.all[i];
        const char *name = fth_holder_name(matching, holder);
        uint32_t host = matching->processes[holder->proc].host;
        struct fth_order_transfer *end = &entries->ends[2 * i];
        if (!name || fth_holder_root(matching, holder)->is_locked)
            continue;
        end[0] = end[1] = fth_holder_end(matching, trace, holder);
        end[1].of_reader = true;
        const struct fth_pipe_name *known = fth_pipe_named(names, host, name);
        struct entry entry = {
            .host = host, .name = name, .piece = {.transfer = &end[0], .proc = holder->proc}};
        if (holder->writes)
            add_entry(entries, entry);
        entry.piece.transfer = &end[1];
        bool is_socket = known && known->other;
        entry.name = is_socket ? known->other : name;
        entry.host = is_socket ? known->other_host : host;
        if (!holder->writes || is_socket)
            add_entry(entries, entry);
    }
    fth_holders_free(&holders);
}

static struct entries entries_of(const struct fth_matching *matching, const struct fth_trace *trace)
{
    struct fth_pipe_names names = fth_pipe_names_of(matching, trace);
    struct entries entries = {NULL, 0, NULL};
    for (uint32_t i = 0; i < matching->process_count; i++)
        add_process(&entries, &names, &matching->processes[i], i);
    add_ends(&entries, &names, matching, trace);
    free(names.all);
    if (entries.count)
        qsort(entries.all, entries.count, sizeof *entries.all, by_name);
    return entries;
}

static void add(struct fth_pipe_pieces *pieces, const struct fth_pipe_piece *piece)
{
    FTH_GROW(pieces->all, pieces->count);
    pieces->all[pieces->count++] = *piece;
}

/* Whose bytes were looked at without being taken is not followed. */
static void leave_looked_at(struct fth_matching *matching, const struct entry *entries,
                            size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count && !any; i++)
        any = entries[i].piece.transfer && entries[i].piece.transfer->kind == FTH_TRANSFER_LOOK;
    for (size_t i = 0; any && i < count; i++) {
        const struct fth_order_transfer *transfer = entries[i].piece.transfer;
        if (transfer &&
            (transfer->kind == FTH_TRANSFER_LOOK || transfer->kind == FTH_TRANSFER_WRITE))
            fth_pipe_leave_unfollowed(matching, &entries[i].piece);
    }
}

/* Entries of one direction of a pipe. It has to be seen how it was made, and all have to be
 * recorded who may have inherited it from those that have it. */
static void sort_out(struct fth_matching *matching, const struct entry *entries, size_t count,
                     bool exact)
{
    struct fth_pipe_direction pipe = {.others = fth_new(count, sizeof *pipe.others),
                                      .is_fifo = count && entries[0].name[0] == '/'};
    bool made = false, whole = exact, several = false, urgent = false;
    bool packets_set = false, packets_unset = false;
    for (size_t i = 0; i < count; i++) {
        bool is_pipe = !entries[i].piece.transfer;
        made |= is_pipe && entries[i].made;
        pipe.packets |= is_pipe && entries[i].packets;
        packets_set |= is_pipe && entries[i].packets_set;
        packets_unset |= is_pipe && entries[i].packets_unset;
        whole &= !is_pipe || !entries[i].has_unseen;
    }
    for (size_t i = 0; i < count; i++) {
        const struct fth_pipe_piece *piece = &entries[i].piece;
        if (!piece->transfer)
            continue;
        bool writes = piece->transfer->kind == FTH_TRANSFER_WRITE;
        several |= piece->transfer->several || (writes && !piece->transfer->bytes);
        urgent |= piece->transfer->urgent;
        if (!piece->transfer->bytes && !pipe.packets &&
            (writes || piece->transfer->kind == FTH_TRANSFER_READ))
            continue; /* nothing, where there are no packets */
        if (writes) {
            add(&pipe.writes, piece);
        } else if (piece->transfer->kind == FTH_TRANSFER_READ) {
            add(&pipe.reads, piece);
        } else if (piece->transfer->kind != FTH_TRANSFER_LOOK) {
            pipe.others[pipe.other_count++] = *piece;
        }
    }
    /* how many of its messages each packet had is not known, nor whether an empty one was read, or
     * the end; urgent bytes overtake others; and which writes to a pipe are packets is not known if
     * that changes */
    bool mixed = pipe.packets ? several || packets_unset : packets_set;
    bool followed = made && whole && !urgent && !mixed && fth_pipe_order(matching, &pipe);
    for (size_t i = 0; !followed && i < count; i++)
        if (entries[i].piece.transfer)
            fth_pipe_leave_unfollowed(matching, &entries[i].piece);
    if (followed) {
        fth_pipe_report_room(matching, &pipe);
        fth_pipe_leave_waited(matching, &pipe);
        fth_pipe_leave_maybe_left(matching, &pipe);
        leave_looked_at(matching, entries, count);
    }
    free(pipe.writes.all);
    free(pipe.reads.all);
    free(pipe.others);
}

void fth_match_pipes(struct fth_matching *matching, const struct fth_trace *trace)
{
    const struct fth_trace_info *info = fth_trace_info(trace);
    struct entries entries = entries_of(matching, trace);
    bool exact = !info->times_are_means && !info->time_percent;
    for (size_t i = 0; !exact && i < entries.count; i++) {
        const struct fth_pipe_piece *piece = &entries.all[i].piece;
        if (!piece->transfer || piece->transfer->operation == FTH_NO_OPERATION)
            continue;
        fth_pipe_report_unordered(
            matching, piece, "times were not kept exactly, so the order of the calls is unknown");
        break;
    }
    for (size_t from = 0, to = 0; from < entries.count; from = to) {
        while (to < entries.count && by_name(&entries.all[from], &entries.all[to]) == 0)
            to++;
        sort_out(matching, entries.all + from, to - from, exact);
    }
    free(entries.all);
    free(entries.ends);
}

/* Messages are matched as for `fathom path`. Those on communicators whose members are not known
 * have no events. */
#ifdef FATHOM_OTF2
#include "export/otf2/message_events.h"

#include "base/memory.h"
#include "base/visible.h"
#include "export/shared/message_flows.h"

#include <stdio.h>

static bool is_listed(const struct fth_listed_message *message)
{
    return !message->one_sided && message->end != INT64_MIN && message->bytes >= 0 &&
           message->from < FTH_LISTED_NOT_KNOWN && message->to < FTH_LISTED_NOT_KNOWN;
}

static int by_end(const void *one, const void *other)
{
    const struct fth_otf2_receive *a = one, *b = other;
    if (a->proc != b->proc)
        return a->proc < b->proc ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return (a->call > b->call) - (a->call < b->call);
}

static int by_call(const void *one, const void *other)
{
    const struct fth_otf2_message_end *a = one, *b = other;
    if (a->proc != b->proc)
        return a->proc < b->proc ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return (a->call > b->call) - (a->call < b->call);
}

static void take_receives(struct fth_otf2_messages *messages, const struct fth_message_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct fth_listed_message *message = &list->all[i];
        if (is_listed(message))
            messages->receives[messages->receive_count++] = (struct fth_otf2_receive){
                .proc = message->to,
                .thread = message->receive_thread,
                .call = message->receive_call,
                .peer = message->from,
                .end = message->end,
                .event = {.kind = FTH_OTF2_RECEIVE,
                          .handle = OTF2_UNDEFINED_COMM,
                          .other = (uint32_t)message->tag,
                          .bytes = (uint64_t)message->bytes},
            };
    }
    qsort(messages->receives, messages->receive_count, sizeof *messages->receives, by_end);
}

static void take_ends(struct fth_otf2_messages *messages, const struct fth_message_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct fth_listed_message *message = &list->all[i];
        if (is_listed(message))
            messages->ends[messages->count++] = (struct fth_otf2_message_end){
                .proc = message->from,
                .thread = message->thread,
                .call = message->call,
                .peer = message->to,
                .tag = (uint32_t)message->tag,
                .bytes = (uint64_t)message->bytes,
                .receive = SIZE_MAX,
            };
    }
    for (size_t i = 0; i < messages->receive_count; i++) {
        const struct fth_otf2_receive *receive = &messages->receives[i];
        messages->ends[messages->count++] = (struct fth_otf2_message_end){
            .proc = receive->proc,
            .thread = receive->thread,
            .call = receive->call,
            .peer = receive->peer,
            .receive = i,
        };
    }
    qsort(messages->ends, messages->count, sizeof *messages->ends, by_call);
}

int fth_otf2_messages_begin(struct fth_otf2_messages *messages, struct fth_exported *exported,
                            struct fth_error **error)
{
    struct fth_message_list list = {0};
    *messages = (struct fth_otf2_messages){0};
    int result = fth_export_messages(&list, exported->trace, exported->threads, error);
    if (!result && list.too_many)
        fth_say(stderr, "fathom export: the archive has no messages: the run has more than %d\n",
                FTH_MOST_LISTED);
    else if (!result) {
        messages->receives = fth_new(list.count + 1, sizeof *messages->receives);
        messages->ends = fth_new(2 * list.count + 1, sizeof *messages->ends);
        take_receives(messages, &list);
        take_ends(messages, &list);
    }
    fth_message_list_free(&list);
    return result;
}

void fth_otf2_messages_end(struct fth_otf2_messages *messages)
{
    free(messages->receives);
    free(messages->ends);
}

void fth_otf2_messages_of(const struct fth_otf2_messages *messages, size_t proc, uint32_t thread,
                          struct fth_otf2_location *location)
{
    size_t low = 0, high = messages->receive_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct fth_otf2_receive *receive = &messages->receives[middle];
        if (receive->proc < proc || (receive->proc == proc && receive->thread < thread))
            low = middle + 1;
        else
            high = middle;
    }
    location->receives = messages->receives ? messages->receives + low : NULL;
    while (low + location->receive_count < messages->receive_count &&
           messages->receives[low + location->receive_count].proc == proc &&
           messages->receives[low + location->receive_count].thread == thread)
        location->receive_count++;
}

/* The first end of a message at the call, or behind where it would be. */
static size_t first_end(const struct fth_otf2_messages *messages, const struct fth_call *call)
{
    const struct fth_otf2_message_end wanted = {
        .proc = (uint32_t)call->proc, .thread = call->thread, .call = call->number};
    size_t low = 0, high = messages->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_call(&messages->ends[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void put_end(struct fth_otf2_messages *messages, struct fth_otf2_location *location,
                    const struct fth_otf2_message_end *end, uint32_t communicator, uint32_t rank,
                    int64_t time)
{
    if (end->receive != SIZE_MAX) {
        messages->receives[end->receive].event.handle = communicator;
        messages->receives[end->receive].event.mode = rank;
        return;
    }
    struct fth_otf2_event event = {.kind = FTH_OTF2_SEND,
                                   .handle = communicator,
                                   .mode = rank,
                                   .other = end->tag,
                                   .bytes = end->bytes};
    fth_otf2_put(location, time, &event);
}

void fth_otf2_put_messages(struct fth_otf2_messages *messages,
                           const struct fth_otf2_definitions *definitions,
                           struct fth_otf2_location *location, const struct fth_call *call)
{
    if (!messages->count || !call->group)
        return;
    const struct fth_exported_communicators *all = &definitions->communicators;
    uint32_t communicator = fth_exported_communicators_find(all, call->group);
    if (communicator == UINT32_MAX)
        return;
    for (size_t i = first_end(messages, call); i < messages->count; i++) {
        const struct fth_otf2_message_end *end = &messages->ends[i];
        if (end->proc != call->proc || end->thread != call->thread || end->call != call->number)
            break;
        uint32_t rank = fth_exported_communicator_rank(&all->list[communicator], end->peer);
        if (rank != UINT32_MAX)
            put_end(messages, location, end, communicator, rank, call->start);
    }
}
#endif

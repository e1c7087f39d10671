/* Messages one by one, as the order of the run reports them: each with its calls and times, into a
 * list for pictures. Those of a process come one after the other, so that what is received is found
 * again among them. */
#include "base/memory.h"
#include "path/run_flow.h"

#include <stdio.h>
#include <string.h>

static uint32_t place_of(struct fth_message_list *list, const struct fth_order_sent *sent)
{
    char number[48];
    const char *name = sent->name;
    if (!name && sent->handle == UINT64_MAX)
        return UINT32_MAX;
    if (!name) {
        snprintf(number, sizeof number, "handle %llu", (unsigned long long)sent->handle);
        name = number;
    }
    return fth_intern(&list->places, name, strlen(name) + 1);
}

void fth_path_list_sent(struct fth_path *path, const struct fth_order_sent *sent)
{
    struct fth_message_list *list = path->list;
    if (!list || !(sent->one_sided ? sent->begin.timeline < path->timeline_count
                                   : fth_path_has(path, sent->begin)))
        return;
    if (list->count == FTH_MOST_LISTED) {
        list->too_many++;
        return;
    }
    uint32_t caller = path->timelines[sent->begin.timeline].proc;
    if (!sent->one_sided && (!list->count || list->all[list->count - 1].caller != caller))
        path->listed_from[caller] = list->count;
    FTH_GROW(list->all, list->count);
    list->all[list->count++] = (struct fth_listed_message){
        .start = sent->one_sided ? sent->start : fth_path_time(path, sent->begin),
        .end = INT64_MIN,
        .bytes = sent->bytes,
        .error = INT64_MAX,
        .from = sent->from,
        .to = sent->to,
        .caller = caller,
        .thread = path->timelines[sent->begin.timeline].thread,
        .call = sent->call,
        .tag = sent->tag,
        .place = place_of(list, sent),
        .number = sent->operation,
        .one_sided = sent->one_sided};
}

/* Of the process, by its number, which grows. NULL: it is not in the list. */
static struct fth_listed_message *find(const struct fth_path *path, uint32_t proc, uint32_t number)
{
    const struct fth_message_list *list = path->list;
    size_t low = path->listed_from[proc], high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct fth_listed_message *one = &list->all[middle];
        if (one->caller == proc && !one->one_sided && one->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    struct fth_listed_message *found = &list->all[low];
    return low < list->count && found->caller == proc && !found->one_sided &&
                   found->number == number
               ? found
               : NULL;
}

void fth_path_list_received(struct fth_path *path, const struct fth_order_message *message,
                            int64_t error)
{
    struct fth_listed_message *listed;
    if (!path->list || !fth_path_has(path, message->receive) ||
        !(listed = find(path, message->from, message->operation)))
        return;
    listed->end = fth_path_time(path, message->received);
    listed->error = error;
    listed->receive_call = message->receive_call;
    listed->receive_thread = path->timelines[message->receive.timeline].thread;
}

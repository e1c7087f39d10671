/* Calls that belong together, one pair by one, into a list for pictures: from the begin of an
 * operation to the call that found it complete. */
#include "path/run_flow.h"

/* The call of which the event is the entry or exit; of the begin of a thread none. */
static struct fth_linked_call call_at(const struct fth_path *path, struct fth_event event)
{
    const struct fth_thread_timeline *timeline = &path->timelines[event.timeline];
    bool is_call = fth_flow_kind(timeline, event.step)->function != FTH_NO_FUNCTION;
    uint32_t number =
        is_call ? fth_flow_call(timeline, fth_flow_entry(timeline, event.step)) : UINT32_MAX;
    return (struct fth_linked_call){timeline->proc, timeline->thread,
                                    number == UINT32_MAX ? UINT64_MAX : number,
                                    fth_flow_time(timeline, event.step)};
}

void fth_path_add_link(struct fth_path *path, enum fth_link_kind kind, struct fth_event from,
                       struct fth_event to, int64_t earlier)
{
    struct fth_call_link link = {.from = call_at(path, from),
                                 .to = call_at(path, to),
                                 .function = fth_path_event_kind(path, from)->function,
                                 .earlier = earlier};
    fth_link_list_add(fth_path_links(path), kind, &link);
}

/* ---- operations that another call finds complete ---- */

/* Does another call than the one that began it find it complete? */
bool fth_path_ends_elsewhere(const struct fth_path *path, struct fth_event begin,
                             struct fth_event end)
{
    return fth_path_shows(path, begin) && fth_path_has(path, end) &&
           (begin.timeline != end.timeline || fth_path_entry(path, end) != begin.step);
}

void fth_path_link_message(struct fth_path *path, const struct fth_order_message *message)
{
    if (!fth_path_links(path))
        return;
    if (fth_path_ends_elsewhere(path, message->send, message->sent))
        fth_path_add_link(path, FTH_LINK_REQUEST, message->send, message->sent, 0);
    if (!message->probed && fth_path_ends_elsewhere(path, message->receive, message->received))
        fth_path_add_link(path, FTH_LINK_REQUEST, message->receive, message->received, 0);
}

void fth_path_link_operation(struct fth_path *path, const struct fth_operation *operation)
{
    if (!fth_path_links(path) || operation->how != FTH_OPERATION_COMPLETE ||
        !path->selected[operation->proc] ||
        (operation->begin.thread == operation->completion.thread &&
         operation->begin.number == operation->completion.number))
        return;
    const struct fth_call_class *class = fth_call_class_of(path->classes, operation->function);
    struct fth_call_link link = {.from = {(uint32_t)operation->proc, operation->begin.thread,
                                          operation->begin.number, operation->start},
                                 .to = {(uint32_t)operation->proc, operation->completion.thread,
                                        operation->completion.number, operation->end},
                                 .function = class->index};
    fth_link_list_add(fth_path_links(path), FTH_LINK_REQUEST, &link);
}

/* From order of exit to order of entry. In order of exit each call stands right behind all that are
 * inside it, so it is enough to count these: where a call stands in order of entry follows from its
 * place, from the number of calls inside it, and from the number of those around it. */
#include "model/calls/entry_order.h"

/* A call may be around another one if that is deeper and began no earlier. */
static bool may_be_around(const struct fth_entry_waiting *around,
                          const struct fth_entry_waiting *inside)
{
    return inside->depth > around->depth && inside->call.start >= around->call.start;
}

static void note_starts(struct fth_entry_order *order, uint32_t call,
                        struct fth_thread_starts *starts)
{
    size_t first = starts->closed_count,
           count = fth_starts_close(starts, order->waiting[call].depth);
    if (!count)
        return;
    order->starts = fth_present_room(order->starts, &order->start_limit, order->start_count,
                                     sizeof *order->starts);
    order->starts[order->start_count++] = (struct fth_entry_starts){call, first, count};
}

/* At `place`, which is that of the last one. */
static void add(struct fth_entry_order *order, uint32_t place)
{
    struct fth_entry_waiting *taken = &order->waiting[place];
    taken->around = FTH_AROUND_NONE;
    taken->inside = 0;
    while (order->outermost_count) {
        uint32_t last = order->outermost[order->outermost_count - 1];
        if (!may_be_around(taken, &order->waiting[last]))
            break;
        order->waiting[last].around = place;
        taken->inside += order->waiting[last].inside + 1;
        order->outermost_count--;
    }
    order->outermost = fth_present_room(order->outermost, &order->outermost_limit,
                                        order->outermost_count, sizeof *order->outermost);
    order->outermost[order->outermost_count++] = place;
    order->count++;
}

static struct fth_entry_waiting *room_for_next(struct fth_entry_order *order)
{
    order->waiting =
        fth_present_room(order->waiting, &order->limit, order->count, sizeof *order->waiting);
    return &order->waiting[order->count];
}

void fth_entry_order_take(struct fth_entry_order *order, struct fth_presenter *presenter,
                          const struct fth_thread_reader *reader, const struct fth_raw_call *raw,
                          struct fth_thread_starts *starts)
{
    uint32_t place = order->count;
    struct fth_entry_waiting *taken = room_for_next(order);
    fth_present_keep_call(presenter, reader, raw, &order->kept, &taken->call);
    taken->depth = raw->depth;
    taken->left_out = false;
    add(order, place);
    if (starts->open_count)
        note_starts(order, place, starts);
}

void fth_entry_order_leave_out(struct fth_entry_order *order, const struct fth_presenter *presenter,
                               const struct fth_raw_call *raw)
{
    struct fth_entry_waiting *taken = room_for_next(order);
    taken->call = (struct fth_kept_call){.start = fth_model_time(presenter->process, raw->entry)};
    taken->depth = raw->depth;
    taken->left_out = true;
    add(order, order->count);
}

/* How many calls are around a call whose place is settled: so much later it stands than the first
 * call inside it stood. */
static uint32_t level_of(const struct fth_entry_order *order, uint32_t at)
{
    return order->waiting[at].place + order->waiting[at].inside - at;
}

/* Calls around others come first, so that their places are known. From here on, depths count calls
 * that the trace has: one that never returned (the program ended in it) has none around those
 * inside of it. */
static void settle_places(struct fth_entry_order *order)
{
    if (order->count)
        order->entered = fth_present_room(order->entered, &order->entered_limit, order->count - 1,
                                          sizeof *order->entered);
    for (uint32_t at = order->count; at-- > 0;) {
        struct fth_entry_waiting *waiting = &order->waiting[at];
        bool is_inside = waiting->around != FTH_AROUND_NONE;
        waiting->place = at - waiting->inside;
        if (is_inside)
            waiting->place += level_of(order, waiting->around) + 1;
        waiting->depth = is_inside ? order->waiting[waiting->around].depth + 1 : 0;
        order->entered[waiting->place] = at;
    }
}

static void go_over_left_out(struct fth_entry_order *order)
{
    while (order->next < order->count && order->waiting[order->entered[order->next]].left_out)
        order->next++;
}

void fth_entry_order_settle(struct fth_entry_order *order, uint64_t first_number,
                            const struct fth_thread_reader *reader,
                            struct fth_thread_starts *starts, struct fth_starts *starters)
{
    order->first_number = first_number;
    settle_places(order);
    go_over_left_out(order);
    for (uint32_t i = 0; i < order->start_count; i++) {
        const struct fth_entry_starts *of = &order->starts[i];
        const struct fth_entry_waiting *call = &order->waiting[of->call];
        const struct fth_starter here = {(uint32_t)reader->thread, first_number + call->place,
                                         fth_kept_function(&call->call)};
        for (size_t k = 0; k < of->count; k++)
            fth_starts_add(starters, starts->closed[of->first + k], here);
    }
    fth_starts_forget(starts);
}

void fth_entry_order_give(struct fth_entry_order *order, struct fth_call *call)
{
    const struct fth_entry_waiting *given = &order->waiting[order->entered[order->next]];
    fth_present_kept(&order->kept, &given->call, call);
    call->number = order->first_number + order->next++;
    call->depth = given->depth;
    if (given->around != FTH_AROUND_NONE)
        call->parent = order->first_number + order->waiting[given->around].place;
    go_over_left_out(order);
}

void fth_entry_order_empty(struct fth_entry_order *order)
{
    order->count = order->outermost_count = order->start_count = order->next = 0;
    fth_kept_calls_forget(&order->kept);
}

void fth_entry_order_free(struct fth_entry_order *order)
{
    free(order->waiting);
    free(order->outermost);
    free(order->entered);
    free(order->starts);
    fth_kept_calls_free(&order->kept);
    *order = (struct fth_entry_order){0};
}

/* Order among threads, by what their calls have to do with: see the header. */
#include "repeat/what/thread_order.h"

#include "base/keyed.h"
#include "base/memory.h"
#include "base/text.h"
#include "trace/record/builtin.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 2048 };

/* A call of a thread. */
struct place {
    uint64_t steps; /* of the thread, with the call */
    int64_t end;    /* ns */
};

/* What calls have to do with: of each thread, the last call that changed it, and that used it. */
struct thing {
    struct use {
        bool has_changed, has_used;
        struct place changed, used;
    } * by_thread;
    uint32_t thread_count;
    bool is_there;   /* of a name: a call has opened or made it */
    bool is_written; /* data of it have been */
};

struct thread_state {
    bool is_repeated, has_begun;
    uint32_t slot;
    int64_t begin, end; /* of its calls that are repeated, ns */
    uint64_t *known;    /* by thread: of so many steps of it is known that they are over */
};

struct touched {
    uint32_t thing; /* number of it */
    bool changes;
};

struct fth_thread_order {
    struct fth_thread_order_listener listener;
    void *context;
    uint32_t count, others;
    struct thread_state *states;
    struct fth_keyed things;     /* of struct thing, by text */
    uint32_t *by_begin, *by_end; /* threads that are repeated, without the first one */
    uint32_t begun, over;        /* so many of these are */
    uint64_t first_steps;        /* of the first thread, so far */
    const struct fth_call *call;
    uint64_t number;
    struct touched *touched; /* by the call */
    size_t touched_count;
};

struct fth_thread_order *fth_thread_order_open(const struct fth_process *process,
                                               const struct fth_thread_order_listener *listener,
                                               void *context)
{
    if (process->thread_count < 2 || process->thread_count > MOST_THREADS)
        return NULL;
    struct fth_thread_order *order = fth_new(1, sizeof *order);
    order->listener = *listener;
    order->context = context;
    order->count = (uint32_t)process->thread_count;
    order->states = fth_new(order->count, sizeof *order->states);
    order->by_begin = fth_new(order->count, sizeof *order->by_begin);
    order->things.size = sizeof(struct thing);
    return order;
}

void fth_thread_order_close(struct fth_thread_order *order)
{
    if (!order)
        return;
    for (uint32_t i = 0; i < fth_keyed_count(&order->things); i++)
        free(((struct thing *)fth_keyed_item(&order->things, i))->by_thread);
    fth_keyed_free(&order->things);
    for (uint32_t i = 0; i < order->count; i++)
        free(order->states[i].known);
    free(order->states);
    free(order->by_begin);
    free(order->by_end);
    free(order->touched);
    free(order);
}

/* ---- the first time ---- */

void fth_thread_order_note(struct fth_thread_order *order, const struct fth_call *call)
{
    if (call->thread >= order->count) /* a damaged trace */
        return;
    struct thread_state *state = &order->states[call->thread];
    if (!state->is_repeated && call->thread) {
        order->by_begin[order->others++] = call->thread;
        state->slot = order->others;
    }
    if (!state->is_repeated)
        state->begin = call->start;
    state->is_repeated = true;
    state->end = call->end > state->end ? call->end : state->end;
}

bool fth_thread_order_repeats(const struct fth_thread_order *order, uint32_t thread)
{
    return order->states[thread].is_repeated;
}

uint32_t fth_thread_order_slot(const struct fth_thread_order *order, uint32_t thread)
{
    return order->states[thread].slot;
}

uint32_t fth_thread_order_others(const struct fth_thread_order *order)
{
    return order->others;
}

static int by_end(const void *left, const void *right, void *states)
{
    const struct thread_state *of = states, *one = &of[*(const uint32_t *)left],
                              *other = &of[*(const uint32_t *)right];
    return (one->end > other->end) - (one->end < other->end);
}

static void begin_second_time(struct fth_thread_order *order)
{
    order->by_end = fth_new(order->count, sizeof *order->by_end);
    if (order->others)
        memcpy(order->by_end, order->by_begin, order->others * sizeof *order->by_end);
    qsort_r(order->by_end, order->others, sizeof *order->by_end, by_end, order->states);
    for (uint32_t i = 0; i < order->count; i++)
        if (!i || order->states[i].is_repeated)
            order->states[i].known = fth_new(order->count, sizeof(uint64_t));
}

/* ---- where threads begin and end ---- */

/* Before this step of the first thread. */
static void begin(struct fth_thread_order *order, uint64_t before)
{
    uint32_t thread = order->by_begin[order->begun++];
    struct thread_state *state = &order->states[thread];
    order->listener.start(order->context, thread, before);
    memcpy(state->known, order->states[0].known, order->count * sizeof *state->known);
    state->known[0] = before;
    state->has_begun = true;
}

static void join(struct fth_thread_order *order, uint64_t before)
{
    uint32_t thread = order->by_end[order->over++];
    const uint64_t *of_thread = order->states[thread].known;
    uint64_t *known = order->states[0].known;
    order->listener.join(order->context, thread, before);
    for (uint32_t i = 0; i < order->count; i++)
        known[i] = of_thread[i] > known[i] ? of_thread[i] : known[i];
    known[thread] = UINT64_MAX;
}

void fth_thread_order_meanwhile(struct fth_thread_order *order, const struct fth_call *call)
{
    while (order->over < order->others &&
           order->states[order->by_end[order->over]].end <= call->start &&
           order->states[order->by_end[order->over]].has_begun)
        join(order, call->number);
}

/* Threads whose first call comes while this one of the first thread goes on begin before it. */
static void first_goes_on(struct fth_thread_order *order)
{
    while (order->begun < order->others &&
           order->states[order->by_begin[order->begun]].begin < order->call->end)
        begin(order, order->number);
    while (order->over < order->others &&
           order->states[order->by_end[order->over]].end <= order->call->start)
        join(order, order->number);
}

void fth_thread_order_end(struct fth_thread_order *order)
{
    while (order->by_end && order->over < order->others)
        join(order, UINT64_MAX);
}

/* ---- what waits for what ---- */

void fth_thread_order_call(struct fth_thread_order *order, const struct fth_call *call,
                           uint64_t number)
{
    if (!order->by_end)
        begin_second_time(order);
    order->call = NULL;
    if (call->thread >= order->count || !order->states[call->thread].is_repeated)
        return;
    order->call = call;
    order->number = number;
    order->touched_count = 0;
    while (call->thread && !order->states[call->thread].has_begun)
        begin(order, order->first_steps);
    if (!call->thread)
        first_goes_on(order);
}

static void wait_for(struct fth_thread_order *order, uint32_t thread, const struct place *of)
{
    const struct fth_call *call = order->call;
    uint64_t *known = order->states[call->thread].known;
    if (thread == call->thread || of->end > call->start || known[thread] >= of->steps)
        return;
    known[thread] = of->steps;
    order->listener.wait(order->context, call->thread, order->number, thread, of->steps);
}

/* Valid until the next one is asked for. */
static struct thing *thing_of(struct fth_thread_order *order, const char *kind, const char *name,
                              uint32_t *number)
{
    char *key = fth_text_format("%s\n%s", kind, name);
    struct thing *thing = fth_keyed_get(&order->things, key, strlen(key));
    (void)fth_keyed_number(&order->things, key, strlen(key), number);
    free(key);
    return thing;
}

static void wait_for_all(struct fth_thread_order *order, uint32_t number, bool changes)
{
    const struct thing *thing = fth_keyed_item(&order->things, number);
    for (uint32_t i = 0; i < thing->thread_count; i++) {
        const struct use *use = &thing->by_thread[i];
        if (use->has_changed)
            wait_for(order, i, &use->changed);
        if (changes && use->has_used)
            wait_for(order, i, &use->used);
    }
}

/* For those that come later. */
static void remember(struct fth_thread_order *order, uint32_t number, bool changes)
{
    FTH_GROW(order->touched, order->touched_count);
    order->touched[order->touched_count++] = (struct touched){number, changes};
}

static void touch(struct fth_thread_order *order, uint32_t number, bool changes)
{
    wait_for_all(order, number, changes);
    remember(order, number, changes);
}

void fth_thread_order_thing(struct fth_thread_order *order, const char *kind, const char *name,
                            bool changes)
{
    uint32_t number;
    if (!order->call)
        return;
    thing_of(order, kind, name, &number);
    touch(order, number, changes);
}

void fth_thread_order_done(struct fth_thread_order *order, uint64_t steps)
{
    const struct fth_call *call = order->call;
    if (!call)
        return;
    const struct place here = {steps, call->end};
    for (size_t i = 0; i < order->touched_count; i++) {
        struct thing *thing = fth_keyed_item(&order->things, order->touched[i].thing);
        thing->by_thread = fth_reach(thing->by_thread, &thing->thread_count, call->thread,
                                     sizeof *thing->by_thread);
        struct use *own = &thing->by_thread[call->thread];
        *(order->touched[i].changes ? &own->has_changed : &own->has_used) = true;
        *(order->touched[i].changes ? &own->changed : &own->used) = here;
    }
    if (!call->thread)
        order->first_steps = steps;
}

/* ---- names of files, libraries ---- */

static bool is_of(const struct fth_row *row, const char *kind)
{
    return !strcmp(row->kind, kind);
}

/* Libraries for files may not bear calls of two threads at once. */
static void take_library(struct fth_thread_order *order, const struct fth_row *row)
{
    if (!fth_layer_is(row->layer, FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS | FTH_LAYER_MESSAGES |
                                      FTH_LAYER_TOGETHER))
        fth_thread_order_thing(order, "library", row->layer, true);
}

/* The first one that opens a name may have made it; what closes it behind writes may have been what
 * others waited for. */
static bool changes_name(struct thing *thing, const struct fth_call *call,
                         const struct fth_row *row)
{
    thing->is_written |= call->writes;
    if (is_of(row, "close"))
        return thing->is_written;
    if (is_of(row, "delete") || is_of(row, "name")) {
        thing->is_there = is_of(row, "name");
        return true;
    }
    bool opens = is_of(row, "open") && !thing->is_there;
    thing->is_there |= opens;
    return opens;
}

static void take_name(struct fth_thread_order *order, const char *path, const struct fth_row *row)
{
    uint32_t number;
    if (!path || *path != '/')
        return;
    struct thing *thing = thing_of(order, "name", path, &number);
    bool changes = !order->call->error_number && changes_name(thing, order->call, row);
    touch(order, number, changes);
    const char *slash = strrchr(path, '/');
    char *folder = fth_text_part(path, (size_t)(slash - path));
    if (*folder)
        fth_thread_order_thing(order, "name", folder, false);
    free(folder);
}

/* What is read may be what others wrote; those who write wait for nobody. */
static void take_data(struct fth_thread_order *order, const char *path)
{
    uint32_t number;
    if (!path || *path != '/')
        return;
    thing_of(order, "data", path, &number);
    if (order->call->reads || order->call->copies)
        wait_for_all(order, number, false);
    if (order->call->writes || order->call->copies)
        remember(order, number, true);
}

/* What is written does not wait for its name: only what may be missing, or be in the way. */
static bool is_about_name(const struct fth_call *call, const struct fth_row *row)
{
    return (!call->reads && !call->writes) || is_of(row, "close");
}

void fth_thread_order_row(struct fth_thread_order *order, const struct fth_row *row)
{
    const struct fth_call *call = order->call;
    uint32_t number;
    if (!call)
        return;
    take_library(order, row);
    if (call->reads || call->writes || call->copies)
        take_data(order, call->file);
    if (call->copies)
        take_data(order, call->other_file);
    if (call->writes && call->file && *call->file == '/')
        thing_of(order, "name", call->file, &number)->is_written = true;
    if (!is_about_name(call, row))
        return;
    take_name(order, call->file, row);
    take_name(order, call->other_file, row);
}

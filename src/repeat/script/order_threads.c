/* Waits of threads for each other: see the header. */
#include "repeat/script/order_threads.h"

#include "repeat/what/thread_order.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- steps ---- */

static uint64_t steps_of(const struct fth_encoder *encoder, uint32_t thread)
{
    return thread < encoder->stream_limit ? encoder->streams[thread].steps : 0;
}

static void put_wait(struct fth_encoder *encoder, uint32_t by, uint32_t thread, uint64_t steps)
{
    const int64_t arguments[] = {thread, (int64_t)steps};
    const struct fth_script_op op = {.function = (uint16_t)encoder->recipes->count,
                                     .what = FTH_SCRIPT_WAIT,
                                     .count = 2,
                                     .flags = FTH_SCRIPT_SILENT};
    if (steps)
        fth_encoder_put(encoder, by, encoder->comes, &op, arguments, NULL, -1);
}

static void start(void *context, uint32_t thread, uint64_t before)
{
    struct fth_encoder *encoder = context;
    (void)before;
    fth_encoder_begin_thread(encoder, thread, encoder->comes);
}

/* All that it does is in its script. */
static void join(void *context, uint32_t thread, uint64_t before)
{
    (void)before;
    put_wait(context, 0, thread, steps_of(context, thread));
}

static void wait_for(void *context, uint32_t by, uint64_t before, uint32_t thread, uint64_t steps)
{
    (void)before;
    put_wait(context, by, thread, steps);
}

/* ---- what a call has to do with ---- */

/* Slots are used again, so that also what is made waits for what was closed. A descriptor that was
 * there before the run is opened where it is used first. */
static void take_handle(struct fth_encoder *encoder, const struct fth_call *call,
                        const struct fth_handle_use *use)
{
    const struct fth_handle *handle = use->handle;
    const char *word = handle && handle->handle_class ? handle->handle_class : NULL;
    char name[32];
    if (!word)
        return;
    bool changes =
        use->kind != FTH_HANDLE_USED || call->collective || handle->origin != FTH_HANDLE_MADE;
    snprintf(name, sizeof name, "%" PRId64, handle->value);
    fth_thread_order_thing(encoder->order, word, name, changes);
}

/* The descriptor of a stream that it asks for (fileno); the operation that it begins, or ends. */
static void take_made(struct fth_encoder *encoder, const struct fth_call *call,
                      const struct fth_recipe *recipe)
{
    char name[96];
    if (recipe->way->how == FTH_REPEAT_DESCRIPTOR && !call->error_number) {
        snprintf(name, sizeof name, "%" PRId64, call->result.integer);
        fth_thread_order_thing(encoder->order, encoder->recipes->classes[encoder->recipes->fd],
                               name, true);
    }
    for (size_t i = 0; i < recipe->row->field_count; i++) {
        const struct fth_value *value = &call->arguments[i];
        if (recipe->row->fields[i].role == FTH_ROLE_AIO && value->type == FTH_VALUE_INTEGERS &&
            value->count >= 3) {
            snprintf(name, sizeof name, "%" PRId64 " %" PRId64 " %" PRId64, value->integers[0],
                     value->integers[1], value->integers[2]);
            fth_thread_order_thing(encoder->order, "operation", name, true);
        }
        if (call->collective && value->type == FTH_VALUE_HANDLE && value->text)
            fth_thread_order_thing(encoder->order, "constant", value->text, true);
    }
}

void fth_order_threads_call(struct fth_encoder *encoder, const struct fth_call *call,
                            const struct fth_recipe *recipe)
{
    if (!encoder->order)
        return;
    encoder->comes = call->start;
    fth_thread_order_call(encoder->order, call, steps_of(encoder, call->thread));
    for (size_t i = 0; i < call->use_count; i++)
        take_handle(encoder, call, &call->uses[i]);
    if (!recipe->row)
        return;
    take_made(encoder, call, recipe);
    fth_thread_order_row(encoder->order, recipe->row);
}

void fth_order_threads_done(struct fth_encoder *encoder, const struct fth_call *call)
{
    if (encoder->order)
        fth_thread_order_done(encoder->order, steps_of(encoder, call->thread));
}

/* ---- all ---- */

struct fth_recipe *fth_order_threads_recipe(const struct fth_encoder *encoder,
                                            const struct fth_call *call,
                                            const struct fth_repeat_way *way)
{
    return way && way->how != FTH_REPEAT_NOTHING ? fth_recipe_of(encoder->recipes, call->function)
                                                 : NULL;
}

int fth_order_threads_open(struct fth_encoder *encoder, struct fth_error **error)
{
    static const struct fth_thread_order_listener listener = {start, join, wait_for};
    struct fth_repeat_outer outer = {0};
    struct fth_call call;
    int more;
    encoder->order =
        fth_thread_order_open(fth_trace_process(encoder->trace, encoder->proc), &listener, encoder);
    if (!encoder->order)
        return 0;
    struct fth_calls *calls = fth_calls_open(encoder->trace, encoder->proc, error);
    if (!calls)
        return -1;
    while ((more = fth_calls_next(calls, &call, error)) > 0)
        if (fth_order_threads_recipe(encoder, &call,
                                     fth_repeat_outermost(&outer, encoder->ways, &call)))
            fth_thread_order_note(encoder->order, &call);
    fth_repeat_outer_free(&outer);
    fth_calls_close(calls);
    return more;
}

void fth_order_threads_close(struct fth_encoder *encoder)
{
    fth_thread_order_close(encoder->order);
    encoder->order = NULL;
}

/* A first time through the calls, which keeps those that moved less than they asked for. Begins and
 * ends find one another as they do in the sums of the trace (trace/merge/aio.h). */
#include "model/calls/completed.h"

#include "base/intern.h"
#include "base/memory.h"
#include "trace/merge/aio.h"

struct key {
    uint64_t thread, number;
    uint64_t block; /* of those that the call starts; 0 if it starts one */
};

struct fth_completed {
    struct fth_intern keys; /* struct key */
    uint64_t *moved;        /* bytes, by numbers of keys */
    uint32_t limit;
};

static const struct fth_meaning *meaning_of(const struct fth_trace *trace,
                                            const struct fth_function *function)
{
    return &trace->meanings[function - trace->functions];
}

static bool has_any(const struct fth_trace *trace, const struct fth_share *shares, size_t count)
{
    bool begins = false, ends = false;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < shares[i].stored.sum_count; k++) {
            const struct fth_meaning *meaning = &trace->meanings[shares[i].stored.sums[k].function];
            begins = begins || meaning->aio == FTH_AIO_BEGINS;
            ends = ends || meaning->aio == FTH_AIO_ENDS;
        }
    return begins && ends;
}

/* `owner`: the block of the call is in its `sum`. */
static void keep(struct fth_completed *completed, const struct fth_aio_owner *owner, uint64_t bytes)
{
    enum { MOST = 1 << 20 };
    const struct key key = {owner->thread, owner->number, owner->sum};
    if ((!owner->reads && !owner->writes) || /* a sync */
        completed->keys.count >= MOST)
        return;
    uint32_t number = fth_intern(&completed->keys, &key, sizeof key);
    completed->moved =
        fth_reach(completed->moved, &completed->limit, number, sizeof *completed->moved);
    completed->moved[number] = bytes;
}

/* In a list each block may be of another file: those of a descriptor follow one another, whatever
 * the file. */
static void begin_blocks(struct fth_completed *completed, struct fth_aio *aio,
                         const struct fth_call *call)
{
    uint64_t moved;
    for (size_t i = 0; i < call->block_count; i++) {
        const struct fth_control_block *one = &call->blocks[i];
        const struct fth_aio_block block = {one->descriptor, (int64_t)one->offset,
                                            (int64_t)one->bytes_asked, 0};
        const struct fth_aio_owner owner = {call->thread, call->number, (uint32_t)i, 0,
                                            !one->writes, one->writes};
        if (fth_aio_begin(aio, &block, (uint64_t)call->end, &owner, &moved))
            keep(completed, &owner, moved);
    }
}

static void follow(struct fth_completed *completed, struct fth_aio *aio,
                   const struct fth_meaning *meaning, const struct fth_call *call)
{
    int field = fth_field_with_role(meaning->row, FTH_ROLE_AIO);
    const struct fth_value *value = field >= 0 ? &call->arguments[field] : NULL;
    struct fth_aio_owner owner = {call->thread, call->number, 0, 0, call->reads, call->writes};
    bool failed = call->error_number != 0, is_known = false;
    uint64_t moved, end = (uint64_t)call->end,
                    said = failed || call->result.integer < 0 ? 0 : (uint64_t)call->result.integer;
    if (!value || value->type != FTH_VALUE_INTEGERS || value->count < 3)
        return;
    const struct fth_aio_block block = {value->integers[0], value->integers[1], value->integers[2],
                                        0};
    if (meaning->aio == FTH_AIO_ENDS)
        is_known = fth_aio_end(aio, &block, end, said, &owner, &moved);
    else if (!failed)
        is_known = fth_aio_begin(aio, &block, end, &owner, &moved);
    if (is_known)
        keep(completed, &owner, moved);
}

struct fth_completed *fth_completed_find(struct fth_trace *trace, size_t proc,
                                         const struct fth_share *shares, size_t count)
{
    struct fth_error *error = NULL;
    struct fth_call call;
    if (!has_any(trace, shares, count))
        return NULL;
    struct fth_calls *calls = fth_calls_as_asked(trace, proc, &error);
    struct fth_completed *completed = fth_new(1, sizeof *completed);
    struct fth_aio aio = {0};
    while (calls && fth_calls_next(calls, &call, &error) > 0) {
        const struct fth_meaning *meaning = meaning_of(trace, call.function);
        if (call.block_count)
            begin_blocks(completed, &aio, &call);
        else if (meaning->aio)
            follow(completed, &aio, meaning, &call);
    }
    fth_error_free(error);
    fth_calls_close(calls);
    fth_aio_free(&aio);
    return completed;
}

void fth_completed_put(const struct fth_completed *completed, struct fth_call *call,
                       struct fth_control_block *blocks)
{
    struct key key = {call->thread, call->number, 0};
    uint32_t number;
    for (; key.block < call->block_count; key.block++)
        if (fth_intern_find(&completed->keys, &key, sizeof key, &number))
            blocks[key.block].bytes = completed->moved[number];
    key.block = 0;
    if ((call->reads || call->writes) && call->function->starts &&
        fth_intern_find(&completed->keys, &key, sizeof key, &number))
        call->bytes = completed->moved[number];
}

void fth_completed_free(struct fth_completed *completed)
{
    if (!completed)
        return;
    fth_intern_free(&completed->keys);
    free(completed->moved);
    free(completed);
}

/* Children in scripts: see the header. */
#include "repeat/script/encode_children.h"

#include "repeat/script/pipe_wires.h"

/* What they do is no call of its own. */
static void put(struct fth_encoder *encoder, enum fth_script_what what, uint32_t thread,
                int64_t start, size_t child)
{
    const struct fth_script_op op = {.function = (uint16_t)encoder->recipes->count,
                                     .what = (uint8_t)what,
                                     .count = 1,
                                     .flags = FTH_SCRIPT_SILENT};
    const int64_t argument = (int64_t)child;
    fth_encoder_put(encoder, thread, start, &op, &argument, NULL, -1);
}

static void put_child(struct fth_encoder *encoder, uint32_t thread, int64_t start,
                      const struct fth_repeat_child *child)
{
    if (child->begins) {
        fth_alive_copy(&encoder->alive[child->proc], &encoder->now);
        fth_pipe_wires_fork(encoder, child->proc);
        put(encoder, FTH_SCRIPT_FORK, thread, start, child->proc);
    }
    if (child->ends)
        put(encoder, FTH_SCRIPT_REAP, thread, start, child->proc);
}

void fth_encode_children_made(struct fth_encoder *encoder, struct fth_repeat_children *children,
                              const struct fth_call *call)
{
    struct fth_repeat_child child;
    if (fth_repeat_child_made(children, call, &child))
        put_child(encoder, call->thread, call->start, &child);
}

void fth_encode_children_reaped(struct fth_encoder *encoder, struct fth_repeat_children *children,
                                const struct fth_call *call)
{
    struct fth_repeat_child child;
    if (fth_repeat_child_reaped(children, call, &child))
        put_child(encoder, call->thread, call->start, &child);
}

void fth_encode_children_until(struct fth_encoder *encoder, struct fth_repeat_children *children,
                               int64_t time)
{
    struct fth_repeat_child child;
    while (fth_repeat_child_until(children, time, &child))
        put_child(encoder, children->thread, fth_trace_process(encoder->trace, child.proc)->start,
                  &child);
}

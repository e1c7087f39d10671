/* Which end of which pipe a descriptor is: see the header. */
#include "repeat/script/pipe_wires.h"

#include "base/memory.h"
#include "repeat/what/children.h"
#include "repeat/what/whole_pipes.h"
#include "repeat/what/played.h"

#include <string.h>

enum { FIRST_OF_PROGRAM = 3 /* descriptors below it are standard ones */ };

/* Where the ends of a pipe are, in the process that made it and in its children. */
struct fth_pipe_slots {
    int64_t ends[2]; /* descriptor + 1: to read, to write */
};

void fth_pipe_wires_made(struct fth_encoder *encoder, const struct fth_call *call)
{
    const struct fth_pipes *pipes = fth_repeat_places_pipes(encoder->places);
    if (strcmp(call->function->kind, "pipe") != 0 || call->error_number)
        return;
    struct fth_pipe_slots slots = {{0, 0}};
    int64_t pipe = -1;
    for (size_t i = 0, side = 0; i < call->use_count && side < 2; i++) {
        if (call->uses[i].kind != FTH_HANDLE_OPENED)
            continue;
        int64_t known = fth_pipes_of_handle(pipes, call->uses[i].handle);
        pipe = known >= 0 ? known : pipe;
        int64_t descriptor = call->uses[i].handle->value;
        slots.ends[side++] = descriptor >= 0 && descriptor < FTH_MOST_SLOTS ? descriptor + 1 : 0;
    }
    if (pipe < 0)
        return;
    uint32_t number = (uint32_t)pipe;
    *(struct fth_pipe_slots *)fth_keyed_get(&encoder->pipe_slots, &number, sizeof number) = slots;
}

static const struct fth_pipe_wire *find_wire(const struct fth_encoder *encoder, size_t child,
                                             int64_t to)
{
    for (size_t i = encoder->wire_count; i-- > 0;)
        if (encoder->wires[i].child == child && encoder->wires[i].to == to)
            return &encoder->wires[i];
    return NULL;
}

/* A shell passes on what it does not use itself. */
static bool is_passed_on(const struct fth_encoder *encoder, size_t child,
                         const struct fth_pipe_handle *handle)
{
    size_t proc = (size_t)handle->proc, steps = fth_trace_process_count(encoder->trace);
    while (proc != child && steps--) {
        int64_t parent = fth_trace_process(encoder->trace, proc)->parent_proc;
        if (parent < 0)
            return false;
        proc = (size_t)parent;
    }
    return proc == child && (handle->proc == child || handle->number <= 2);
}

/* Is this process the other one, or one that came from it? */
static bool comes_from(const struct fth_encoder *encoder, size_t proc, size_t other)
{
    size_t steps = fth_trace_process_count(encoder->trace);
    for (int64_t at = (int64_t)proc; at >= 0 && steps--;
         at = fth_trace_process(encoder->trace, (size_t)at)->parent_proc)
        if (at == (int64_t)other)
            return true;
    return false;
}

static const struct fth_moved_end *find_moved(const struct fth_encoder *encoder, uint32_t pipe,
                                              int64_t to)
{
    for (size_t i = encoder->moved_count; i-- > 0;)
        if (encoder->moved[i].pipe == pipe && encoder->moved[i].to == to &&
            comes_from(encoder, encoder->proc, encoder->moved[i].proc))
            return &encoder->moved[i];
    return NULL;
}

void fth_pipe_wires_copied(struct fth_encoder *encoder, const struct fth_call *call, int64_t from,
                           int64_t to)
{
    const struct fth_pipes *pipes = fth_repeat_places_pipes(encoder->places);
    uint32_t pipe, at;
    if (!call->file || !fth_keyed_number(&pipes->bytes, call->file, strlen(call->file), &pipe) ||
        !fth_keyed_number(&encoder->pipe_slots, &pipe, sizeof pipe, &at))
        return;
    const struct fth_pipe_slots *slots = fth_keyed_item(&encoder->pipe_slots, at);
    const struct fth_moved_end *before = find_moved(encoder, pipe, from);
    bool reads = slots->ends[0] - 1 == from, writes = slots->ends[1] - 1 == from;
    if (!before && !reads && !writes)
        return;
    FTH_GROW(encoder->moved, encoder->moved_count);
    encoder->moved[encoder->moved_count++] =
        (struct fth_moved_end){encoder->proc, to, pipe, before ? before->writes : writes};
}

/* Where a copy of this end is; -1: nowhere. */
static int64_t moved_end(const struct fth_encoder *encoder,
                         const struct fth_inherited_pipe *inherited)
{
    for (size_t i = encoder->moved_count; i-- > 0;) {
        const struct fth_moved_end *moved = &encoder->moved[i];
        if (moved->pipe == inherited->pipe && moved->writes == inherited->writes &&
            comes_from(encoder, encoder->proc, moved->proc) &&
            fth_alive_has(&encoder->now, encoder->recipes->fd, moved->to))
            return moved->to;
    }
    return -1;
}

/* Where the parent has this end; -1: it does not. */
static int64_t end_in_parent(const struct fth_encoder *encoder,
                             const struct fth_inherited_pipe *inherited)
{
    uint32_t at;
    const struct fth_pipe_slots *slots =
        fth_keyed_number(&encoder->pipe_slots, &inherited->pipe, sizeof inherited->pipe, &at)
            ? fth_keyed_item(&encoder->pipe_slots, at)
            : NULL;
    int64_t from = slots ? slots->ends[inherited->writes] - 1 : -1;
    return fth_alive_has(&encoder->now, encoder->recipes->fd, from) ? from
                                                                    : moved_end(encoder, inherited);
}

static void add_wire(struct fth_encoder *encoder, size_t child, int64_t to,
                     const struct fth_inherited_pipe *inherited)
{
    const struct fth_pipe_wire *own = find_wire(encoder, encoder->proc, to);
    bool is_there = own && own->pipe == inherited->pipe && own->from >= 0;
    if (find_wire(encoder, child, to))
        return;
    FTH_GROW(encoder->wires, encoder->wire_count);
    encoder->wires[encoder->wire_count++] = (struct fth_pipe_wire){
        child, is_there ? to : end_in_parent(encoder, inherited), to, inherited->pipe};
}

void fth_pipe_wires_fork(struct fth_encoder *encoder, size_t child)
{
    const struct fth_pipes *pipes = fth_repeat_places_pipes(encoder->places);
    const struct fth_process *parent = fth_trace_process(encoder->trace, encoder->proc);
    if (!fth_repeat_is_other_program(parent, fth_trace_process(encoder->trace, child)))
        return;
    for (uint32_t i = 0; i < fth_keyed_count(&pipes->inherited); i++) {
        const struct fth_pipe_handle *handle = fth_keyed_key(&pipes->inherited, i);
        if (is_passed_on(encoder, child, handle))
            add_wire(encoder, child, (int64_t)handle->number, fth_keyed_item(&pipes->inherited, i));
    }
}

static void put(struct fth_encoder *encoder, enum fth_script_what what, const int64_t *arguments,
                uint8_t count)
{
    const struct fth_script_op op = {.function = (uint16_t)encoder->recipes->count,
                                     .what = (uint8_t)what,
                                     .count = count,
                                     .flags = FTH_SCRIPT_SILENT};
    int64_t start = fth_trace_process(encoder->trace, encoder->proc)->start;
    fth_encoder_put(encoder, 0, start, &op, arguments, NULL, -1);
}

void fth_pipe_wires_begin(struct fth_encoder *encoder)
{
    const struct fth_process *process = fth_trace_process(encoder->trace, encoder->proc);
    if (fth_repeat_is_root(encoder->trace, encoder->proc) || process->parent_proc < 0 ||
        fth_repeat_is_image_of(encoder->trace, encoder->proc, (size_t)process->parent_proc) ||
        !fth_repeat_is_other_program(
            fth_trace_process(encoder->trace, (size_t)process->parent_proc), process))
        return;
    unsigned fd = encoder->recipes->fd;
    fth_alive_keep_descriptors(encoder, &encoder->now);
    struct fth_alive before = {0};
    fth_alive_copy(&before, &encoder->now);
    for (int64_t i = FIRST_OF_PROGRAM; i < encoder->now.limits[fd]; i++)
        encoder->now.slots[fd][i] = FTH_ALIVE_NEVER;
    for (size_t i = 0; i < encoder->wire_count; i++) {
        const struct fth_pipe_wire *wire = &encoder->wires[i];
        const int64_t copy[] = {wire->from, wire->to, fth_alive_has(&before, fd, wire->to)};
        if (wire->child != encoder->proc || wire->from == wire->to)
            continue;
        if (wire->from >= 0 && fth_alive_set(encoder, fd, wire->to, true))
            put(encoder, FTH_SCRIPT_COPY, copy, 3);
        else /* what goes there is none of the parent's */
            (void)fth_alive_set(encoder, fd, wire->to, false);
    }
    const int64_t none = 0;
    fth_alive_free(&before);
    put(encoder, FTH_SCRIPT_EXEC, &none, 0);
}

void fth_pipe_wires_free(struct fth_encoder *encoder)
{
    fth_keyed_free(&encoder->pipe_slots);
    free(encoder->wires);
    free(encoder->moved);
}

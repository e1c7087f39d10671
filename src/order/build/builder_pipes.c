/* Pipes, FIFOs and pairs of sockets: which calls write how many bytes into them, and which read how
 * many out of them. */
#include "base/intern.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/reading/trace_functions.h"
#include "order/build/builder.h"
#include "order/build/known_files.h"

#include <errno.h>
#include <string.h>

enum {
    MOST_PIPES = 1 << 20,
    IS_NONE = 1, /* of fth_builder_end.pipe */
    FIRST = 2,
    SOCKET_TYPE = 15,
    OF_DATAGRAMS = 2,
    OF_PACKETS = 5,
    MOST_OF_PACKET = 4096, /* PIPE_BUF: what is longer becomes several packets (pipe(2)) */
};

/* ---- which pipe ---- */

/* One that was opened by the path of a descriptor is known by what the system calls it. */
static const char *name_of(const struct fth_handle *handle)
{
    const char *real = handle->identity.path;
    return real && fth_text_begins(real, "pipe:[") ? real : handle->path;
}

static uint32_t pipe_of(struct fth_order_builder *builder, const struct fth_handle *handle)
{
    struct fth_order_operations *operations = builder->operations;
    if (operations->pipes.count == MOST_PIPES)
        return IS_NONE;
    const char *name = name_of(handle);
    uint32_t number = fth_intern(&builder->pipes.names, name, strlen(name) + 1);
    if (number < operations->pipes.count)
        return number + FIRST;
    FTH_GROW(operations->pipes.all, operations->pipes.count);
    operations->pipes.all[operations->pipes.count] =
        (struct fth_order_pipe){.name = fth_text_copy(name),
                                .value = handle->origin == FTH_HANDLE_THERE ? handle->value : -1};
    return operations->pipes.count++ + FIRST;
}

bool fth_order_is_fifo(const struct fth_order_builder *builder, const char *path)
{
    return fth_known_files_find(&builder->known_files->fifos, path) != NULL;
}

static bool is_pipe(const struct fth_order_builder *builder, const char *path)
{
    return fth_text_begins(path, "pipe:[") || fth_text_begins(path, "socket:[") ||
           fth_order_is_fifo(builder, path);
}

/* NULL: too many handles. What a descriptor is is known with the first call on it. */
static struct fth_builder_end *end_of(struct fth_order_builder *builder,
                                      const struct fth_handle *handle)
{
    if (!handle || handle->number >= FTH_BUILDER_MOST_HANDLES)
        return NULL;
    builder->pipes.ends = fth_reach(builder->pipes.ends, &builder->pipes.end_room,
                                    (uint32_t)handle->number, sizeof *builder->pipes.ends);
    struct fth_builder_end *end = &builder->pipes.ends[handle->number];
    if (end->pipe || !handle->path)
        return end;
    end->pipe = is_pipe(builder, name_of(handle)) ? pipe_of(builder, handle) : IS_NONE;
    end->is_socket = fth_text_begins(handle->path, "socket:[");
    if (end->pipe >= FIRST && end->creation)
        builder->operations->pipes.creations[end->creation - 1].names[end->side] =
            builder->operations->pipes.all[end->pipe - FIRST].name;
    return end;
}

static const struct fth_handle *handle_at(const struct fth_call *call, int parameter)
{
    for (size_t i = 0; parameter >= 0 && i < call->use_count; i++)
        if (call->uses[i].parameter == parameter)
            return call->uses[i].handle;
    return NULL;
}

/* Each write to a pipe with O_DIRECT becomes a packet (pipe(2)). */
static bool has_packets(const struct fth_handle *handle)
{
    return (handle->status_flags & FTH_AVOID_CACHING) != 0;
}

/* ---- how pipes are made ---- */

void fth_builder_make_pipe(struct fth_order_builder *builder,
                           const struct fth_order_semantics *semantics)
{
    struct fth_order_operations *operations = builder->operations;
    const struct fth_call *call = builder->call;
    int64_t type = fth_builder_integer(builder, semantics->socket.type, 0) & SOCKET_TYPE;
    struct fth_order_pipe_creation creation = {.time = call->start,
                                               .values = {-1, -1},
                                               .packets =
                                                   type == OF_DATAGRAMS || type == OF_PACKETS};
    if (operations->pipes.creation_count == MOST_PIPES)
        return;
    uint8_t side = 0;
    for (size_t i = 0; i < call->use_count && side < 2; i++) {
        if (call->uses[i].kind != FTH_HANDLE_OPENED)
            continue;
        struct fth_builder_end *end = end_of(builder, call->uses[i].handle);
        if (!end)
            return;
        end->creation = operations->pipes.creation_count + 1;
        end->side = side;
        creation.packets |= !end->is_socket && has_packets(call->uses[i].handle);
        creation.values[side++] = call->uses[i].handle->value;
    }
    FTH_GROW(operations->pipes.creations, operations->pipes.creation_count);
    operations->pipes.creations[operations->pipes.creation_count++] = creation;
}

void fth_builder_set_packets(struct fth_order_builder *builder)
{
    const struct fth_handle *handle = builder->call->handle;
    const struct fth_builder_end *end = end_of(builder, handle);
    if (!end || end->pipe < FIRST || end->is_socket)
        return;
    struct fth_order_pipe *pipe = &builder->operations->pipes.all[end->pipe - FIRST];
    pipe->packets_set |= has_packets(handle);
    pipe->packets_unset |= !has_packets(handle);
}

/* ---- transfers ---- */

bool fth_builder_transfers(struct fth_order_builder *builder,
                           const struct fth_order_semantics *semantics)
{
    int64_t error = builder->call->error_number;
    bool tells = !error || error == EPIPE || (error == ECONNRESET && builder->possible.watches);
    for (int i = 0; i < 2 && (tells || error == EAGAIN); i++) {
        struct fth_builder_end *end =
            end_of(builder, handle_at(builder->call, semantics->transfer.descriptors[i]));
        if (!end || end->pipe < FIRST)
            continue;
        end->was_refused |= error == EAGAIN;
        if (tells)
            return true;
    }
    return false;
}

static void add_transfer(struct fth_order_builder *builder, struct fth_order_transfer transfer)
{
    struct fth_order_operations *operations = builder->operations;
    FTH_GROW(operations->pipes.transfers, operations->pipes.transfer_count);
    operations->pipes.transfers[operations->pipes.transfer_count++] = transfer;
}

/* What is reported later says more. */
static void note_connection(struct fth_order_builder *builder, const struct fth_builder_end *end,
                            const struct fth_handle *handle)
{
    const char *reported = handle->identity.path;
    struct fth_order_pipe *pipe = &builder->operations->pipes.all[end->pipe - FIRST];
    if (!end->is_socket || !reported ||
        (pipe->connection && strcmp(pipe->connection, reported) == 0))
        return;
    free(pipe->connection);
    pipe->connection = fth_text_copy(reported);
}

/* Of several messages at once the bytes of all. */
static int64_t moved_by(const struct fth_order_builder *builder,
                        const struct fth_order_semantics *semantics)
{
    const struct fth_value *result = &builder->call->result;
    if (semantics->transfer.carried >= 0)
        return fth_builder_integer(builder, semantics->transfer.carried, -1);
    return result->type == FTH_VALUE_INTEGER ? result->integer : 0;
}

static bool asked_for_nothing(const struct fth_order_builder *builder,
                              const struct fth_order_semantics *semantics)
{
    if (semantics->transfer.carried >= 0)
        return builder->call->result.integer == 0;
    return builder->call->bytes_asked == 0;
}

static const struct fth_handle *handle_of(const struct fth_order_builder *builder,
                                          const struct fth_order_semantics *semantics, int side)
{
    return handle_at(builder->call, semantics->transfer.descriptors[side]);
}

/* vmsplice gives memory to a pipe that can be written to, and takes it out of another one. */
static bool is_written(const struct fth_order_semantics *semantics, int side,
                       const struct fth_builder_end *end, const struct fth_handle *handle)
{
    bool writes = (side == 0) == semantics->transfer.gives;
    bool reads_only =
        end->creation ? end->side == 0 && !end->is_socket : handle->access == FTH_ACCESS_READ;
    return writes && !reads_only;
}

/* Does it matter that it moved nothing? It may be a message without bytes, or the end. */
static bool moved_something(const struct fth_order_builder *builder,
                            const struct fth_order_semantics *semantics,
                            const struct fth_builder_end *end, bool writes, int64_t moved)
{
    bool asked = !asked_for_nothing(builder, semantics);
    if (builder->call->error_number)
        return writes;
    return moved > 0 || (moved == 0 && (end->is_socket || (!writes && asked)));
}

static bool splices(const struct fth_function *function)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (strcmp(function->parameters[i].role, "flags splice") == 0)
            return true;
    return false;
}

/* Of a pipe with packets: may it be about more than one of them, or about a part of one? */
static bool is_of_several(const struct fth_order_builder *builder,
                          const struct fth_order_semantics *semantics, bool writes, int64_t moved)
{
    const int *ends = semantics->transfer.descriptors;
    return (ends[0] >= 0 && ends[1] >= 0) || splices(builder->call->function) ||
           (writes && moved > MOST_OF_PACKET);
}

static struct fth_order_transfer transfer_of(const struct fth_order_builder *builder,
                                             const struct fth_order_semantics *semantics,
                                             bool is_socket, bool writes, int64_t moved)
{
    enum { URGENT = 1, PEEKS = 2, ERRORS = 0x2000 }; /* MSG_OOB, MSG_PEEK, MSG_ERRQUEUE */
    const struct fth_call *call = builder->call;
    int64_t flags = fth_builder_integer(builder, semantics->transfer.message_flags, 0);
    bool looks = semantics->transfer.looks || (flags & PEEKS);
    bool ends = moved == 0 && !asked_for_nothing(builder, semantics);
    return (struct fth_order_transfer){
        .bytes = (uint64_t)moved,
        .start = call->start,
        .end = call->end,
        .kind = call->error_number ? FTH_TRANSFER_BROKEN
                : writes           ? FTH_TRANSFER_WRITE
                : ends             ? FTH_TRANSFER_END
                : looks            ? FTH_TRANSFER_LOOK
                                   : FTH_TRANSFER_READ,
        .of_library = builder->threads[builder->thread].in_library,
        .several = (semantics->transfer.carried >= 0 && call->result.integer > 1) ||
                   (!is_socket && is_of_several(builder, semantics, writes, moved)),
        .urgent = (flags & (URGENT | ERRORS)) != 0,
    };
}

/* What a call moves from one pipe to another one it has taken before it gives it: between the two
 * there is an event. */
void fth_builder_transfer(struct fth_order_builder *builder,
                          const struct fth_order_semantics *semantics, struct fth_event begin)
{
    struct fth_order_operations *operations = builder->operations;
    int64_t moved = moved_by(builder, semantics);
    int first = semantics->transfer.gives ? 1 : 0; /* the side that is read */
    uint32_t operation = FTH_NO_OPERATION;
    bool found_ready = builder->call->error_number == ECONNRESET;
    for (int i = 0; i < 2 && !found_ready; i++) {
        int side = i == 0 ? first : 1 - first;
        const struct fth_handle *handle = handle_of(builder, semantics, side);
        struct fth_builder_end *end = end_of(builder, handle);
        if (!end || end->pipe < FIRST)
            continue;
        bool writes = is_written(semantics, side, end, handle);
        if (!moved_something(builder, semantics, end, writes, moved))
            continue;
        note_connection(builder, end, handle);
        if (operation != FTH_NO_OPERATION) {
            begin = fth_builder_next_event(builder, builder->thread);
            struct fth_order_operation *last = fth_order_operation_to_change(operations, operation);
            last->end = begin;
            last->flags |= FTH_SYNC_COMPLETED;
        }
        operation = fth_order_operations_add(
            operations, fth_builder_operation(builder, semantics, FTH_SYNC_PIPE, begin));
        struct fth_order_transfer transfer =
            transfer_of(builder, semantics, end->is_socket, writes, moved);
        transfer.pipe = end->pipe - FIRST;
        transfer.operation = operation;
        add_transfer(builder, transfer);
        found_ready |= end->was_refused && writes; /* there was no room before */
        end->was_refused = false;
    }
    if (operation != FTH_NO_OPERATION)
        fth_builder_complete(builder, operation);
    if (found_ready && builder->possible.watches)
        fth_builder_readiness(builder, semantics, begin);
}

bool fth_builder_asks_bytes(struct fth_order_builder *builder,
                            const struct fth_order_semantics *semantics)
{
    const struct fth_call *call = builder->call;
    const struct fth_builder_end *end = call->error_number ? NULL : end_of(builder, call->handle);
    const char *command = end && end->pipe >= FIRST && semantics->command >= 0
                              ? fth_command_of(builder->trace, call)
                              : NULL;
    return command && (strcmp(command, "FIONREAD") == 0 ||
                       (strcmp(command, "TIOCOUTQ") == 0 && builder->possible.watches));
}

void fth_builder_look(struct fth_order_builder *builder,
                      const struct fth_order_semantics *semantics, struct fth_event begin)
{
    if (strcmp(fth_command_of(builder->trace, builder->call), "TIOCOUTQ") == 0) {
        fth_builder_readiness(builder, semantics, begin); /* what others have not read yet */
        return;
    }
    uint32_t operation = fth_order_operations_add(
        builder->operations, fth_builder_operation(builder, semantics, FTH_SYNC_PIPE, begin));
    fth_builder_complete(builder, operation);
    add_transfer(builder, (struct fth_order_transfer){
                              .start = builder->call->start,
                              .end = builder->call->end,
                              .pipe = end_of(builder, builder->call->handle)->pipe - FIRST,
                              .operation = operation,
                              .kind = FTH_TRANSFER_LOOK});
}

bool fth_builder_is_socket(struct fth_order_builder *builder)
{
    const struct fth_builder_end *end = end_of(builder, builder->call->handle);
    return end && end->pipe >= FIRST && end->is_socket;
}

void fth_builder_shut(struct fth_order_builder *builder,
                      const struct fth_order_semantics *semantics, struct fth_event begin)
{
    enum { OF_READING, OF_WRITING }; /* SHUT_RD, SHUT_WR; SHUT_RDWR is both */
    const struct fth_call *call = builder->call;
    int64_t how = fth_builder_integer(builder, semantics->socket.how, OF_READING);
    uint32_t operation = fth_order_operations_add(
        builder->operations, fth_builder_operation(builder, semantics, FTH_SYNC_PIPE, begin));
    fth_builder_complete(builder, operation);
    struct fth_order_transfer transfer = {.start = call->start,
                                          .end = call->end,
                                          .pipe = end_of(builder, call->handle)->pipe - FIRST,
                                          .operation = operation};
    transfer.kind = FTH_TRANSFER_SHUT;
    if (how != OF_READING)
        add_transfer(builder, transfer);
    transfer.kind = FTH_TRANSFER_DEAF;
    if (how != OF_WRITING)
        add_transfer(builder, transfer);
}

/* ---- ends ---- */

const struct fth_builder_end *fth_builder_end_of(struct fth_order_builder *builder,
                                                 const struct fth_handle *handle, const char **name)
{
    const struct fth_builder_end *end = end_of(builder, handle);
    bool is_known = end && end->pipe >= FIRST;
    *name = is_known ? builder->operations->pipes.all[end->pipe - FIRST].name : NULL;
    return is_known || (end && end->creation) ? end : NULL;
}

/* Pipes, FIFOs and pairs of sockets: which calls write how many bytes into them, and which read how
 * many out of them. */
#include "base/intern.h"
#include "base/memory.h"
#include "order/build/feeder.h"
#include "order/build/fifos.h"

#include <string.h>

enum {
    MOST_HANDLES = 1 << 24,
    MOST_PIPES = 1 << 20,
    IS_NONE = 1, /* of fth_feeder_end.pipe */
    FIRST = 2,
    SOCKET_TYPE = 15,
    OF_DATAGRAMS = 2,
    OF_PACKETS = 5,
};

/* ---- which pipe ---- */

static bool begins_with(const char *text, const char *beginning)
{
    return text && strncmp(text, beginning, strlen(beginning)) == 0;
}

static uint32_t pipe_of(struct fth_order_feeder *feeder, const struct fth_handle *handle)
{
    struct fth_order_deeds *deeds = feeder->deeds;
    if (deeds->pipe_count == MOST_PIPES)
        return IS_NONE;
    uint32_t number = fth_intern(&feeder->pipe_names, handle->path, strlen(handle->path) + 1);
    if (number < deeds->pipe_count)
        return number + FIRST;
    FTH_GROW(deeds->pipes, deeds->pipe_count);
    deeds->pipes[deeds->pipe_count] =
        (struct fth_order_pipe){.name = strdup(handle->path),
                                .value = handle->origin == FTH_HANDLE_THERE ? handle->value : -1};
    return deeds->pipe_count++ + FIRST;
}

bool fth_order_is_fifo(const struct fth_order_feeder *feeder, const char *path)
{
    return fth_order_fifos_have(feeder->fifos, path);
}

static bool is_pipe(const struct fth_order_feeder *feeder, const char *path)
{
    return begins_with(path, "pipe:[") || begins_with(path, "socket:[") ||
           fth_order_is_fifo(feeder, path);
}

/* NULL: too many handles. What a descriptor is is known with the first call on it. */
static struct fth_feeder_end *end_of(struct fth_order_feeder *feeder,
                                     const struct fth_handle *handle)
{
    if (!handle || handle->number >= MOST_HANDLES)
        return NULL;
    feeder->ends =
        fth_reach(feeder->ends, &feeder->end_room, (uint32_t)handle->number, sizeof *feeder->ends);
    struct fth_feeder_end *end = &feeder->ends[handle->number];
    if (end->pipe || !handle->path)
        return end;
    end->pipe = is_pipe(feeder, handle->path) ? pipe_of(feeder, handle) : IS_NONE;
    end->is_socket = begins_with(handle->path, "socket:[");
    end->writes |= end->is_socket;
    if (end->pipe >= FIRST && end->making)
        feeder->deeds->pipe_makings[end->making - 1].names[end->side] =
            feeder->deeds->pipes[end->pipe - FIRST].name;
    return end;
}

static const struct fth_handle *handle_at(const struct fth_call *call, int parameter)
{
    for (size_t i = 0; parameter >= 0 && i < call->use_count; i++)
        if (call->uses[i].parameter == parameter)
            return call->uses[i].handle;
    return NULL;
}

/* ---- how pipes are made ---- */

void fth_feeder_make_pipe(struct fth_order_feeder *feeder, const struct fth_order_sense *sense)
{
    struct fth_order_deeds *deeds = feeder->deeds;
    const struct fth_call *call = feeder->call;
    int64_t type = fth_feeder_integer(feeder, sense->socket_type, 0) & SOCKET_TYPE;
    struct fth_order_pipe_making making = {.time = call->start,
                                           .values = {-1, -1},
                                           .packets = type == OF_DATAGRAMS || type == OF_PACKETS};
    if (deeds->pipe_making_count == MOST_PIPES)
        return;
    uint8_t side = 0;
    for (size_t i = 0; i < call->use_count && side < 2; i++) {
        if (call->uses[i].deed != FTH_HANDLE_OPENED)
            continue;
        struct fth_feeder_end *end = end_of(feeder, call->uses[i].handle);
        if (!end)
            return;
        end->making = deeds->pipe_making_count + 1;
        end->side = side;
        end->writes = side == 1 || sense->socket_type >= 0;
        making.values[side++] = call->uses[i].handle->value;
    }
    FTH_GROW(deeds->pipe_makings, deeds->pipe_making_count);
    deeds->pipe_makings[deeds->pipe_making_count++] = making;
}

/* ---- transfers ---- */

bool fth_feeder_transfers(struct fth_order_feeder *feeder, const struct fth_order_sense *sense)
{
    for (int i = 0; i < 2; i++) {
        const struct fth_feeder_end *end =
            end_of(feeder, handle_at(feeder->call, sense->descriptors[i]));
        if (end && end->pipe >= FIRST)
            return true;
    }
    return false;
}

static void add_transfer(struct fth_order_feeder *feeder, struct fth_order_transfer transfer)
{
    struct fth_order_deeds *deeds = feeder->deeds;
    FTH_GROW(deeds->transfers, deeds->transfer_count);
    deeds->transfers[deeds->transfer_count++] = transfer;
}

/* What is told later says more. */
static void note_connection(struct fth_order_feeder *feeder, const struct fth_feeder_end *end,
                            const struct fth_handle *handle)
{
    const char *told = handle->identity.path;
    struct fth_order_pipe *pipe = &feeder->deeds->pipes[end->pipe - FIRST];
    if (!end->is_socket || !told || (pipe->connection && strcmp(pipe->connection, told) == 0))
        return;
    free(pipe->connection);
    pipe->connection = strdup(told);
}

/* Of several messages at once the bytes of all. */
static int64_t moved_by(const struct fth_order_feeder *feeder, const struct fth_order_sense *sense)
{
    const struct fth_value *result = &feeder->call->result;
    if (sense->carried >= 0)
        return fth_feeder_integer(feeder, sense->carried, -1);
    return result->type == FTH_VALUE_INTEGER ? result->integer : 0;
}

static bool asked_for_nothing(const struct fth_order_feeder *feeder,
                              const struct fth_order_sense *sense)
{
    if (sense->carried >= 0)
        return feeder->call->result.integer == 0;
    return feeder->call->bytes_asked == 0;
}

void fth_feeder_transfer(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                         struct fth_event begin)
{
    const struct fth_call *call = feeder->call;
    int64_t moved = moved_by(feeder, sense);
    uint32_t deed = FTH_NO_DEED;
    for (int i = 0; i < 2; i++) {
        struct fth_feeder_end *end = end_of(feeder, handle_at(call, sense->descriptors[i]));
        bool writes = (i == 0) == sense->gives;
        if (!end || end->pipe < FIRST || moved < 0 ||
            (moved == 0 && (writes || asked_for_nothing(feeder, sense))))
            continue;
        end->writes |= writes;
        note_connection(feeder, end, handle_at(call, sense->descriptors[i]));
        if (deed == FTH_NO_DEED) {
            deed = fth_order_deeds_add(feeder->deeds,
                                       fth_feeder_deed(feeder, sense, FTH_DEED_PIPE, begin));
            fth_feeder_complete(feeder, deed);
        }
        bool looks = sense->looks || (fth_feeder_integer(feeder, sense->message_flags, 0) & 2);
        add_transfer(feeder, (struct fth_order_transfer){
                                 .bytes = (uint64_t)moved,
                                 .start = call->start,
                                 .end = call->end,
                                 .pipe = end->pipe - FIRST,
                                 .deed = deed,
                                 .kind = writes       ? FTH_TRANSFER_WRITE
                                         : moved == 0 ? FTH_TRANSFER_END
                                         : looks      ? FTH_TRANSFER_LOOK
                                                      : FTH_TRANSFER_READ,
                                 .several = sense->carried >= 0 && call->result.integer > 1,
                             });
    }
}

bool fth_feeder_is_socket(struct fth_order_feeder *feeder)
{
    const struct fth_feeder_end *end = end_of(feeder, feeder->call->handle);
    return end && end->pipe >= FIRST && end->is_socket;
}

void fth_feeder_shut(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                     struct fth_event begin)
{
    enum { OF_READING, OF_WRITING }; /* SHUT_RD, SHUT_WR; SHUT_RDWR is both */
    const struct fth_call *call = feeder->call;
    int64_t how = fth_feeder_integer(feeder, sense->how, OF_READING);
    uint32_t deed =
        fth_order_deeds_add(feeder->deeds, fth_feeder_deed(feeder, sense, FTH_DEED_PIPE, begin));
    fth_feeder_complete(feeder, deed);
    struct fth_order_transfer transfer = {.start = call->start,
                                          .end = call->end,
                                          .pipe = end_of(feeder, call->handle)->pipe - FIRST,
                                          .deed = deed};
    transfer.kind = FTH_TRANSFER_SHUT;
    if (how != OF_READING)
        add_transfer(feeder, transfer);
    transfer.kind = FTH_TRANSFER_DEAF;
    if (how != OF_WRITING)
        add_transfer(feeder, transfer);
}

/* ---- ends ---- */

bool fth_feeder_could_write(struct fth_order_feeder *feeder, const struct fth_handle *handle)
{
    struct fth_feeder_end *end = end_of(feeder, handle);
    if (!end || end->pipe < FIRST)
        return false;
    const struct fth_handle *copied = handle->duplicate ? handle->parent : NULL;
    if (copied && copied->number < feeder->end_room && feeder->ends[copied->number].writes)
        end->writes = true;
    return end->writes && !end->closed;
}

void fth_feeder_close_pipe(struct fth_order_feeder *feeder, const struct fth_handle *handle,
                           uint32_t deed)
{
    if (!fth_feeder_could_write(feeder, handle))
        return;
    struct fth_feeder_end *end = end_of(feeder, handle);
    end->closed = true;
    add_transfer(feeder, (struct fth_order_transfer){.start = feeder->call->start,
                                                     .end = feeder->call->end,
                                                     .pipe = end->pipe - FIRST,
                                                     .deed = deed,
                                                     .kind = FTH_TRANSFER_CLOSE});
}

void fth_feeder_end_pipes(struct fth_order_feeder *feeder)
{
    const struct fth_process *process = fth_trace_process(feeder->trace, feeder->proc);
    for (uint32_t i = 0; i < feeder->end_room; i++) {
        const struct fth_feeder_end *end = &feeder->ends[i];
        if (end->pipe >= FIRST && end->writes && !end->closed && !feeder->closed_unnamed)
            add_transfer(feeder, (struct fth_order_transfer){.start = process->end,
                                                             .end = process->end,
                                                             .pipe = end->pipe - FIRST,
                                                             .deed = FTH_NO_DEED,
                                                             .kind = FTH_TRANSFER_LEFT});
    }
}

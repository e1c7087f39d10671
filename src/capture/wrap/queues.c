/* Operations that were handed to the system in a queue, as calls: one when the operation is handed
 * over, and one when the program, or the library for it, has learnt of its end. A reader takes them
 * for what they are like, operations of aio_read and its kin: they are known by descriptor, offset
 * and bytes. */
#include "capture/wrap/queues.h"

#include "calls.h"
#include "capture/life/begin.h"
#include "capture/wrap/streams.h"

#include <aio.h>
#include <fcntl.h>

/* A call without a duration. It is made by no place in the program that returns here. */
static bool begin(struct fth_draft *call, uint32_t function, uint32_t context, int descriptor)
{
    if (!fth_begin(call, function, context))
        return false;
    if (fth_find_descriptor(FTH_CLASS_fd, descriptor) == FTH_EXCLUDED) {
        fth_pass(call);
        return false;
    }
    fth_start(call);
    fth_end(call);
    call->stack = 0;
    call->worked = true;
    return true;
}

static struct aiocb block_of(const struct fth_queued *operation)
{
    struct aiocb block;
    memset(&block, 0, sizeof block);
    block.aio_fildes = operation->descriptor;
    block.aio_offset = operation->offset;
    block.aio_nbytes = (size_t)operation->bytes;
    return block;
}

bool fth_queue_begins(const struct fth_queued *operation)
{
    static const struct {
        uint32_t function, context;
    } functions[] = {
        [FTH_QUEUE_READS] = {FTH_CALL_queue_read, FTH_CONTEXT_queue_read},
        [FTH_QUEUE_WRITES] = {FTH_CALL_queue_write, FTH_CONTEXT_queue_write},
        [FTH_QUEUE_SYNCS] = {FTH_CALL_queue_sync, FTH_CONTEXT_queue_sync},
    };
    struct fth_draft call;
    const struct aiocb block = block_of(operation);
    if (!begin(&call, functions[operation->kind].function, functions[operation->kind].context,
               operation->descriptor))
        return false;
    if (operation->kind == FTH_QUEUE_SYNCS)
        fth_keep(&call, operation->data_only ? O_DSYNC : O_SYNC);
    fth_keep_aio(&call, FTH_CLASS_fd, 0, &block);
    fth_keep(&call, 0);
    fth_commit(&call);
    return true;
}

void fth_queue_ends(const struct fth_queued *operation, int64_t result)
{
    struct fth_draft call;
    const struct aiocb block = block_of(operation);
    if (!begin(&call, FTH_CALL_queue_return, FTH_CONTEXT_queue_return, operation->descriptor))
        return;
    int of_program = call.saved_errno;
    fth_keep_aio(&call, FTH_CLASS_fd, 0, &block);
    if (result < 0)
        call.saved_errno = (int)-result;
    fth_keep_moved(&call, result < 0 ? -1 : result, true);
    call.saved_errno = of_program;
    fth_commit(&call);
}

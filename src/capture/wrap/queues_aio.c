/* Operations of libaio: what its control blocks and events say. Its header is not needed to build:
 * they are the system's own (linux/aio_abi.h). */
#include "capture/process/system_counts.h"
#include "capture/wrap/queues.h"
#include "interpose/own/readable.h"
#include "trace/record/spill.h"

#include <linux/aio_abi.h>
#include <sys/uio.h>

/* False: it is none that reads, writes or flushes. */
static bool is_known(const struct iocb *block, struct fth_queued *operation)
{
    *operation = (struct fth_queued){.descriptor = (int)block->aio_fildes,
                                     .offset = block->aio_offset,
                                     .bytes = (int64_t)block->aio_nbytes};
    const struct iovec *vector = (const struct iovec *)(uintptr_t)block->aio_buf;
    switch (block->aio_lio_opcode) {
    case IOCB_CMD_PREADV:
    case IOCB_CMD_PWRITEV:
        operation->bytes = 0;
        for (uint64_t i = 0; i < block->aio_nbytes; i++)
            operation->bytes += (int64_t)vector[i].iov_len;
        operation->kind =
            block->aio_lio_opcode == IOCB_CMD_PREADV ? FTH_QUEUE_READS : FTH_QUEUE_WRITES;
        return true;
    case IOCB_CMD_PREAD:
        operation->kind = FTH_QUEUE_READS;
        return true;
    case IOCB_CMD_PWRITE:
        operation->kind = FTH_QUEUE_WRITES;
        return true;
    case IOCB_CMD_FSYNC:
    case IOCB_CMD_FDSYNC:
        operation->kind = FTH_QUEUE_SYNCS;
        operation->data_only = block->aio_lio_opcode == IOCB_CMD_FDSYNC;
        operation->offset = operation->bytes = 0;
        return true;
    }
    return false;
}

/* Neither reads nor writes. */
static bool is_harmless(const struct iocb *block)
{
    return block->aio_lio_opcode == IOCB_CMD_POLL || block->aio_lio_opcode == IOCB_CMD_NOOP;
}

void fth_aio_submitted(const void *blocks, long count)
{
    const struct iocb *const *list = blocks;
    for (long i = 0; i < count; i++) {
        struct fth_queued operation;
        if (is_known(list[i], &operation))
            fth_queue_begins(&operation);
        else if (!is_harmless(list[i]))
            fth_queue_seen(FTH_QUEUE_REST_OF_IO_SUBMIT);
    }
}

/* The block is the program's again when it has got the event, and so it is as it was. */
void fth_aio_returned(const void *events, long count)
{
    const struct io_event *list = events;
    for (long i = 0; i < count; i++) {
        const struct iocb *block = (const struct iocb *)(uintptr_t)list[i].obj;
        struct fth_queued operation;
        if (fth_is_readable(block, sizeof *block) && is_known(block, &operation))
            fth_queue_ends(&operation, list[i].res);
    }
}

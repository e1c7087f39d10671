/* Asynchronous calls: they are over when they return, which programs may find at any time. Only
 * who wants a thread to be started at the end is refused. */
#include "prefix/bytes_of_files.h"
#include "prefix/giving.h"
#include "prefix/prefix_calls.h"

#include <aio.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int (*real_aio_read)(struct aiocb *), (*real_aio_write)(struct aiocb *),
    (*real_aio_fsync)(int, struct aiocb *),
    (*real_lio_listio)(int, struct aiocb *const *, int, struct sigevent *);

static bool is_ours(const struct aiocb *block)
{
    return block && fth_prefix_ours(block->aio_fildes);
}

/* As the system says it: SI_ASYNCIO. */
static void notify(const struct sigevent *event)
{
    siginfo_t sent = {.si_signo = event->sigev_signo, .si_code = SI_ASYNCIO};
    if (event->sigev_notify != SIGEV_SIGNAL || !event->sigev_signo)
        return;
    sent.si_pid = (pid_t)syscall(SYS_getpid);
    sent.si_uid = (uid_t)syscall(SYS_getuid);
    sent.si_value = event->sigev_value;
    syscall(SYS_rt_sigqueueinfo, sent.si_pid, event->sigev_signo, &sent);
}

static bool can_notify(const struct sigevent *event)
{
    if (!event || event->sigev_notify == SIGEV_NONE || event->sigev_notify == SIGEV_SIGNAL)
        return true;
    errno = ENOSYS;
    return false;
}

/* What aio_error and aio_return of libc find. */
static void end(struct aiocb *block, ssize_t result, int before)
{
    block->__error_code = result < 0 ? errno : 0;
    block->__return_value = result;
    errno = before;
    notify(&block->aio_sigevent);
}

static int transfer(struct aiocb *block, bool writes)
{
    struct iovec piece = {(void *)block->aio_buf, block->aio_nbytes};
    int before = errno;
    if (!can_notify(&block->aio_sigevent))
        return -1;
    if (block->aio_offset < 0) {
        errno = EINVAL;
        return -1;
    }
    end(block,
        writes ? fth_prefix_write(block->aio_fildes, &piece, 1, block->aio_offset, 0)
               : fth_prefix_read(block->aio_fildes, &piece, 1, block->aio_offset),
        before);
    return 0;
}

static int in_place_of_aio_read(struct aiocb *block)
{
    return is_ours(block) ? transfer(block, false) : real_aio_read(block);
}

static int in_place_of_aio_write(struct aiocb *block)
{
    return is_ours(block) ? transfer(block, true) : real_aio_write(block);
}

static int in_place_of_aio_fsync(int how, struct aiocb *block)
{
    int before = errno;
    if (!is_ours(block))
        return real_aio_fsync(how, block);
    if (!can_notify(&block->aio_sigevent))
        return -1;
    end(block, fth_prefix_sync(block->aio_fildes) ? 0 : -1, before);
    return 0;
}

/* Either all of them are of files of ours, or none. */
static int in_place_of_lio_listio(int mode, struct aiocb *const *blocks, int count,
                                  struct sigevent *event)
{
    int all = 0, ours = 0, failed = 0;
    for (int i = 0; blocks && i < count; i++) {
        all += blocks[i] && blocks[i]->aio_lio_opcode != LIO_NOP;
        ours += is_ours(blocks[i]) && blocks[i]->aio_lio_opcode != LIO_NOP;
    }
    if (!ours)
        return real_lio_listio(mode, blocks, count, event);
    if (ours < all || !can_notify(mode == LIO_NOWAIT ? event : NULL)) {
        errno = ENOSYS;
        return -1;
    }
    for (int i = 0; i < count; i++)
        if (blocks[i] && blocks[i]->aio_lio_opcode != LIO_NOP &&
            (transfer(blocks[i], blocks[i]->aio_lio_opcode == LIO_WRITE) ||
             blocks[i]->__error_code))
            failed++;
    if (event && mode == LIO_NOWAIT)
        notify(event);
    if (failed)
        errno = EIO;
    return failed ? -1 : 0;
}

const struct fth_prefix_call fth_prefix_aio_calls[] = {FTH_PREFIX_ROW(aio_read, aio_read),
                                                       FTH_PREFIX_ROW(aio_read64, aio_read),
                                                       FTH_PREFIX_ROW(aio_write, aio_write),
                                                       FTH_PREFIX_ROW(aio_write64, aio_write),
                                                       FTH_PREFIX_ROW(aio_fsync, aio_fsync),
                                                       FTH_PREFIX_ROW(aio_fsync64, aio_fsync),
                                                       FTH_PREFIX_ROW(lio_listio, lio_listio),
                                                       FTH_PREFIX_ROW(lio_listio64, lio_listio),
                                                       {NULL, NULL, NULL}};

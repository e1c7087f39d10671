/* Several operations at once, through the kernel's queues for programs (io_submit(2)): one system
 * call submits them, so that what is timed is the disk and not the start of threads. */
#include "measure/disk_file.h"

#include "measure/disk_speed.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

static int fail(const struct fth_disk_file *file, struct fth_error **error)
{
    return fth_fail_errno(error, "cannot access the file in '%s', several times at once",
                          file->folder);
}

/* Submits all and waits for all. */
static int run_all(const struct fth_disk_file *file, struct iocb *operations, long count,
                   double *nanoseconds, struct fth_error **error)
{
    struct iocb *list[FTH_DISK_MOST_AT_ONCE];
    struct io_event events[FTH_DISK_MOST_AT_ONCE];
    for (long i = 0; i < count; i++)
        list[i] = &operations[i];
    int64_t start = fth_measure_now();
    for (long done = 0; done < count;) {
        long taken = syscall(SYS_io_submit, file->queue, count - done, list + done);
        if (taken < 0 && errno != EINTR && errno != EAGAIN)
            return fail(file, error);
        done += taken > 0 ? taken : 0;
    }
    for (long done = 0; done < count;) {
        long ended = syscall(SYS_io_getevents, file->queue, 1, count - done, events, NULL);
        if (ended < 0 && errno != EINTR)
            return fail(file, error);
        for (long i = 0; i < ended; i++)
            if (events[i].res < 0) {
                errno = (int)-events[i].res;
                return fail(file, error);
            }
        done += ended > 0 ? ended : 0;
    }
    *nanoseconds = (double)(fth_measure_now() - start);
    return 0;
}

static struct iocb operation(struct fth_disk_file *file, uint16_t code, uint64_t bytes,
                             uint64_t buffer_at)
{
    return (struct iocb){.aio_fildes = (uint32_t)file->descriptor,
                         .aio_lio_opcode = code,
                         .aio_buf = (uint64_t)(uintptr_t)(file->buffer + buffer_at),
                         .aio_nbytes = bytes,
                         .aio_offset = (int64_t)fth_disk_place(file, bytes, 0)};
}

static int reads_at_once(struct fth_trial *trial, void *context, double *nanoseconds,
                         struct fth_error **error)
{
    struct fth_disk_file *file = context;
    struct iocb operations[FTH_DISK_MOST_AT_ONCE];
    /* One that is not timed: what comes first pays for what other kernels left in the processor's
     * caches. */
    operations[0] = operation(file, IOCB_CMD_PREAD, trial->bytes, 0);
    if (run_all(file, operations, 1, nanoseconds, error))
        return -1;
    for (uint32_t i = 0; i < trial->batch; i++)
        operations[i] = operation(file, IOCB_CMD_PREAD, trial->bytes, i * trial->bytes);
    return run_all(file, operations, trial->batch, nanoseconds, error);
}

static int read_beside_write(struct fth_trial *trial, void *context, double *nanoseconds,
                             struct fth_error **error)
{
    struct fth_disk_file *file = context;
    struct iocb operations[] = {operation(file, IOCB_CMD_PREAD, trial->bytes, 0),
                                operation(file, IOCB_CMD_PWRITE, trial->bytes, trial->bytes)};
    return run_all(file, operations, 2, nanoseconds, error);
}

void fth_disk_queue_open(struct fth_disk_file *file, struct fth_trials *trials)
{
    static const char *const names[] = {"1 read at once",  "2 reads at once",  "4 reads at once",
                                        "8 reads at once", "16 reads at once", "32 reads at once"};
    if (!file->is_direct || syscall(SYS_io_setup, FTH_DISK_MOST_AT_ONCE, &file->queue)) {
        file->queue = 0;
        return;
    }
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        fth_trials_add(trials, "disk", names[i], FTH_DISK_LEAST_RECORD, reads_at_once, 1U << i);
    fth_trials_add(trials, "disk", "read beside write", FTH_DISK_MIXED_RECORD, read_beside_write,
                   1);
}

void fth_disk_queue_close(struct fth_disk_file *file)
{
    if (file->queue)
        syscall(SYS_io_destroy, file->queue);
}

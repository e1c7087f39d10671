/* One operation of a script. */
#include "player/player.h"

#include <aio.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE = 2000000000 /* ns: how long a file that another process makes is waited for */ };

/* ---- calls in another form ---- */

static int64_t move(struct fth_player_thread *thread, const struct fth_script_op *op, int *error)
{
    const struct fth_script_plan *plan = fth_player.plan;
    int64_t real = fth_player.slots[op->arguments[0]][op->arguments[1]];
    size_t bytes = (size_t)op->arguments[2];
    bool is_stream = op->arguments[0] == plan->stream_class;
    if (op->flags & FTH_SCRIPT_WHOLE && !is_stream)
        return fth_player_move_whole(thread, op, (int)real, error);
    FILE *stream = is_stream ? (FILE *)(uintptr_t)real : NULL;
    int64_t moved;
    if (is_stream && !stream) {
        *error = EBADF;
        return -1;
    }
    if (is_stream && op->flags & FTH_SCRIPT_USED_UP && !__fpending(stream))
        __fpurge(stream);
    if (op->what == FTH_SCRIPT_READ)
        moved = is_stream ? (int64_t)fread(thread->taken, 1, bytes, stream)
                          : read((int)real, thread->taken, bytes);
    else
        moved = is_stream ? (int64_t)fwrite(fth_player.given, 1, bytes, stream)
                          : write((int)real, fth_player.given, bytes);
    *error = errno;
    return moved;
}

/* Of a standard stream only its file is known: it is the one of a standard descriptor that leads
 * there, if there is one. */
static int descriptor_of_stream(const char *path)
{
    const int64_t *slots = fth_player.slots[fth_player.plan->fd_class];
    struct stat wanted, one;
    for (uint32_t i = 0; i < 3 && i < fth_player.plan->class_sizes[fth_player.plan->fd_class]; i++)
        if (slots[i] >= 0 && !stat(path, &wanted) && !fstat((int)slots[i], &one) &&
            wanted.st_dev == one.st_dev && wanted.st_ino == one.st_ino)
            return dup((int)slots[i]);
    return open(path, O_RDWR);
}

static int64_t open_stream(const char *path)
{
    int file = descriptor_of_stream(path);
    if (file < 0)
        return 0;
    int flags = fcntl(file, F_GETFL) & O_ACCMODE;
    return (int64_t)(uintptr_t)fdopen(file, flags == O_WRONLY ? "w" : flags == O_RDWR ? "r+" : "r");
}

static int64_t open_file(const struct fth_script_op *op, int *error)
{
    const int64_t *a = op->arguments;
    int64_t *slot = &fth_player.slots[a[0]][a[1]];
    *slot = a[0] == fth_player.plan->stream_class
                ? open_stream(fth_player_blob(a[2]))
                : open(fth_player_blob(a[2]), (int)a[3], (mode_t)a[4]);
    *error = errno;
    fth_player_follow_descriptors();
    return *slot;
}

static int64_t copy(const struct fth_script_op *op, int *error)
{
    int64_t *slots = fth_player.slots[fth_player.plan->fd_class];
    int copied = op->arguments[0] < 0 ? open("/dev/null", O_RDWR | O_CLOEXEC)
                                      : dup((int)slots[op->arguments[0]]);
    *error = errno;
    if (copied >= 0 && op->arguments[2] && slots[op->arguments[1]] >= 0)
        close((int)slots[op->arguments[1]]);
    if (copied >= 0)
        slots[op->arguments[1]] = copied;
    fth_player_follow_descriptors();
    return copied;
}

static int64_t number(const struct fth_script_op *op, int *error)
{
    const struct fth_script_plan *plan = fth_player.plan;
    int64_t real = fth_player.slots[op->arguments[0]][op->arguments[1]];
    int file = -1;
    if (real)
        file = op->arguments[0] == plan->stream_class ? fileno((FILE *)(uintptr_t)real)
                                                      : dirfd((DIR *)(uintptr_t)real);
    *error = errno;
    fth_player.slots[plan->fd_class][op->arguments[2]] = file;
    return file;
}

static int64_t complete(const struct fth_script_op *op)
{
    const int64_t *numbers = (const void *)fth_player_blob(op->arguments[0]);
    size_t count = fth_player_blob_length(op->arguments[0]) / sizeof *numbers;
    return fth_player_wait_all(fth_player.slots[fth_player.plan->request_class], numbers, count);
}

/* ---- asynchronous operations of the system ---- */

static int64_t begin_asynchronous(struct fth_player_thread *thread, const struct fth_script_op *op,
                                  int *error)
{
    const struct fth_script_plan *plan = fth_player.plan;
    int64_t *slot = &fth_player.slots[plan->block_class][op->arguments[0]];
    struct aiocb *block = *slot ? (struct aiocb *)(uintptr_t)*slot : malloc(sizeof *block);
    if (!block)
        fth_player_fail("out of memory");
    *slot = (int64_t)(uintptr_t)block;
    *block = (struct aiocb){.aio_fildes = (int)fth_player.slots[plan->fd_class][op->arguments[1]],
                            .aio_offset = op->arguments[2],
                            .aio_nbytes = (size_t)op->arguments[3],
                            .aio_buf = op->arguments[4] == 1 ? fth_player.given : thread->taken,
                            .aio_sigevent.sigev_notify = SIGEV_NONE};
    int result = op->arguments[4] == 0   ? aio_read(block)
                 : op->arguments[4] == 1 ? aio_write(block)
                                         : aio_fsync(O_SYNC, block);
    *error = errno;
    return result;
}

static int64_t end_asynchronous(const struct fth_script_op *op, int *error)
{
    int64_t slot = fth_player.slots[fth_player.plan->block_class][op->arguments[0]];
    struct aiocb *block = (struct aiocb *)(uintptr_t)slot;
    const struct aiocb *list[] = {block};
    if (!block) { /* another thread begins it, and has not */
        *error = EINVAL;
        return -1;
    }
    while (aio_error(block) == EINPROGRESS)
        (void)aio_suspend(list, 1, NULL);
    *error = aio_error(block);
    return aio_return(block);
}

static int64_t meet(const struct fth_script_op *op)
{
    int64_t comm = op->arguments[0] >= 0
                       ? fth_player.slots[fth_player.plan->comm_class][op->arguments[0]]
                       : fth_player_predefined(fth_player_blob(-1 - op->arguments[0]));
    int64_t none = 0, request = op->arguments[1];
    return fth_player_barrier(
        comm, (enum fth_script_meeting)op->arguments[2],
        request >= 0 ? &fth_player.slots[fth_player.plan->request_class][request] : &none);
}

/* ---- the call itself ---- */

/* Another process makes the file, a moment later than in the recorded run. */
static bool is_too_early(const struct fth_script_function *function, const struct fth_script_op *op,
                         int64_t result, int error, int64_t since)
{
    return fth_player.plan->process_count > 1 && error == ENOENT && function->result_class &&
           fth_player_failed(function, result) && !(op->flags & FTH_SCRIPT_FAILED) &&
           fth_player_now() - since < PATIENCE;
}

/* The library may be one that only one thread at a time may call. */
static int64_t call_hdf5(struct fth_player_thread *thread, const struct fth_script_op *op,
                         int *error)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    fth_player_begin_hdf5();
    int64_t result = fth_player_call(thread, op, error);
    pthread_mutex_unlock(&lock);
    *error = 0; /* it sets none */
    return result;
}

static int64_t call_it(struct fth_player_thread *thread, const struct fth_script_op *op, int *error)
{
    const struct fth_script_function *function = &fth_player.functions[op->function];
    if (!fth_player.addresses[op->function]) {
        *error = ENOSYS;
        return -1;
    }
    if (function->is_hdf5)
        return call_hdf5(thread, op, error);
    int64_t result = fth_player_call(thread, op, error);
    while (op->what == FTH_SCRIPT_UNTIL && !result && !fth_player_flag())
        result = fth_player_call(thread, op, error);
    if (*error == ENOENT) {
        int64_t since = fth_player_now();
        while (is_too_early(function, op, result, *error, since)) {
            usleep(200);
            result = fth_player_call(thread, op, error);
        }
    }
    if (function->is_init && fth_player.plan->uses_hdf5)
        fth_player_begin_hdf5();
    if (function->is_init)
        fth_player_meet_all();
    return result;
}

static int64_t do_it(struct fth_player_thread *thread, const struct fth_script_op *op, int *error)
{
    *error = 0;
    switch ((enum fth_script_what)op->what) {
    case FTH_SCRIPT_CALL:
    case FTH_SCRIPT_UNTIL:
        return call_it(thread, op, error);
    case FTH_SCRIPT_READ:
    case FTH_SCRIPT_WRITE:
        return move(thread, op, error);
    case FTH_SCRIPT_OPEN:
        return open_file(op, error);
    case FTH_SCRIPT_FOLDER:
        return mkdir(fth_player_blob(op->arguments[0]), 0700);
    case FTH_SCRIPT_COPY:
        return copy(op, error);
    case FTH_SCRIPT_STREAM:
        return fth_player_open_standard(op->arguments[0], op->arguments[1], error);
    case FTH_SCRIPT_NUMBER:
        return number(op, error);
    case FTH_SCRIPT_COMPLETE:
        return complete(op);
    case FTH_SCRIPT_BEGIN:
        return begin_asynchronous(thread, op, error);
    case FTH_SCRIPT_END:
        return end_asynchronous(op, error);
    case FTH_SCRIPT_MEET:
        return meet(op);
    case FTH_SCRIPT_EXEC:
        fth_player_close_on_exec();
        return 0;
    default:
        return 0;
    }
}

int64_t fth_player_do(struct fth_player_thread *thread, const struct fth_script_op *op, int *error)
{
    if (!(op->flags & FTH_SCRIPT_MAY_WAIT))
        return do_it(thread, op, error);
    fth_player_begin_wait();
    int64_t result = do_it(thread, op, error);
    if (fth_player_end_wait() && *error == EINTR)
        *error = ETIMEDOUT;
    return result;
}

/* What a thread does: one operation of its script after the other, each when it is time. */
#include "player/player.h"

#include <aio.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    SPIN = 60000,          /* ns: a sleep may end so much late, so the rest is spun */
    PATIENCE = 2000000000, /* ns: how long a file that another process makes is waited for */
};

static int64_t wait_until(int64_t time)
{
    int64_t now = fth_player_now();
    if (time - now > SPIN) {
        int64_t wake = time - SPIN;
        struct timespec until = {wake / 1000000000, wake % 1000000000};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
            ;
    }
    while ((now = fth_player_now()) < time)
        ;
    return now;
}

/* ---- calls in another form ---- */

static int64_t move(struct fth_player_thread *thread, const struct fth_script_op *op, int *error)
{
    const struct fth_script_plan *plan = fth_player.plan;
    int64_t real = fth_player.slots[op->arguments[0]][op->arguments[1]];
    size_t bytes = (size_t)op->arguments[2];
    bool is_stream = op->arguments[0] == plan->stream_class;
    FILE *stream = is_stream ? (FILE *)(uintptr_t)real : NULL;
    int64_t moved;
    if (is_stream && !stream) {
        *error = EBADF;
        return -1;
    }
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
    return *slot;
}

static int64_t copy(const struct fth_script_op *op, int *error)
{
    int64_t *slots = fth_player.slots[fth_player.plan->fd_class];
    int copied = dup((int)slots[op->arguments[0]]);
    *error = errno;
    if (copied >= 0 && op->arguments[2] && slots[op->arguments[1]] >= 0)
        close((int)slots[op->arguments[1]]);
    if (copied >= 0)
        slots[op->arguments[1]] = copied;
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

static bool failed(const struct fth_script_function *function, int64_t result)
{
    switch ((enum fth_script_result)function->result) {
    case FTH_SCRIPT_MOVED:
    case FTH_SCRIPT_ITEMS:
    case FTH_SCRIPT_STATUS:
        return result < 0;
    case FTH_SCRIPT_CODE:
        return result != 0;
    case FTH_SCRIPT_POINTER:
        return !result;
    case FTH_SCRIPT_ANY:
        break;
    }
    return false;
}

/* Another process makes the file, a moment later than in the recorded run. */
static bool is_too_early(const struct fth_script_function *function, const struct fth_script_op *op,
                         int64_t result, int error, int64_t since)
{
    return fth_player.plan->process_count > 1 && error == ENOENT && function->result_class &&
           failed(function, result) && !(op->flags & FTH_SCRIPT_FAILED) &&
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

static int64_t do_op(struct fth_player_thread *thread, const struct fth_script_op *op, int *error)
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
    default:
        return 0;
    }
}

/* ---- what came of it ---- */

static bool differs(const struct fth_script_function *function, const struct fth_script_op *op,
                    int64_t result)
{
    bool was_failed = op->flags & FTH_SCRIPT_FAILED;
    if (op->what == FTH_SCRIPT_READ || op->what == FTH_SCRIPT_WRITE || op->what == FTH_SCRIPT_END)
        return result != op->expected;
    if (op->what != FTH_SCRIPT_CALL || function->result == FTH_SCRIPT_ANY)
        return false;
    if (failed(function, result) != was_failed)
        return true;
    bool moves = function->result == FTH_SCRIPT_MOVED || function->result == FTH_SCRIPT_ITEMS;
    return moves && !was_failed && result != op->expected;
}

/* Bytes that it has really moved: as its result says; if that is a code, as many as were
 * recorded. */
static uint64_t moved_by(const struct fth_script_function *function, const struct fth_script_op *op,
                         int64_t result)
{
    bool tells = op->what == FTH_SCRIPT_READ || op->what == FTH_SCRIPT_WRITE ||
                 op->what == FTH_SCRIPT_END ||
                 (op->what == FTH_SCRIPT_CALL && function->result == FTH_SCRIPT_MOVED);
    if (tells)
        return result < 0 ? 0 : (uint64_t)result;
    if (op->what == FTH_SCRIPT_CALL && failed(function, result))
        return 0;
    return op->what == FTH_SCRIPT_CALL && function->result == FTH_SCRIPT_ITEMS
               ? (uint64_t)result * (uint64_t)op->arguments[function->item_size]
               : (uint64_t)op->bytes;
}

static void note(struct fth_player_thread *thread, const struct fth_script_op *op, int64_t time,
                 int64_t result, int error)
{
    const struct fth_script_function *function = &fth_player.functions[op->function];
    struct fth_script_outcome *outcome = &thread->outcomes[op->function];
    outcome->calls++;
    outcome->time += time;
    uint64_t bytes = moved_by(function, op, result);
    outcome->bytes_read += function->reads ? bytes : 0;
    outcome->bytes_written += function->writes ? bytes : 0;
    if (!differs(function, op, result) || outcome->differences++)
        return;
    outcome->expected = op->expected;
    outcome->result = result;
    outcome->error = function->result == FTH_SCRIPT_CODE ? (int32_t)result : error;
    outcome->expected_failure = op->flags & FTH_SCRIPT_FAILED;
}

/* What a call makes goes to its slot: behind the arguments. */
static void keep_result(const struct fth_script_op *op, int64_t result)
{
    const struct fth_script_function *function = &fth_player.functions[op->function];
    if (!function->result_class || (op->what != FTH_SCRIPT_CALL))
        return;
    int64_t slot = op->arguments[op->count];
    if (slot >= 0)
        fth_player.slots[function->result_class][slot] = result;
}

static bool is_about_processes(const struct fth_script_op *op)
{
    return op->what >= FTH_SCRIPT_FORK;
}

/* Recorded times begin when all ranks are in MPI. */
static bool waits(const struct fth_script_function *function, bool waits_for_mpi)
{
    return fth_player.plan->scale > 0 && !function->is_init && !waits_for_mpi;
}

void fth_player_play(struct fth_player_thread *thread,
                     void (*start_others)(const struct fth_script_op *op))
{
    const struct fth_script_plan *plan = fth_player.plan;
    const struct fth_script_op *end,
        *op = fth_player_script(fth_player.process, thread->number, &end);
    while (op < end) {
        const struct fth_script_function *function = &fth_player.functions[op->function];
        bool waits_for_mpi = plan->ranks && !fth_player.in_mpi;
        int64_t start = 0;
        if (waits(function, waits_for_mpi)) {
            double from_begin = (double)(op->start - plan->begin) * plan->scale;
            int64_t due = fth_player.base + (int64_t)from_begin;
            start = wait_until(due);
            if (start - due > thread->late)
                thread->late = start - due;
        } else {
            /* nothing lies between two calls, so one reading of the clock serves both */
            start = thread->last ? thread->last : fth_player_now();
        }
        if (is_about_processes(op)) {
            start_others(op);
        } else {
            int error;
            int64_t result = do_op(thread, op, &error);
            int64_t stop = fth_player_now();
            keep_result(op, result);
            if (!(op->flags & FTH_SCRIPT_SILENT))
                note(thread, op, stop - start, result, error);
            if (!thread->first)
                thread->first = start;
            thread->last = stop;
        }
        op = (const void *)(op->arguments + op->count + (function->result_class != 0));
    }
}

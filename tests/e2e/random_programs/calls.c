/* The calls of random programs: drawn, made, and noted in the account. */
#define _GNU_SOURCE 1
#include "calls.h"

#include "kernel.h"
#include "log.h"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { BUFFER = 65536 };

/* Results that are no numbers in the trace; log.h's result is 64 bits wide. */
#define NULL_RESULT INT64_MIN      /* shown as null */
#define ANY_RESULT (INT64_MIN + 1) /* not compared: a slot, an address */

static char *buffer; /* followed by a page that cannot be touched */

/* ---- numbers ---- */

uint64_t draw(uint64_t *random)
{
    uint64_t value = *random += 0x9E3779B97F4A7C15u;
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
    value = (value ^ value >> 27) * 0x94D049BB133111EBu;
    return value ^ value >> 31;
}

static int64_t extreme(uint64_t drawn)
{
    static const int64_t values[] = {
        0,         1,         -1,        127,         128,           255,
        65535,     INT32_MAX, INT32_MIN, INT64_MAX,   INT64_MAX - 1, INT64_MIN,
        1ll << 31, 1ll << 32, 1ll << 40, -(1ll << 40)};
    return values[drawn % (sizeof values / sizeof *values)];
}

int64_t value_of(struct worker *worker, const struct expression *expression)
{
    int64_t value = expression->base;
    switch (expression->kind) {
    case LINEAR:
        for (int i = 0; i < NEST; i++)
            value += expression->steps[i] * worker->turns[i];
        return value;
    case RANDOM:
        return value +
               expression->grain * (int64_t)(draw(&worker->random) % (uint64_t)expression->range);
    default:
        return extreme(draw(&worker->random));
    }
}

/* ---- names ---- */

static void absolute(const struct worker *worker, const char *base, const char *path, char *to)
{
    char folder[LONGEST_PATH];
    if (*path == '/') {
        snprintf(to, LONGEST_PATH, "%s", path);
        return;
    }
    snprintf(folder, sizeof folder, "%s", base ? base : worker->cwd);
    while (strncmp(path, "./", 2) == 0 || strncmp(path, "../", 3) == 0 || !strcmp(path, "..")) {
        if (path[1] == '.')
            *strrchr(folder, '/') = 0;
        path += strcspn(path, "/");
        path += strspn(path, "/");
    }
    snprintf(to, LONGEST_PATH, *path ? "%s/%s" : "%s", folder, path);
}

/* What the system calls it now. */
static void path_of_descriptor(int fd, char *path)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    long length = kernel(SYS_readlinkat, AT_FDCWD, (long)name, (long)path, LONGEST_PATH - 1);
    path[length > 0 ? length : 0] = 0;
}

/* One of few names, or, for large choices, a name of its own; written in one way or another. */
static void name_file(const struct worker *worker, int64_t choice, char *name)
{
    uint64_t which = (uint64_t)choice % 40;
    int number = (int)(which % 5);
    if (choice >= 1000)
        snprintf(name, LONGEST_PATH, "%cu%lld", worker->name, (long long)choice);
    else if (which < 20)
        snprintf(name, LONGEST_PATH, "%c%d", worker->name, number);
    else if (which < 25)
        snprintf(name, LONGEST_PATH, "./%c%d", worker->name, number);
    else if (which < 30)
        snprintf(name, LONGEST_PATH, "%s/%c%d", worker->cwd, worker->name, number);
    else if (which < 35)
        snprintf(name, LONGEST_PATH, "d/../%c%d", worker->name, number);
    else if (which < 38)
        snprintf(name, LONGEST_PATH, ".//d/%c%d", worker->name, number);
    else
        snprintf(name, LONGEST_PATH, "missing/%c%d", worker->name, number);
}

static int64_t choice_of(struct worker *worker, const struct call *call)
{
    int64_t choice = value_of(worker, &call->choice);
    return choice < 0 ? -(choice + 1) : choice;
}

/* ---- descriptors ---- */

/* The descriptor as it is passed, and as the trace knows it. */
static int passed(const struct worker *worker, const struct call *call)
{
    int fd = worker->descriptors[call->target].fd;
    return fd >= 0 ? fd : 60000 + call->target;
}

static const char *file_of(const struct worker *worker, const struct call *call)
{
    const struct descriptor *descriptor = &worker->descriptors[call->target];
    return descriptor->fd >= 0 ? descriptor->file : NULL;
}

static size_t count_of(struct worker *worker, const struct call *call)
{
    return (size_t)value_of(worker, &call->count);
}

#define MAKE(result, call) (log_before(), (result) = (call), log_after())
#define KNOWN_FD (worker->descriptors[call->target].fd)

static void call_read(struct worker *worker, const struct call *call)
{
    size_t count = count_of(worker, call);
    ssize_t moved;
    MAKE(moved, read(passed(worker, call), buffer, count));
    log_call("read", moved, moved < 0, file_of(worker, call), "\"fd\":%d,\"count\":%lld", KNOWN_FD,
             (long long)count);
}

static void call_write(struct worker *worker, const struct call *call)
{
    size_t count = count_of(worker, call);
    ssize_t moved;
    MAKE(moved, write(passed(worker, call), buffer, count));
    log_call("write", moved, moved < 0, file_of(worker, call), "\"fd\":%d,\"count\":%lld", KNOWN_FD,
             (long long)count);
}

static void call_pread(struct worker *worker, const struct call *call)
{
    size_t count = count_of(worker, call);
    off_t offset = value_of(worker, &call->offset);
    ssize_t moved;
    MAKE(moved, pread(passed(worker, call), buffer, count, offset));
    log_call("pread", moved, moved < 0, file_of(worker, call),
             "\"fd\":%d,\"count\":%lld,\"offset\":%lld", KNOWN_FD, (long long)count,
             (long long)offset);
}

static void call_pwrite(struct worker *worker, const struct call *call)
{
    size_t count = count_of(worker, call);
    off_t offset = value_of(worker, &call->offset);
    ssize_t moved;
    MAKE(moved, pwrite(passed(worker, call), buffer, count, offset));
    log_call("pwrite", moved, moved < 0, file_of(worker, call),
             "\"fd\":%d,\"count\":%lld,\"offset\":%lld", KNOWN_FD, (long long)count,
             (long long)offset);
}

/* Splits the count over a few pieces; returns their number. */
static int make_vector(struct worker *worker, const struct call *call, struct iovec vector[4],
                       int64_t *bytes)
{
    int pieces = 1 + (int)(choice_of(worker, call) % 4);
    *bytes = 0;
    for (int i = 0; i < pieces; i++) {
        vector[i] = (struct iovec){buffer, count_of(worker, call) % 5000};
        *bytes += (int64_t)vector[i].iov_len;
    }
    return pieces;
}

static void call_readv(struct worker *worker, const struct call *call)
{
    struct iovec vector[4];
    int64_t bytes;
    int pieces = make_vector(worker, call, vector, &bytes);
    ssize_t moved;
    MAKE(moved, readv(passed(worker, call), vector, pieces));
    log_call("readv", moved, moved < 0, file_of(worker, call), "\"fd\":%d,\"iov\":%lld,\"n\":%d",
             KNOWN_FD, (long long)bytes, pieces);
}

static void call_writev(struct worker *worker, const struct call *call)
{
    struct iovec vector[4];
    int64_t bytes;
    int pieces = make_vector(worker, call, vector, &bytes);
    ssize_t moved;
    MAKE(moved, writev(passed(worker, call), vector, pieces));
    log_call("writev", moved, moved < 0, file_of(worker, call), "\"fd\":%d,\"iov\":%lld,\"n\":%d",
             KNOWN_FD, (long long)bytes, pieces);
}

static void call_pwritev(struct worker *worker, const struct call *call)
{
    struct iovec vector[4];
    int64_t bytes;
    int pieces = make_vector(worker, call, vector, &bytes);
    off_t offset = value_of(worker, &call->offset);
    ssize_t moved;
    MAKE(moved, pwritev(passed(worker, call), vector, pieces, offset));
    log_call("pwritev", moved, moved < 0, file_of(worker, call),
             "\"fd\":%d,\"iov\":%lld,\"n\":%d,\"offset\":%lld", KNOWN_FD, (long long)bytes, pieces,
             (long long)offset);
}

static void call_lseek(struct worker *worker, const struct call *call)
{
    static const int whences[] = {SEEK_SET, SEEK_SET, SEEK_CUR, SEEK_END, SEEK_DATA, SEEK_HOLE, 77};
    int whence = whences[choice_of(worker, call) % 7];
    off_t distance = value_of(worker, &call->offset), position;
    MAKE(position, lseek(passed(worker, call), distance, whence));
    log_call("lseek", position, position < 0, file_of(worker, call),
             "\"fd\":%d,\"distance\":%lld,\"whence\":%d", KNOWN_FD, (long long)distance, whence);
}

static void call_ftruncate(struct worker *worker, const struct call *call)
{
    off_t length = value_of(worker, &call->offset);
    int result;
    MAKE(result, ftruncate(passed(worker, call), length));
    log_call("ftruncate", result, result < 0, file_of(worker, call), "\"fd\":%d,\"length\":%lld",
             KNOWN_FD, (long long)length);
}

static void call_fadvise(struct worker *worker, const struct call *call)
{
    off_t offset = value_of(worker, &call->offset), count = value_of(worker, &call->count);
    int advice = (int)(choice_of(worker, call) % 8), code;
    MAKE(code, errno = posix_fadvise(passed(worker, call), offset, count, advice));
    log_call("posix_fadvise", code, code != 0, file_of(worker, call),
             "\"fd\":%d,\"offset\":%lld,\"count\":%lld,\"advice\":%d", KNOWN_FD, (long long)offset,
             (long long)count, advice);
}

static void call_fsync(struct worker *worker, const struct call *call)
{
    int result;
    MAKE(result, fdatasync(passed(worker, call)));
    log_call("fdatasync", result, result < 0, file_of(worker, call), "\"fd\":%d", KNOWN_FD);
}

static void call_fstat(struct worker *worker, const struct call *call)
{
    struct stat facts;
    int result;
    MAKE(result, fstat(passed(worker, call), &facts));
    log_call("fstat", result, result < 0, file_of(worker, call), "\"fd\":%d", KNOWN_FD);
}

static void call_sendfile(struct worker *worker, const struct call *call)
{
    const struct descriptor *from = &worker->descriptors[call->other];
    off_t at = value_of(worker, &call->offset);
    bool own = choice_of(worker, call) % 2;
    size_t count = count_of(worker, call) % 3000;
    ssize_t moved;
    MAKE(moved,
         sendfile(passed(worker, call), from->fd >= 0 ? from->fd : 60000, own ? NULL : &at, count));
    if (own)
        log_call("sendfile", moved, moved < 0, file_of(worker, call),
                 "\"to\":%d,\"from\":%d,\"from_at\":null,\"count\":%lld", KNOWN_FD, from->fd,
                 (long long)count);
    else
        log_call("sendfile", moved, moved < 0, file_of(worker, call),
                 "\"to\":%d,\"from\":%d,\"from_at\":[%lld],\"count\":%lld", KNOWN_FD, from->fd,
                 (long long)at, (long long)count);
}

static void call_mmap(struct worker *worker, const struct call *call)
{
    size_t length = count_of(worker, call);
    off_t offset = value_of(worker, &call->offset) & ~(off_t)4095;
    void *memory;
    MAKE(memory, mmap(NULL, length, PROT_READ, MAP_PRIVATE, passed(worker, call), offset));
    bool failed = memory == MAP_FAILED;
    log_call("mmap", failed ? NULL_RESULT : ANY_RESULT, failed, file_of(worker, call),
             "\"length\":%lld,\"prot\":1,\"flags\":2,\"fd\":%d,\"offset\":%lld", (long long)length,
             KNOWN_FD, (long long)offset);
    if (failed)
        return;
    int result;
    MAKE(result, munmap(memory, length));
    log_call("munmap", result, result < 0, NULL, "\"length\":%lld", (long long)length);
}

/* glibc's threads for this are not there in a forked child, and it does not notice: nothing would
 * ever be done. */
static bool can_do_aio(void)
{
    static long user;
    long unused = 0, process = syscall(SYS_getpid);
    return __atomic_compare_exchange_n(&user, &unused, process, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST) ||
           unused == process;
}

/* It is asked for until it is done, or waited for. */
static void call_aio(struct worker *worker, const struct call *call)
{
    struct aiocb control = {.aio_fildes = passed(worker, call),
                            .aio_buf = buffer,
                            .aio_nbytes = count_of(worker, call) % 3000,
                            .aio_offset = value_of(worker, &call->offset)};
    const struct aiocb *list[] = {&control};
    bool writes = choice_of(worker, call) % 2, waits = choice_of(worker, call) % 3 == 0;
    char shown[128];
    int result, state = EINPROGRESS;
    ssize_t moved;
    if (!can_do_aio())
        return;
    snprintf(shown, sizeof shown, "[%d,%lld,%lld]", KNOWN_FD, (long long)control.aio_offset,
             (long long)control.aio_nbytes);
    MAKE(result, writes ? aio_write(&control) : aio_read(&control));
    log_call(writes ? "aio_write" : "aio_read", result, result < 0, file_of(worker, call),
             "\"cb\":%s", shown);
    if (result < 0)
        return;
    if (waits) {
        MAKE(result, aio_suspend(list, 1, NULL));
        log_call("aio_suspend", result, result < 0, NULL, "\"n\":1");
    }
    while (state == EINPROGRESS) {
        MAKE(state, aio_error(&control));
        log_call("aio_error", state, false, file_of(worker, call), "\"cb\":%s", shown);
    }
    MAKE(moved, aio_return(&control));
    log_call("aio_return", moved, moved < 0, file_of(worker, call), "\"cb\":%s", shown);
}

/* ---- opening and closing ---- */

static void call_open(struct worker *worker, const struct call *call)
{
    struct descriptor *descriptor = &worker->descriptors[call->target];
    static const int modes[] = {O_RDWR | O_CREAT,
                                O_RDWR | O_CREAT,
                                O_RDWR | O_CREAT | O_TRUNC,
                                O_RDONLY,
                                O_WRONLY,
                                O_RDWR | O_CREAT | O_APPEND,
                                O_RDWR | O_CREAT | O_EXCL,
                                O_WRONLY | O_CREAT};
    char name[LONGEST_PATH], file[LONGEST_PATH];
    int64_t choice = choice_of(worker, call);
    int flags = modes[(uint64_t)choice / 40 % 8], fd;
    if (descriptor->fd >= 0)
        return;
    name_file(worker, choice, name);
    absolute(worker, NULL, name, file);
    MAKE(fd, open(name, flags, 0640));
    if (flags & O_CREAT)
        log_call("open", fd, fd < 0, file, "\"path\":\"%s\",\"flags\":%d,\"mode\":%d", name, flags,
                 0640);
    else
        log_call("open", fd, fd < 0, file, "\"path\":\"%s\",\"flags\":%d,\"mode\":null", name,
                 flags);
    descriptor->fd = fd;
    if (fd >= 0)
        strcpy(descriptor->file, file);
}

static void call_openat(struct worker *worker, const struct call *call)
{
    struct descriptor *descriptor = &worker->descriptors[call->target];
    char name[LONGEST_PATH], file[LONGEST_PATH], base[LONGEST_PATH];
    int64_t choice = choice_of(worker, call);
    int directory, fd;
    if (descriptor->fd >= 0)
        return;
    MAKE(directory, open("d", O_RDONLY | O_DIRECTORY));
    absolute(worker, NULL, "d", base);
    log_call("open", directory, directory < 0, base, "\"path\":\"d\",\"flags\":%d,\"mode\":null",
             O_RDONLY | O_DIRECTORY);
    name_file(worker, choice, name);
    absolute(worker, base, name, file);
    MAKE(fd, openat(directory, name, O_RDWR | O_CREAT, 0600));
    if (directory < 0)
        absolute(worker, NULL, name, file);
    log_call("openat", fd, fd < 0, file, "\"dir\":%d,\"path\":\"%s\",\"flags\":%d,\"mode\":%d",
             directory, name, O_RDWR | O_CREAT, 0600);
    descriptor->fd = fd;
    if (fd >= 0)
        strcpy(descriptor->file, file);
    if (directory < 0)
        return;
    int result;
    MAKE(result, close(directory));
    log_call("close", result, result < 0, base, "\"fd\":%d", directory);
}

static void call_close(struct worker *worker, const struct call *call)
{
    int result;
    MAKE(result, close(passed(worker, call)));
    log_call("close", result, result < 0, file_of(worker, call), "\"fd\":%d", KNOWN_FD);
    worker->descriptors[call->target].fd = -1;
}

static void call_dup(struct worker *worker, const struct call *call)
{
    struct descriptor *made = &worker->descriptors[call->other];
    int fd;
    if (made->fd >= 0)
        return;
    MAKE(fd, dup(passed(worker, call)));
    log_call("dup", fd, fd < 0, file_of(worker, call), "\"fd\":%d", KNOWN_FD);
    made->fd = fd;
    if (fd >= 0)
        path_of_descriptor(fd, made->file);
}

static void call_dup2(struct worker *worker, const struct call *call)
{
    struct descriptor *made = &worker->descriptors[call->other];
    int fd;
    if (KNOWN_FD < 0 || made->fd < 0 || call->target == call->other)
        return;
    MAKE(fd, dup2(KNOWN_FD, made->fd));
    log_call("dup2", fd, fd < 0, file_of(worker, call), "\"fd\":%d,\"to\":%d", KNOWN_FD, made->fd);
    if (fd >= 0)
        path_of_descriptor(fd, made->file);
}

static void call_dupfd(struct worker *worker, const struct call *call)
{
    int fd, result;
    MAKE(fd, fcntl(passed(worker, call), F_DUPFD, 40));
    log_call("fcntl", fd, fd < 0, file_of(worker, call), "\"fd\":%d,\"cmd\":%d", KNOWN_FD, F_DUPFD);
    if (fd < 0)
        return;
    char file[LONGEST_PATH];
    path_of_descriptor(fd, file);
    MAKE(result, close(fd));
    log_call("close", result, result < 0, file, "\"fd\":%d", fd);
}

static void call_pipe(struct worker *worker, const struct call *call)
{
    int ends[2], result;
    char files[2][LONGEST_PATH];
    ssize_t moved;
    size_t count = count_of(worker, call) % 1000;
    MAKE(result, pipe(ends));
    log_call("pipe", result, result < 0, NULL, "\"fds\":[%d,%d]", ends[0], ends[1]);
    for (int i = 0; i < 2; i++)
        path_of_descriptor(ends[i], files[i]);
    MAKE(moved, write(ends[1], buffer, count));
    log_call("write", moved, moved < 0, files[1], "\"fd\":%d,\"count\":%lld", ends[1],
             (long long)count);
    for (int i = 0; i < 2; i++) {
        MAKE(result, close(ends[i]));
        log_call("close", result, result < 0, files[i], "\"fd\":%d", ends[i]);
    }
}

/* ---- names ---- */

static void on_path(struct worker *worker, const struct call *call, const char *function,
                    int (*make)(const char *))
{
    char name[LONGEST_PATH], file[LONGEST_PATH];
    int result;
    name_file(worker, choice_of(worker, call), name);
    absolute(worker, NULL, name, file);
    MAKE(result, make(name));
    log_call(function, result, result < 0, file, "\"path\":\"%s\"", name);
}

static int make_stat(const char *path)
{
    struct stat facts;
    return stat(path, &facts);
}

static int make_unlink(const char *path)
{
    return unlink(path);
}

static int make_rmdir(const char *path)
{
    return rmdir(path);
}

static int make_access(const char *path)
{
    return access(path, R_OK);
}

static void call_stat(struct worker *worker, const struct call *call)
{
    on_path(worker, call, "stat", make_stat);
}

static void call_access(struct worker *worker, const struct call *call)
{
    on_path(worker, call, "access", make_access);
}

static void call_unlink(struct worker *worker, const struct call *call)
{
    on_path(worker, call, "unlink", make_unlink);
}

static void call_rmdir(struct worker *worker, const struct call *call)
{
    on_path(worker, call, "rmdir", make_rmdir);
}

static void call_rename(struct worker *worker, const struct call *call)
{
    char from[LONGEST_PATH], to[LONGEST_PATH], file[LONGEST_PATH];
    int64_t choice = choice_of(worker, call);
    int result;
    name_file(worker, choice, from);
    name_file(worker, choice / 7 + 1, to);
    absolute(worker, NULL, from, file);
    MAKE(result, rename(from, to));
    log_call("rename", result, result < 0, file, "\"from\":\"%s\",\"to\":\"%s\"", from, to);
}

static void call_symlink(struct worker *worker, const struct call *call)
{
    char name[LONGEST_PATH], file[LONGEST_PATH];
    int result;
    name_file(worker, choice_of(worker, call), name);
    absolute(worker, NULL, name, file);
    MAKE(result, symlink("nowhere", name));
    log_call("symlink", result, result < 0, file, "\"target\":\"nowhere\",\"path\":\"%s\"", name);
}

static void call_chdir(struct worker *worker, const struct call *call)
{
    char file[LONGEST_PATH];
    int result;
    const char *to = choice_of(worker, call) % 2 ? "d" : "..";
    if (worker->name != 'a') /* threads share it; the first is alone when it does this */
        return;
    absolute(worker, NULL, to, file);
    MAKE(result, chdir(to));
    log_call("chdir", result, result < 0, file, "\"path\":\"%s\"", to);
    if (result == 0 && strcmp(to, "d") == 0) {
        MAKE(result, chdir(".."));
        char base[LONGEST_PATH];
        absolute(worker, NULL, "d", base);
        absolute(worker, base, "..", file);
        log_call("chdir", result, result < 0, file, "\"path\":\"..\"");
    } else if (result == 0) {
        const char *back = worker->cwd;
        MAKE(result, chdir(back));
        log_call("chdir", result, result < 0, back, "\"path\":\"%s\"", back);
    }
}

/* ---- streams ---- */

static struct stream *stream_of(struct worker *worker, const struct call *call)
{
    return &worker->streams[call->target % STREAMS];
}

static void call_fopen(struct worker *worker, const struct call *call)
{
    static const char *const modes[] = {"w+", "r+", "a+", "r", "w"};
    struct stream *stream = stream_of(worker, call);
    char name[LONGEST_PATH], file[LONGEST_PATH];
    int64_t choice = choice_of(worker, call);
    const char *mode = modes[(uint64_t)choice / 40 % 5];
    if (stream->stream)
        return;
    name_file(worker, choice, name);
    absolute(worker, NULL, name, file);
    MAKE(stream->stream, fopen(name, mode));
    log_call("fopen", stream->stream ? ANY_RESULT : NULL_RESULT, !stream->stream, file,
             "\"path\":\"%s\",\"mode\":\"%s\"", name, mode);
    strcpy(stream->file, file);
}

static void call_fdopen(struct worker *worker, const struct call *call)
{
    struct stream *stream = &worker->streams[call->other % STREAMS];
    if (stream->stream || KNOWN_FD < 0)
        return;
    MAKE(stream->stream, fdopen(KNOWN_FD, "r"));
    log_call("fdopen", stream->stream ? ANY_RESULT : NULL_RESULT, !stream->stream,
             file_of(worker, call), "\"fd\":%d,\"mode\":\"r\"", KNOWN_FD);
    if (!stream->stream)
        return;
    path_of_descriptor(KNOWN_FD, stream->file);
    KNOWN_FD = -1;
}

static void call_fclose(struct worker *worker, const struct call *call)
{
    struct stream *stream = stream_of(worker, call);
    int result;
    if (!stream->stream)
        return;
    MAKE(result, fclose(stream->stream));
    log_call("fclose", result, result < 0, stream->file, "%s", "");
    stream->stream = NULL;
}

static void call_fread(struct worker *worker, const struct call *call)
{
    struct stream *stream = stream_of(worker, call);
    size_t size = 1 + (size_t)(choice_of(worker, call) % 9), items = count_of(worker, call) % 500,
           moved;
    if (!stream->stream)
        return;
    MAKE(moved, fread(buffer, size, items, stream->stream));
    log_call("fread", (int64_t)moved, false, stream->file, "\"size\":%zu,\"n\":%zu", size, items);
}

static void call_fwrite(struct worker *worker, const struct call *call)
{
    struct stream *stream = stream_of(worker, call);
    size_t size = 1 + (size_t)(choice_of(worker, call) % 9), items = count_of(worker, call) % 500,
           moved;
    if (!stream->stream)
        return;
    MAKE(moved, fwrite(buffer, size, items, stream->stream));
    log_call("fwrite", (int64_t)moved, false, stream->file, "\"size\":%zu,\"n\":%zu", size, items);
}

static void call_fseek(struct worker *worker, const struct call *call)
{
    struct stream *stream = stream_of(worker, call);
    int whence = (int)(choice_of(worker, call) % 3), result;
    long distance = value_of(worker, &call->offset);
    if (!stream->stream)
        return;
    MAKE(result, fseek(stream->stream, distance, whence));
    log_call("fseek", result, result < 0, stream->file, "\"distance\":%ld,\"whence\":%d", distance,
             whence);
}

static void call_ftell(struct worker *worker, const struct call *call)
{
    struct stream *stream = stream_of(worker, call);
    long position;
    if (!stream->stream)
        return;
    MAKE(position, ftell(stream->stream));
    log_call("ftell", position, position < 0, stream->file, "%s", "");
}

static void call_rewind(struct worker *worker, const struct call *call)
{
    struct stream *stream = stream_of(worker, call);
    if (!stream->stream)
        return;
    log_before();
    rewind(stream->stream);
    log_after();
    log_call("rewind", NULL_RESULT, false, stream->file, "%s", "");
}

static void call_fflush(struct worker *worker, const struct call *call)
{
    struct stream *stream = stream_of(worker, call);
    int result;
    if (!stream->stream)
        return;
    MAKE(result, fflush(stream->stream));
    log_call("fflush", result, result < 0, stream->file, "%s", "");
}

static void call_fputs(struct worker *worker, const struct call *call)
{
    struct stream *stream = stream_of(worker, call);
    char text[64];
    int result;
    snprintf(text, sizeof text, "text %lld", (long long)(choice_of(worker, call) % 100));
    if (!stream->stream)
        return;
    MAKE(result, fputs(text, stream->stream));
    log_call("fputs", result < 0 ? -1 : (int64_t)strlen(text), result < 0, stream->file,
             "\"s\":%zu", strlen(text));
}

static void call_fgets(struct worker *worker, const struct call *call)
{
    struct stream *stream = stream_of(worker, call);
    int size = 2 + (int)(count_of(worker, call) % 300);
    const char *line;
    if (!stream->stream)
        return;
    MAKE(line, fgets(buffer, size, stream->stream));
    log_call("fgets", line ? (int64_t)strlen(line) : NULL_RESULT, !line, stream->file,
             "\"size\":%d", size);
    memset(buffer, 'x', 400);
}

static void call_fgetc(struct worker *worker, const struct call *call)
{
    struct stream *stream = stream_of(worker, call);
    int character;
    if (!stream->stream)
        return;
    MAKE(character, fgetc(stream->stream));
    log_call("fgetc", character < 0 ? -1 : 1, character < 0, stream->file, "%s", "");
}

static void call_fputc(struct worker *worker, const struct call *call)
{
    struct stream *stream = stream_of(worker, call);
    int character = (int)(choice_of(worker, call) % 256), result;
    if (!stream->stream)
        return;
    MAKE(result, fputc(character, stream->stream));
    log_call("fputc", result < 0 ? -1 : 1, result < 0, stream->file, "%s", "");
}

static void call_fprintf(struct worker *worker, const struct call *call)
{
    struct stream *stream = stream_of(worker, call);
    long long number = choice_of(worker, call);
    int result;
    if (!stream->stream)
        return;
    MAKE(result, fprintf(stream->stream, "%lld\n", number));
    log_call("fprintf", result, result < 0, stream->file, "%s", "");
}

/* ---- all of them ---- */

static const struct {
    void (*make)(struct worker *, const struct call *);
    int weight;
} calls[] = {
    {call_read, 6},   {call_write, 8},   {call_pread, 8},    {call_pwrite, 12},   {call_readv, 2},
    {call_writev, 3}, {call_pwritev, 3}, {call_lseek, 8},    {call_ftruncate, 1}, {call_fadvise, 1},
    {call_fsync, 1},  {call_fstat, 2},   {call_sendfile, 2}, {call_mmap, 2},      {call_open, 16},
    {call_openat, 3}, {call_close, 8},   {call_dup, 2},      {call_dup2, 2},      {call_dupfd, 1},
    {call_pipe, 1},   {call_stat, 3},    {call_access, 2},   {call_unlink, 2},    {call_rmdir, 1},
    {call_rename, 2}, {call_symlink, 1}, {call_chdir, 1},    {call_fopen, 10},    {call_fdopen, 2},
    {call_fclose, 4}, {call_fread, 4},   {call_fwrite, 4},   {call_fseek, 3},     {call_ftell, 2},
    {call_aio, 1},    {call_rewind, 1},  {call_fflush, 1},   {call_fputs, 2},     {call_fgets, 2},
    {call_fgetc, 2},  {call_fputc, 2},   {call_fprintf, 2},
};
const int call_count = sizeof calls / sizeof *calls;

int call_weight(int which)
{
    return calls[which].weight;
}

void make_call(struct worker *worker, const struct call *call)
{
    calls[call->which].make(worker, call);
}

void calls_start(void)
{
    buffer = kernel_map(BUFFER + 4096, MAP_PRIVATE | MAP_ANONYMOUS);
    kernel(SYS_mprotect, (long)(buffer + BUFFER), 4096, PROT_NONE, 0);
    memset(buffer, 'x', BUFFER);
}

void worker_start(struct worker *worker, char name, uint64_t seed)
{
    *worker = (struct worker){.random = seed, .name = name};
    kernel(SYS_getcwd, (long)worker->cwd, sizeof worker->cwd, 0, 0);
    for (int i = 0; i < DESCRIPTORS; i++)
        worker->descriptors[i].fd = -1;
}

void worker_hoard(struct worker *worker)
{
    char file[LONGEST_PATH];
    absolute(worker, NULL, "d", file);
    for (; worker->hoarded < HOARD; worker->hoarded++) {
        int fd;
        MAKE(fd, open("d", O_RDONLY));
        log_call("open", fd, fd < 0, file, "\"path\":\"d\",\"flags\":0,\"mode\":null");
        if (fd < 0)
            return;
        worker->hoard[worker->hoarded] = fd;
    }
}

void worker_end(struct worker *worker)
{
    char file[LONGEST_PATH];
    absolute(worker, NULL, "d", file);
    for (int i = 0; i < worker->hoarded; i++) {
        int result;
        MAKE(result, close(worker->hoard[i]));
        log_call("close", result, result < 0, file, "\"fd\":%d", worker->hoard[i]);
    }
    for (int i = 0; i < DESCRIPTORS; i++)
        if (worker->descriptors[i].fd >= 0)
            call_close(worker, &(struct call){.target = i});
    for (int i = 0; i < STREAMS; i++)
        call_fclose(worker, &(struct call){.target = i});
}

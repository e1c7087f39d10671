/* Files as most programs use them, through the page cache: writes that nobody waits for, the
 * time of fsync, reads from memory, and files that are opened, created and closed. The file has
 * no name. Its first part is read. The part after it starts again when it has become large, so
 * that writes get new pages, and hardly anything reaches the disk without a flush. */
#include "measure/disk_file.h"

#include "measure/disk_speed.h"

#include <fcntl.h>
#include <unistd.h>

enum { KEPT = 32 << 20, MOST_CACHED = 2 * KEPT };
enum { LEAST_CACHED_RECORD = 4 << 10, MOST_CACHED_RECORD = 4 << 20 };

/* Where a large block begins that malloc gives: 16 bytes into a page. Some processors copy from
 * pages to there much slower than to a page. */
static char *own_bytes(const struct fth_disk_file *file)
{
    enum { BEHIND_A_HEAD = 16 };
    return file->buffer + BEHIND_A_HEAD;
}

static int fail(const struct fth_disk_file *file, const char *what, struct fth_error **error)
{
    return fth_fail_errno(error, "cannot %s a file in '%s'", what, file->folder);
}

static int write_at(const struct fth_disk_file *file, uint64_t offset, uint64_t bytes,
                    struct fth_error **error)
{
    for (uint64_t done = 0; done < bytes;) {
        ssize_t written =
            pwrite(file->cached, own_bytes(file) + done, bytes - done, (off_t)(offset + done));
        if (written < 0)
            return fail(file, "write", error);
        done += (uint64_t)written;
    }
    return 0;
}

static int begin_anew(struct fth_disk_file *file, struct fth_error **error)
{
    file->cached_size = KEPT;
    return ftruncate(file->cached, KEPT) ? fail(file, "shorten", error) : 0;
}

static int append(struct fth_disk_file *file, uint64_t bytes, struct fth_error **error)
{
    file->cached_size += bytes;
    return write_at(file, file->cached_size - bytes, bytes, error);
}

/* One behind the other, as programs write. */
static int cached_write(struct fth_trial *trial, void *context, double *nanoseconds,
                        struct fth_error **error)
{
    struct fth_disk_file *file = context;
    int64_t time = 0;
    for (uint32_t i = 0; i < trial->batch; i++) {
        if (file->cached_size + trial->bytes > MOST_CACHED && begin_anew(file, error))
            return -1;
        int64_t start = fth_measure_now();
        if (append(file, trial->bytes, error))
            return -1;
        time += fth_measure_now() - start;
    }
    *nanoseconds = (double)time;
    return 0;
}

static int cached_read(struct fth_trial *trial, void *context, double *nanoseconds,
                       struct fth_error **error)
{
    struct fth_disk_file *file = context;
    int64_t start = fth_measure_now();
    for (uint32_t i = 0; i < trial->batch; i++) {
        if (file->read_at + trial->bytes > KEPT)
            file->read_at = 0;
        ssize_t got = pread(file->cached, own_bytes(file), trial->bytes, (off_t)file->read_at);
        if (got != (ssize_t)trial->bytes)
            return fail(file, "read", error);
        file->read_at += trial->bytes;
    }
    *nanoseconds = (double)(fth_measure_now() - start);
    return 0;
}

/* Nothing else of the file is to be written then: what other trials left goes before. What is new
 * in a file takes its metadata along, which is how most programs meet a flush. */
static int flush(struct fth_trial *trial, void *context, double *nanoseconds,
                 struct fth_error **error)
{
    struct fth_disk_file *file = context;
    if (begin_anew(file, error))
        return -1;
    if (fsync(file->cached))
        return fail(file, "flush", error);
    if (append(file, trial->bytes, error))
        return -1;
    int64_t start = fth_measure_now();
    if (fsync(file->cached))
        return fail(file, "flush", error);
    *nanoseconds = (double)(fth_measure_now() - start);
    return 0;
}

/* The folder, since our files have no names. */
static int open_there(struct fth_trial *trial, void *context, double *nanoseconds,
                      struct fth_error **error)
{
    struct fth_disk_file *file = context;
    (void)trial;
    int64_t start = fth_measure_now();
    int descriptor = open(file->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *nanoseconds = (double)(fth_measure_now() - start);
    if (descriptor < 0)
        return fail(file, "look for", error);
    close(descriptor);
    return 0;
}

static int make(struct fth_trial *trial, void *context, double *nanoseconds,
                struct fth_error **error)
{
    struct fth_disk_file *file = context;
    (void)trial;
    int64_t start = fth_measure_now();
    int descriptor = fth_disk_open_unnamed(file->folder, 0);
    *nanoseconds = (double)(fth_measure_now() - start);
    if (descriptor < 0)
        return fail(file, "make", error);
    close(descriptor);
    return 0;
}

/* With the last descriptor the file goes, too, as it does when a name is deleted. */
static int make_and_close(struct fth_trial *trial, void *context, double *nanoseconds,
                          struct fth_error **error)
{
    struct fth_disk_file *file = context;
    (void)trial;
    int descriptor = fth_disk_open_unnamed(file->folder, 0);
    if (descriptor < 0)
        return fail(file, "make", error);
    int64_t start = fth_measure_now();
    close(descriptor);
    *nanoseconds = (double)(fth_measure_now() - start);
    return 0;
}

/* In small records, as programs write: what is written at once may lie in larger pieces of memory,
 * which are read faster. */
static int fill(struct fth_disk_file *file, struct fth_error **error)
{
    for (uint64_t at = 0; at < KEPT; at += FTH_DISK_LEAST_RECORD)
        if (write_at(file, at, FTH_DISK_LEAST_RECORD, error))
            return -1;
    file->cached_size = KEPT;
    return 0;
}

int fth_disk_cache_open(struct fth_disk_file *file, struct fth_trials *trials,
                        struct fth_error **error)
{
    static const struct {
        const char *name;
        fth_kernel *kernel;
        uint32_t batch;
    } kernels[] = {
        {"cached write", cached_write, 0}, {"cached read", cached_read, 0}, {"flush", flush, 1}};
    file->cached = fth_disk_open_unnamed(file->folder, 0);
    if (file->cached < 0)
        return fail(file, "make", error);
    if (fill(file, error)) {
        close(file->cached);
        return -1;
    }
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        for (uint64_t bytes = LEAST_CACHED_RECORD; bytes <= MOST_CACHED_RECORD; bytes *= 4)
            fth_trials_add(trials, "disk", kernels[i].name, bytes, kernels[i].kernel,
                           kernels[i].batch);
    fth_trials_add(trials, "disk", "open", 0, open_there, 1);
    fth_trials_add(trials, "disk", "make", 0, make, 1);
    fth_trials_add(trials, "disk", "close and delete", 0, make_and_close, 1);
    return 0;
}

void fth_disk_cache_close(struct fth_disk_file *file)
{
    close(file->cached);
}

/* Names of files: see the header. Each round makes some files, does everything with them, and
 * deletes them, so that every trial finds what the one before has left. */
#include "measure/names_speed.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files, and records, of each round. */
enum { FILES = 256, RECORDS = 64 };

struct folder {
    struct fth_partner *partner;
    int directory, shared;
    char record[FTH_SHARED_RECORD];
};

static int fail(const struct folder *folder, const char *what, struct fth_error **error)
{
    return fth_fail_errno(error, "cannot %s files in '%s'", what,
                          fth_partner_folder(folder->partner));
}

static void name_of(char name[32], uint32_t number)
{
    snprintf(name, 32, "%u.0", number);
}

/* ---- one process ---- */

/* Closing is no part of it. */
static int create(struct fth_trial *trial, void *context, double *nanoseconds,
                  struct fth_error **error)
{
    struct folder *folder = context;
    char name[32];
    int files[FILES];
    int64_t start = fth_measure_now();
    for (uint32_t i = 0; i < trial->batch; i++) {
        name_of(name, i);
        files[i] = openat(folder->directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (files[i] < 0)
            return fail(folder, "create", error);
    }
    *nanoseconds = (double)(fth_measure_now() - start);
    for (uint32_t i = 0; i < trial->batch; i++)
        close(files[i]);
    return 0;
}

static int open_files(const struct folder *folder, uint32_t count, int *files)
{
    char name[32];
    for (uint32_t i = 0; i < count; i++) {
        name_of(name, i);
        files[i] = openat(folder->directory, name, O_WRONLY | O_CLOEXEC);
        if (files[i] < 0)
            return -1;
    }
    return 0;
}

static int open_again(struct fth_trial *trial, void *context, double *nanoseconds,
                      struct fth_error **error)
{
    struct folder *folder = context;
    int files[FILES];
    int64_t start = fth_measure_now();
    if (open_files(folder, trial->batch, files))
        return fail(folder, "open", error);
    *nanoseconds = (double)(fth_measure_now() - start);
    for (uint32_t i = 0; i < trial->batch; i++)
        close(files[i]);
    return 0;
}

static int close_files(struct fth_trial *trial, void *context, double *nanoseconds,
                       struct fth_error **error)
{
    struct folder *folder = context;
    int files[FILES];
    if (open_files(folder, trial->batch, files))
        return fail(folder, "open", error);
    int64_t start = fth_measure_now();
    for (uint32_t i = 0; i < trial->batch; i++)
        close(files[i]);
    *nanoseconds = (double)(fth_measure_now() - start);
    return 0;
}

static int stat_files(struct fth_trial *trial, void *context, double *nanoseconds,
                      struct fth_error **error)
{
    struct folder *folder = context;
    struct stat status;
    char name[32];
    int64_t start = fth_measure_now();
    for (uint32_t i = 0; i < trial->batch; i++) {
        name_of(name, i);
        if (fstatat(folder->directory, name, &status, 0))
            return fail(folder, "look at", error);
    }
    *nanoseconds = (double)(fth_measure_now() - start);
    return 0;
}

/* There and back, so that names are what they were: two renames. */
static int rename_files(struct fth_trial *trial, void *context, double *nanoseconds,
                        struct fth_error **error)
{
    struct folder *folder = context;
    char name[32], other[40];
    int64_t start = fth_measure_now();
    for (uint32_t i = 0; i < trial->batch / 2; i++) {
        name_of(name, i);
        snprintf(other, sizeof other, "%s.renamed", name);
        if (renameat(folder->directory, name, folder->directory, other) ||
            renameat(folder->directory, other, folder->directory, name))
            return fail(folder, "rename", error);
    }
    *nanoseconds = (double)(fth_measure_now() - start);
    return 0;
}

static int delete_files(struct fth_trial *trial, void *context, double *nanoseconds,
                        struct fth_error **error)
{
    struct folder *folder = context;
    int64_t start = fth_measure_now();
    if (fth_partner_delete(folder->directory, 0, trial->batch))
        return fail(folder, "delete", error);
    *nanoseconds = (double)(fth_measure_now() - start);
    return 0;
}

/* ---- two of them ---- */

static int two_create(struct fth_trial *trial, void *context, double *nanoseconds,
                      struct fth_error **error)
{
    struct folder *folder = context;
    if (fth_partner_begin(folder->partner, FTH_PARTNER_CREATES, trial->batch, 0, error))
        return -1;
    int64_t start = fth_measure_now();
    int result = fth_partner_create(folder->directory, 0, trial->batch);
    *nanoseconds = (double)(fth_measure_now() - start);
    if (fth_partner_wait(folder->partner, error))
        return -1;
    if (result || fth_partner_delete(folder->directory, 0, trial->batch))
        return fail(folder, "create", error);
    return 0;
}

/* The file is begun anew, so that what is written is new in it. */
static int write_shared(struct folder *folder, const struct fth_trial *trial, bool is_alone,
                        double *nanoseconds, struct fth_error **error)
{
    if (ftruncate(folder->shared, 0))
        return fail(folder, "shorten", error);
    if (!is_alone &&
        fth_partner_begin(folder->partner, FTH_PARTNER_WRITES, trial->batch, trial->bytes, error))
        return -1;
    int64_t start = fth_measure_now();
    int result = fth_partner_write(folder->shared, 0, trial->batch, trial->bytes, folder->record);
    *nanoseconds = (double)(fth_measure_now() - start);
    if (!is_alone && fth_partner_wait(folder->partner, error))
        return -1;
    return result ? fail(folder, "write", error) : 0;
}

static int one_writes(struct fth_trial *trial, void *context, double *nanoseconds,
                      struct fth_error **error)
{
    return write_shared(context, trial, true, nanoseconds, error);
}

static int two_write(struct fth_trial *trial, void *context, double *nanoseconds,
                     struct fth_error **error)
{
    return write_shared(context, trial, false, nanoseconds, error);
}

int fth_measure_names(struct fth_trials *trials, struct fth_partner *partner, int64_t budget,
                      struct fth_progress *progress, struct fth_error **error)
{
    static const struct {
        const char *name;
        uint64_t bytes;
        fth_kernel *kernel;
        uint32_t batch;
    } kernels[] = {{"create", 0, create, FILES},
                   {"open again", 0, open_again, FILES},
                   {"close", 0, close_files, FILES},
                   {"stat", 0, stat_files, FILES},
                   {"rename", 0, rename_files, FILES},
                   {"delete", 0, delete_files, FILES},
                   {"two create", 0, two_create, FILES},
                   {"one writes", FTH_SHARED_RECORD, one_writes, RECORDS},
                   {"two write", FTH_SHARED_RECORD, two_write, RECORDS}};
    struct folder folder = {.partner = partner};
    folder.directory = open(fth_partner_folder(partner), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder.directory < 0)
        return fail(&folder, "make", error);
    folder.shared = fth_partner_shared(folder.directory);
    int result = folder.shared < 0 ? fail(&folder, "make", error) : 0;
    memset(folder.record, 1, sizeof folder.record);
    size_t first = trials->count;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        fth_trials_add(trials, "files", kernels[i].name, kernels[i].bytes, kernels[i].kernel,
                       kernels[i].batch);
    if (!result)
        result = fth_trials_run(trials, first, &folder, budget, progress, error);
    if (folder.shared >= 0)
        close(folder.shared);
    close(folder.directory);
    return result;
}

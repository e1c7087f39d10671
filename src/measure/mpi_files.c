/* Files through MPI-IO, in the partner's folder: opening one that is new, and one that is there,
 * writing to it, beside a write of the system to the same place, and closing it. The first open of
 * a process is apart, as the library loads what it needs for files then; there is one of them, so
 * nobody knows how sure it is. */
#include "measure/mpi_speed.h"
#include "measure/partner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { RECORD = 4 << 10, WRITES = 16 };
/* These numbers are the same in all of MPI. */
enum { MODE_CREATE = 1, MODE_READ_WRITE = 8 };

struct mpi_files {
    const struct fth_mpi *mpi;
    char path[4200];
    void *file;
    char status[256]; /* larger than that of any MPI */
    char record[RECORD];
};

static int fail(const struct mpi_files *files, const char *what, struct fth_error **error)
{
    return fth_fail(error, "%s of '%s' failed", what, files->path);
}

static int open_file(struct mpi_files *files, int mode, double *nanoseconds,
                     struct fth_error **error)
{
    int64_t start = fth_measure_now();
    int code = files->mpi->file_open(files->mpi->self, files->path, mode | MODE_READ_WRITE,
                                     files->mpi->no_info, &files->file);
    *nanoseconds = (double)(fth_measure_now() - start);
    return code ? fail(files, "MPI_File_open", error) : 0;
}

static int open_new(struct fth_trial *trial, void *context, double *nanoseconds,
                    struct fth_error **error)
{
    (void)trial;
    return open_file(context, MODE_CREATE, nanoseconds, error);
}

/* The first write makes the page. */
static int write_record(struct fth_trial *trial, void *context, double *nanoseconds,
                        struct fth_error **error)
{
    struct mpi_files *files = context;
    const struct fth_mpi *mpi = files->mpi;
    int64_t start = 0;
    for (uint32_t i = 0; i <= trial->batch; i++) {
        if (i == 1)
            start = fth_measure_now();
        if (mpi->file_write_at(files->file, 0, files->record, RECORD, mpi->byte,
                               mpi->no_status ? mpi->no_status : files->status))
            return fail(files, "MPI_File_write_at", error);
    }
    *nanoseconds = (double)(fth_measure_now() - start);
    return 0;
}

static int write_plainly(struct fth_trial *trial, void *context, double *nanoseconds,
                         struct fth_error **error)
{
    struct mpi_files *files = context;
    int file = open(files->path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return fail(files, "open", error);
    int64_t start = fth_measure_now();
    ssize_t written = RECORD;
    for (uint32_t i = 0; i < trial->batch && written == RECORD; i++)
        written = pwrite(file, files->record, RECORD, 0);
    *nanoseconds = (double)(fth_measure_now() - start);
    close(file);
    return written == RECORD ? 0 : fail(files, "pwrite", error);
}

static int close_file(struct fth_trial *trial, void *context, double *nanoseconds,
                      struct fth_error **error)
{
    struct mpi_files *files = context;
    (void)trial;
    int64_t start = fth_measure_now();
    int code = files->mpi->file_close(&files->file);
    *nanoseconds = (double)(fth_measure_now() - start);
    return code ? fail(files, "MPI_File_close", error) : 0;
}

/* It is gone afterwards, for the next round. */
static int open_old(struct fth_trial *trial, void *context, double *nanoseconds,
                    struct fth_error **error)
{
    struct mpi_files *files = context;
    (void)trial;
    if (open_file(files, 0, nanoseconds, error))
        return -1;
    if (files->mpi->file_close(&files->file))
        return fail(files, "MPI_File_close", error);
    return unlink(files->path) ? fail(files, "unlink", error) : 0;
}

static int open_first(struct fth_trials *trials, struct mpi_files *files, struct fth_error **error)
{
    double nanoseconds;
    fth_trials_add(trials, "MPI-IO", "first MPI_File_open", 0, open_new, 1);
    if (open_file(files, MODE_CREATE, &nanoseconds, error))
        return -1;
    fth_timings_add(&trials->list[trials->count - 1].timings, nanoseconds);
    if (files->mpi->file_close(&files->file))
        return fail(files, "MPI_File_close", error);
    return unlink(files->path) ? fail(files, "unlink", error) : 0;
}

int fth_measure_mpi_files(struct fth_measured *measured, const struct fth_mpi *mpi, int64_t budget,
                          struct fth_progress *progress, struct fth_error **error)
{
    struct fth_trials *trials = &measured->trials;
    struct mpi_files files = {.mpi = mpi};
    snprintf(files.path, sizeof files.path, "%s/mpi", fth_partner_folder(measured->partner));
    if (open_first(trials, &files, error))
        return -1;
    size_t first = trials->count;
    fth_trials_add(trials, "MPI-IO", "MPI_File_open, new", 0, open_new, 1);
    fth_trials_add(trials, "MPI-IO", "MPI_File_write_at", RECORD, write_record, WRITES);
    fth_trials_add(trials, "MPI-IO", "pwrite", RECORD, write_plainly, WRITES);
    fth_trials_add(trials, "MPI-IO", "MPI_File_close", 0, close_file, 1);
    fth_trials_add(trials, "MPI-IO", "MPI_File_open, old", 0, open_old, 1);
    return fth_trials_run(trials, first, &files, budget, progress, error);
}

/* The processes of an imported trace, as process files of a spill folder. */
#ifndef FTH_IMPORT_SHARED_IMPORTED_PROCESS_H
#define FTH_IMPORT_SHARED_IMPORTED_PROCESS_H

#include "import/shared/imported_stream.h"
#include "trace/record/spill.h"

struct fth_imported_process {
    uint64_t image, previous; /* previous: the image that forked it or became it; 0: not known */
    int64_t pid, parent_pid;
    int64_t start, last; /* ns since 1970 */
    unsigned streams;
    enum fth_spill_end ended;
    int status;
    int64_t rank, size;           /* of MPI_COMM_WORLD; -1 */
    uint64_t world;               /* odd: of MPI_COMM_WORLD, the same on its ranks; 0: none */
    char *host, *exe, *directory; /* or NULL */
    char *mpi, *mpi_abi;          /* its MPI library, whose constants it uses; or NULL */
    struct fth_bytes arguments;   /* each with a zero behind it */
};

/* Where a trace goes: the folder, and the first time of the run. */
struct fth_imported_run {
    struct fth_imported_folder folder;
    int64_t start, end; /* ns since 1970 */
    uint64_t images;
};

/* Ticks of a time. */
static inline uint64_t fth_imported_ticks(const struct fth_imported_run *run, int64_t time)
{
    return time <= run->start ? 1000000000 : (uint64_t)(time - run->start) + 1000000000;
}

/* A number for a process image that no other one has. */
uint64_t fth_imported_image(struct fth_imported_run *run, int64_t pid);
struct fth_imported_stream *fth_imported_thread(struct fth_imported_run *run,
                                                struct fth_imported_process *process, int64_t tid,
                                                int64_t start);
/* Writes its file, and frees what it has, but not the structure. */
void fth_imported_process_close(struct fth_imported_run *run, struct fth_imported_process *process);

#endif

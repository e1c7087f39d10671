/* MPI-IO: one of the ranks opens the file through a link that was there before the run (nobody sees
 * it made here).
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: racy */
#include <mpi.h>

#include "litmus.h"

#include <sys/syscall.h>

static void program(int rank)
{
    MPI_File file;
    if (rank == 0)
        must(syscall(SYS_symlinkat, "shared", AT_FDCWD, "link") == 0, "symlink");
    MPI_Barrier(MPI_COMM_WORLD);
    must(MPI_File_open(MPI_COMM_SELF, rank ? "link" : "shared", MPI_MODE_RDWR, MPI_INFO_NULL,
                       &file) == MPI_SUCCESS,
         "MPI_File_open");
    put_at(file, 4 * rank, 4 * rank + 8);
    MPI_File_close(&file);
}

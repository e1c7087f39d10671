/* One seeks to the end of the file, the other one appends.
 * ranks: 2
 * names: lseek write
 * posix: none  commit: none  session: none  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", rank == 0 ? 0 : O_APPEND);
    if (rank == 0)
        must(lseek(file, 0, SEEK_END) >= 4096, "lseek");
    else
        must(write(file, bytes, 8) == 8, "write");
    close(file);
}

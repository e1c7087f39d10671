/* One asks for the size of the open file, the other one cuts it off: a race of names and sizes, and
 * of no bytes.
 * ranks: 2
 * names: fstat ftruncate
 * posix: none  commit: none  session: none  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

#include <sys/stat.h>

static void program(int rank)
{
    struct stat status;
    int file = open_file("shared", 0);
    if (rank == 0)
        must(fstat(file, &status) == 0, "fstat");
    else
        must(ftruncate(file, 0) == 0, "ftruncate");
    close(file);
}

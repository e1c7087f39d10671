/* splice moves fewer bytes to a pipe than asked for and than it has room for, as the file ends,
 * where the other process writes in no order with it.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#define _GNU_SOURCE
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    must(ftruncate(file, 100) == 0, "ftruncate");
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        off_t from = 92;
        int ends[2];
        must(pipe(ends) == 0 && splice(file, &from, ends[1], NULL, 16, 0) == 8, "splice");
        close(ends[0]);
        close(ends[1]);
        send_to(1, 0);
    } else {
        usleep(300000);
        put(file, 100, 108);
        receive_from(0, 0);
    }
    close(file);
}

/* Who empties the file has looked for it before, in vain, and nobody else makes it: there was
 * nothing to remove.
 * ranks: 2
 * posix: none  commit: none  session: none  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file;
    if (rank == 0) {
        must(access("new", F_OK) != 0, "access");
        file = open_file("new", O_CREAT | O_TRUNC);
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        file = open_file("new", 0);
    }
    put(file, 8 * rank, 8 * rank + 8);
    close(file);
}

/* O_TRUNC with O_EXCL removes nothing: only what was written conflicts with the read.
 * ranks: 2
 * posix: safe  commit: safe  session: safe  mpi-io: none
 * pairs: 1 */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file;
    if (rank == 0) {
        file = open_file("new", O_CREAT | O_EXCL | O_TRUNC);
        put(file, 0, 8);
        close(file);
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        file = open_file("new", 0);
        get(file, 0, 8);
        close(file);
    }
}

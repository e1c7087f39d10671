/* Nothing says whether the file was there before: the read may conflict with what was removed, too.
 * ranks: 2
 * posix: safe  commit: safe  session: safe  mpi-io: none
 * pairs: 2 */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file;
    if (rank == 0) {
        file = open_file("shared", O_CREAT | O_TRUNC);
        put(file, 0, 8);
        close(file);
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        file = open_file("shared", 0);
        get(file, 0, 8);
        close(file);
    }
}

/* copy_file_range moves fewer bytes than asked for, as the file ends, where the other process
 * writes in no order with it.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none
 * pairs: 1 */
#define _GNU_SOURCE
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        off_t from = 4088;
        int to = open_file("other", 0);
        must(copy_file_range(file, &from, to, NULL, 16, 0) == 8, "copy_file_range");
        close(to);
        send_to(1, 0);
    } else {
        usleep(300000);
        put(file, 4096, 4104);
        receive_from(0, 0);
    }
    close(file);
}

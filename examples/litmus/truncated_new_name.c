/* The name is new, but not the file, which has got it as another one: it is emptied.
 * ranks: 2
 * posix: safe  commit: safe  session: safe  mpi-io: none
 * pairs: 1 */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    if (rank == 0) {
        must(access("new", F_OK) != 0, "access");
        must(link("shared", "new") == 0, "link");
        close(open_file("new", O_CREAT | O_TRUNC));
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        int file = open_file("shared", 0);
        must(pread(file, bytes, 8, 0) == 0, "pread");
        close(file);
    }
}

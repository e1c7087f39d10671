/* sendfile moves fewer bytes than asked for, as the file ends, where the other process writes
 * in no order with it.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none
 * pairs: 1 */
#include <mpi.h>

#include "litmus.h"

#include <sys/sendfile.h>

static void program(int rank)
{
    int file = open_file("shared", 0);
    if (rank == 0) {
        int to = open_file("other", 0);
        must(lseek(file, 4088, SEEK_SET) == 4088 && sendfile(to, file, NULL, 16) == 8, "sendfile");
        close(to);
        send_to(1, 0);
    } else {
        usleep(300000);
        put(file, 4096, 4104);
        receive_from(0, 0);
    }
    close(file);
}

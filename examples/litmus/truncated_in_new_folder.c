/* A file of a new folder is new, whatever it is renamed to: only what was written conflicts with
 * the read.
 * ranks: 2
 * posix: safe  commit: safe  session: safe  mpi-io: none
 * pairs: 1 */
#include <mpi.h>

#include "litmus.h"

#include <sys/stat.h>

static void program(int rank)
{
    int file;
    if (rank == 0) {
        must(mkdir("folder", 0700) == 0, "mkdir");
        file = open_file("folder/part", O_CREAT | O_TRUNC);
        put(file, 0, 8);
        close(file);
        must(rename("folder/part", "folder/whole") == 0, "rename");
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        file = open_file("folder/whole", 0);
        get(file, 0, 8);
        close(file);
    }
}

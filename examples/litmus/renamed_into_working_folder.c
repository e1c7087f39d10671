/* The same file, by a relative name in the folder that the process has changed to; its old name is
 * absolute.
 * ranks: 2
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

#include <sys/stat.h>

static void program(int rank)
{
    int file;
    if (rank == 0) {
        char *name = realpath("shared", NULL);
        must(name && mkdir("folder", 0700) == 0, "mkdir");
        file = open_file("shared", 0);
        put(file, 0, 8);
        close(file);
        must(chdir("folder") == 0 && rename(name, "moved") == 0, "rename");
        free(name);
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        file = open_file("folder/moved", 0);
        get(file, 0, 8);
        close(file);
    }
}

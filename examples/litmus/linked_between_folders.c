/* The same file, by another name, in another folder: both folders are descriptors.
 * ranks: 2
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

#include <sys/stat.h>

static void program(int rank)
{
    int file;
    if (rank == 0) {
        must(mkdir("one", 0700) == 0 && mkdir("two", 0700) == 0, "mkdir");
        int one = open("one", O_RDONLY | O_DIRECTORY), two = open("two", O_RDONLY | O_DIRECTORY);
        must(one >= 0 && two >= 0, "open");
        file = openat(one, "name", O_RDWR | O_CREAT, 0600);
        must(file >= 0, "openat");
        must(linkat(one, "name", two, "name", 0) == 0, "linkat");
        put(file, 0, 8);
        close(file);
        close(one);
        close(two);
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        file = open_file("two/name", 0);
        get(file, 0, 8);
        close(file);
    }
}

/* Bytes are put into the file: what is in front of them stays, and the file was made longer before.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    if (fallocate(file, FALLOC_FL_INSERT_RANGE, 4096, 4096) != 0)
        _exit(77); /* not on this file system */
    close(file);
}

int main(void)
{
    int made = open_file("shared", 0);
    must(ftruncate(made, 65536) == 0, "ftruncate");
    close(made);
    pid_t writer = start(first);
    int file = open_file("shared", 0);
    get(file, 0, 8);
    close(file);
    int status;
    must(waitpid(writer, &status, 0) == writer, "waitpid");
    return WEXITSTATUS(status);
}

/* A hole is made where somebody reads.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    if (fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 4096, 4096) != 0)
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
    get(file, 4096, 4104);
    close(file);
    int status;
    must(waitpid(writer, &status, 0) == writer, "waitpid");
    return WEXITSTATUS(status);
}

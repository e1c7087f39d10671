/* Bytes are taken out of the file: all that is behind them moves, where somebody reads.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    if (fallocate(file, FALLOC_FL_COLLAPSE_RANGE, 0, 4096) != 0)
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
    get(file, 32768, 32776);
    close(file);
    int status;
    must(waitpid(writer, &status, 0) == writer, "waitpid");
    return WEXITSTATUS(status);
}

/* A program reads its standard input where the shell that became it has opened it: what was written
 * there, and waited for.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

int main(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    fsync(file);
    close(file);
    must(system("cat < shared > other") == 0, "system");
    return 0;
}

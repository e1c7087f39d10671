/* A process reads what it has written, and synchronized: that is enough everywhere.
 * posix: none  commit: none  session: none  mpi-io: none
 * alone: none */
#include "litmus.h"

int main(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    must(fsync(file) == 0, "fsync");
    get(file, 0, 8);
    close(file);
    return 0;
}

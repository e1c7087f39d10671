/* A process reads what it has just written: BurstFS may give it something older.
 * posix: none  commit: none  session: none  mpi-io: none
 * alone: BurstFS */
#include "litmus.h"

int main(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    get(file, 0, 8);
    close(file);
    return 0;
}

/* A process writes over what it has written: not all file systems keep the order of its writes.
 * posix: none  commit: none  session: none  mpi-io: none
 * alone: BurstFS PLFS PVFS2 */
#include "litmus.h"

int main(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    put(file, 4, 12);
    close(file);
    return 0;
}

/* A process writes over what it has written, and synchronized: some file systems never say which of
 * the two is kept.
 * posix: none  commit: none  session: none  mpi-io: none
 * alone: PLFS PVFS2 */
#include "litmus.h"

int main(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    must(fsync(file) == 0, "fsync");
    put(file, 4, 12);
    close(file);
    return 0;
}

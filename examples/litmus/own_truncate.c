/* A process cuts the file off and writes it anew: that is no write over another one.
 * posix: none  commit: none  session: none  mpi-io: none
 * alone: none */
#include "litmus.h"

int main(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    must(ftruncate(file, 0) == 0, "ftruncate");
    close(file);
    return 0;
}

/* A shell and the program that it runs read what was closed before.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

int main(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    close(file);
    return system("head -c 8 shared > /dev/null") != 0;
}

/* A shell is run, and waited for.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

int main(void)
{
    must(system("echo 8 bytes > shared") == 0, "system");
    get(open_file("shared", 0), 0, 8);
    return 0;
}

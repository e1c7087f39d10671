/* What a shell opened for a program is closed when that ends: `./p > raw; cat raw`.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

int main(void)
{
    must(system("dd if=/dev/zero bs=8 count=1 >shared; cat shared >other") == 0, "system");
    return 0;
}

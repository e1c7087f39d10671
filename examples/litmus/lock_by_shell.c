/* The way of shells: exec opens the lock, flock(1) takes it, and another flock(1) gives it up.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

int main(void)
{
    must(system("f() { exec 9>other; flock 9 && echo $1 >shared; flock -u 9; }; f 1 & f 2; wait") ==
             0,
         "system");
    return 0;
}

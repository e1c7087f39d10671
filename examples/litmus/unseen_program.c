/* A program that is not recorded, as libc starts it after the environment was cleared, may access
 * the files, too: what is safe is so as far as was seen.
 * posix: seen  commit: seen  session: seen  mpi-io: seen */
#include "litmus.h"

static void first(void)
{
    must(!clearenv() && !system("printf a > shared"), "system");
}

static void second(void)
{
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}

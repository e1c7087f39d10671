/* O_PATH only looks the file up: nothing is emptied.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    must(open("shared", O_PATH | O_TRUNC) >= 0, "shared");
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

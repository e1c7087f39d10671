/* One process lets its own descriptor append; the other one writes by a descriptor that it has
 * opened itself, to the front, as it says. Nobody has both.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    must(fcntl(file, F_SETFL, O_APPEND) == 0, "fcntl");
}

static void second(void)
{
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    pid_t one = start(first), other = start(second);
    get(open_file("shared", 0), 100, 108);
    wait_for(one);
    wait_for(other);
    return 0;
}

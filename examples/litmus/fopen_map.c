/* The mode of fopen asks for a map of the file: what is read of it, and when, is not seen.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    FILE *stream = fopen("shared", "rm");
    must(stream && fgetc(stream) == 0, "shared");
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

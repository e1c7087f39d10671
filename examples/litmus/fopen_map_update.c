/* A stream that may write is not mapped, whatever its mode: a buffer is read, which the trace has.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    FILE *stream = fopen("shared", "r+m");
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

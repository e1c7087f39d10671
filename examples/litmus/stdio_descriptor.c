/* Two write at the descriptors of their streams, as C++ streams do: the flags of those are asked
 * for, and where they stand, so that the bytes are known.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void put_by_stream(off_t start)
{
    FILE *file = fopen("shared", "r+");
    must(file != NULL, "fopen");
    must(lseek(fileno(file), start, SEEK_SET) == start, "lseek");
    must(write(fileno(file), bytes, 8) == 8, "write");
    fclose(file);
}

static void first(void)
{
    put_by_stream(104);
}

int main(void)
{
    pid_t other = start(first);
    put_by_stream(100);
    wait_for(other);
    return 0;
}

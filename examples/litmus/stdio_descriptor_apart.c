/* Two write at the descriptors of their streams, as C++ streams do, one behind the other: they have
 * no byte in common.
 * posix: none  commit: none  session: none  mpi-io: none */
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
    put_by_stream(108);
}

int main(void)
{
    pid_t other = start(first);
    put_by_stream(100);
    wait_for(other);
    return 0;
}

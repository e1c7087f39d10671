/* A write behind the end of an empty file is before the read, as a pipe says, but not committed:
 * the zeros before it may not be there yet.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int ends[2];

static void first(void)
{
    char byte = 0;
    int file = open_file("new", 0);
    put(file, 100, 101);
    must(write(ends[1], &byte, 1) == 1, "write");
    wait_for_name("read");
    close(file);
}

int main(void)
{
    char byte;
    close(open_file("new", O_CREAT | O_EXCL));
    must(!pipe(ends), "pipe");
    pid_t writer = start(first);
    int file = open_file("new", 0);
    must(read(ends[0], &byte, 1) == 1, "read");
    (void)!pread(file, bytes, 10, 0);
    close(file);
    make_name("read");
    wait_for(writer);
    return 0;
}

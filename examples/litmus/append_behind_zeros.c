/* The file was emptied, and 16 bytes became zeros behind its end: the append is
 * behind that, where it is read.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", O_APPEND);
    must(pwrite(file, bytes, 8, 0) == 8, "pwrite");
    close(file);
}

int main(void)
{
    int file = open_file("shared", O_TRUNC);
    must(!fallocate(file, FALLOC_FL_ZERO_RANGE, 0, 16), "fallocate");
    close(file);
    pid_t writer = start(first);
    file = open_file("shared", 0);
    (void)!pread(file, bytes, 8, 16);
    close(file);
    wait_for(writer);
    return 0;
}

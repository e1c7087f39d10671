/* One cuts the file off, and makes a hole behind its end, another one reads where the file has no
 * byte in any order: it finds the end.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    must(!ftruncate(file, 4000), "ftruncate");
    must(!fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 8192, 4096), "fallocate");
    close(file);
}

int main(void)
{
    pid_t writer = start(first);
    int file = open_file("shared", 0);
    must(pread(file, bytes, 8, 4096) == 0, "pread");
    must(pread(file, bytes, 8, 9000) == 0, "pread");
    close(file);
    wait_for(writer);
    return 0;
}

/* Two append, another one reads where the file has no byte whoever comes first.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", O_APPEND);
    must(write(file, bytes, 8) == 8, "write");
    close(file);
}

int main(void)
{
    pid_t writers[] = {start(first), start(first)};
    int file = open_file("shared", 0);
    must(pread(file, bytes, 8, 4096 + 16) == 0, "pread");
    close(file);
    wait_for(writers[0]);
    wait_for(writers[1]);
    return 0;
}

/* O_EXCL without O_CREAT makes no file: the one that is there is emptied.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    close(open_file("shared", O_EXCL | O_TRUNC));
}

static void second(void)
{
    int file = open_file("shared", 0);
    usleep(100000);
    must(pread(file, bytes, 8, 0) >= 0, "pread");
    close(file);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

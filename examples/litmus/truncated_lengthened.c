/* A new file is made longer, and is emptied in no order with that: the bytes are there, or not.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void prepare(void)
{
    must(access("new", F_OK) != 0, "access");
    close(open_file("new", O_CREAT));
}

static void first(void)
{
    close(open_file("new", O_TRUNC));
}

static void second(void)
{
    int file = open_file("new", 0);
    must(ftruncate(file, 4096) == 0, "ftruncate");
    must(pread(file, bytes, 8, 0) >= 0, "pread");
    close(file);
}

int main(void)
{
    prepare();
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

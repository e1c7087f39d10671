/* lockf locks from where the descriptor stands: both move it to the bytes that they read and write.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    must(lseek(file, 100, SEEK_SET) == 100, "lseek");
    must(lockf(file, F_LOCK, 8) == 0, "lockf");
    must(read(file, bytes, 8) == 8, "read");
    must(lseek(file, -8, SEEK_CUR) == 100, "lseek");
    must(write(file, bytes, 8) == 8, "write");
    must(lockf(file, F_ULOCK, -8) == 0, "lockf");
}

static void second(void)
{
    first();
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

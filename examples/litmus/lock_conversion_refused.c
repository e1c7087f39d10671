/* flock: a shared lock is to become an exclusive one, which is refused: nothing is held then, but
 * the file is written.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/file.h>

static int held[2], refused[2];

static void tell(int ends[2])
{
    must(write(ends[1], bytes, 1) == 1, "write");
}

static void wait_until(int ends[2])
{
    must(read(ends[0], bytes, 1) == 1, "read");
}

static void first(void)
{
    int file = open_file("shared", 0);
    flock(file, LOCK_SH);
    wait_until(held);
    must(flock(file, LOCK_EX | LOCK_NB) < 0, "a lock that two hold was given to one");
    tell(refused);
    put(file, 0, 8);
    flock(file, LOCK_UN);
}

static void second(void)
{
    int file = open_file("shared", 0);
    flock(file, LOCK_SH);
    tell(held);
    wait_until(refused);
    flock(file, LOCK_UN);
    usleep(50000);
    flock(file, LOCK_EX);
    get(file, 0, 8);
}

int main(void)
{
    must(pipe(held) == 0 && pipe(refused) == 0, "pipe");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

/* flock: the lock is taken, and then another program writes that the process becomes: it holds the
 * lock until it ends.
 * posix: safe  commit: safe  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/file.h>

static int held[2];

static void first(void)
{
    int file = open_file("shared", 0);
    must(flock(file, LOCK_EX) == 0, "flock");
    must(dup2(file, 100) == 100 && write(held[1], bytes, 1) == 1, "write");
    execl("./program", "program", "writes", NULL);
}

static void second(void)
{
    int file = open_file("shared", 0);
    must(read(held[0], bytes, 1) == 1, "read");
    must(flock(file, LOCK_EX) == 0, "flock");
    get(file, 0, 8);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        put(100, 0, 8);
        return 0;
    }
    must(pipe(held) == 0, "pipe");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

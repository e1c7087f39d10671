/* A process asks whether another one has a lock (F_GETLK), until it has not: that is not followed.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int held[2];

static void first(void)
{
    struct flock whole = {.l_type = F_WRLCK};
    int file = open_file("shared", 0);
    must(fcntl(file, F_SETLKW, &whole) == 0, "fcntl");
    must(write(held[1], bytes, 1) == 1, "write");
    put(file, 0, 8);
    whole.l_type = F_UNLCK;
    must(fcntl(file, F_SETLK, &whole) == 0, "fcntl");
    usleep(50000);
}

static void second(void)
{
    struct flock asked = {.l_type = F_WRLCK};
    int file = open_file("shared", 0);
    must(read(held[0], bytes, 1) == 1, "read");
    while (asked.l_type != F_UNLCK) {
        asked.l_type = F_WRLCK;
        must(fcntl(file, F_GETLK, &asked) == 0, "fcntl");
    }
    get(file, 0, 8);
}

int main(void)
{
    must(pipe(held) == 0, "pipe");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

/* A pipe is full: who writes one byte more has to wait until the other one, behind its write, reads
 * from it. Who made room is not followed.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <fcntl.h>

static int ends[2];

static void first(void)
{
    static char bytes[1 << 20];
    int room = fcntl(ends[1], F_GETPIPE_SZ);
    must(room > 0 && room <= (int)sizeof bytes, "F_GETPIPE_SZ");
    must(write(ends[1], bytes, (size_t)room) == room, "write");
    must(write(ends[1], bytes, 1) == 1, "write");
    get(open_file("shared", 0), 0, 8);
}

static void second(void)
{
    static char bytes[1 << 20];
    usleep(300000);
    put(open_file("shared", 0), 0, 8);
    must(read(ends[0], bytes, sizeof bytes) > 0, "read");
}

int main(void)
{
    must(pipe(ends) == 0, "pipe");
    pid_t writer = start(first), reader = start(second);
    wait_for(writer);
    wait_for(reader);
    return 0;
}

/* The reader looks in /proc, which is left out, for a process that has nothing to do with the
 * writer.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static pid_t other;

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    make_name("written");
}

static void second(void)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d", other);
    wait_for_name("written");
    must(access(path, F_OK) == 0, "access");
    get(open_file("shared", 0), 0, 8);
    make_name("read");
}

static void third(void)
{
    wait_for_name("read");
}

int main(void)
{
    other = start(third);
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    wait_for(other);
    return 0;
}

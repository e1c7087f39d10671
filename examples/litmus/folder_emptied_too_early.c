/* The reader tries to remove a folder until it is empty, and the writer empties it before it
 * writes.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/stat.h>

static int is_done(void)
{
    static int asked;
    int done = rmdir("folder") == 0;
    if (!asked++)
        make_name("asked");
    return done;
}

static void first(void)
{
    wait_for_name("asked");
    must(unlink("folder/name") == 0, "unlink");
    wait_for_name("read");
    put(open_file("shared", 0), 0, 8);
}

static void second(void)
{
    while (!is_done())
        usleep(1000);
    get(open_file("shared", 0), 0, 8);
    make_name("read");
}

int main(void)
{
    must(mkdir("folder", 0700) == 0, "mkdir");
    make_name("folder/name");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

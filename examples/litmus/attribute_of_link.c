/* The reader polls what a symbolic link stands for.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int is_done(void)
{
    static int asked;
    char target[16];
    int done = readlink("link", target, sizeof target) == 5;
    if (!asked++)
        make_name("asked");
    return done;
}

static void first(void)
{
    wait_for_name("asked");
    put(open_file("shared", 0), 0, 8);
    must(symlink("after", "new") == 0 && rename("new", "link") == 0, "rename");
}

static void second(void)
{
    while (!is_done())
        usleep(1000);
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    must(symlink("be", "link") == 0, "symlink");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

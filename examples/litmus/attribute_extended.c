/* The reader polls an extended attribute of another file.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/xattr.h>

static int is_done(void)
{
    static int asked;
    char value[8];
    int done = getxattr("other", "user.done", value, sizeof value) == 1;
    if (!asked++)
        make_name("asked");
    return done;
}

static void first(void)
{
    wait_for_name("asked");
    put(open_file("shared", 0), 0, 8);
    must(setxattr("other", "user.done", "1", 1, 0) == 0, "setxattr");
}

static void second(void)
{
    while (!is_done())
        usleep(1000);
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

/* A file without a name gets one, by which another process opens it: that the name is there is no
 * order that a file system could know of.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    char path[64];
    int file = open_file(".", O_TMPFILE);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    must(linkat(AT_FDCWD, path, AT_FDCWD, "named", AT_SYMLINK_FOLLOW) == 0, "linkat");
    put(file, 0, 8);
}

static void second(void)
{
    wait_for_name("named");
    put(open_file("named", 0), 4, 12);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

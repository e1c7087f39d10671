/* A file is renamed by a path with ".." behind a link to a folder: that is in another folder than
 * the path says. The new name is that of a file which both write to.
 * posix: seen  commit: seen  session: seen  mpi-io: seen */
#include "litmus.h"

#include <sys/stat.h>

static int opened;

static void first(void)
{
    put(opened, 0, 8);
}

static void second(void)
{
    put(open_file("folder/new", 0), 0, 8);
}

int main(void)
{
    must(!mkdir("folder", 0700) && !mkdir("folder/inner", 0700), "mkdir");
    must(!rename("other", "folder/other") && !symlink("folder/inner", "link"), "link");
    opened = open_file("folder/other", 0);
    must(!rename("link/../other", "link/../new"), "rename");
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}

/* The link to a folder was there before the run (nobody sees it made here): two write to one file
 * by two paths.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/stat.h>
#include <sys/syscall.h>

static void first(void)
{
    int file = open_file("link/file", 0);
    put(file, 0, 8);
    close(file);
}

static void second(void)
{
    int file = open_file("folder/file", 0);
    put(file, 4, 12);
    close(file);
}

int main(void)
{
    must(mkdir("folder", 0700) == 0, "mkdir");
    make_name("folder/file");
    must(syscall(SYS_symlinkat, "folder", AT_FDCWD, "link") == 0, "symlink");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

/* The link led nowhere when the name was missing, and then to a folder with such a file: it is
 * emptied.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/stat.h>

static void prepare(void)
{
    must(mkdir("old", 0700) == 0, "mkdir");
    must(rename("shared", "old/file") == 0, "rename");
    must(symlink("folder", "way") == 0, "symlink");
    must(access("way/file", F_OK) != 0, "access");
    must(rename("old", "folder") == 0, "rename");
}

static void first(void)
{
    close(open_file("way/file", O_CREAT | O_TRUNC));
}

static void second(void)
{
    int file = open_file("way/file", 0);
    usleep(100000);
    must(pread(file, bytes, 8, 0) >= 0, "pread");
    close(file);
}

int main(void)
{
    prepare();
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

/* The name was missing, but then another folder with such a file was renamed to the one that it
 * is in: the file is emptied.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/stat.h>

static void prepare(void)
{
    must(mkdir("old", 0700) == 0, "mkdir");
    must(rename("shared", "old/file") == 0, "rename");
    must(access("folder/file", F_OK) != 0, "access");
    must(rename("old", "folder") == 0, "rename");
}

static void first(void)
{
    close(open_file("folder/file", O_CREAT | O_TRUNC));
}

static void second(void)
{
    int file = open_file("folder/file", 0);
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

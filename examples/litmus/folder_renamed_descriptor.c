/* A file is renamed in a folder that is open, and has another name by now.
 * posix: racy  commit: racy  session: racy  mpi-io: none
 * pairs: 1 */
#include "litmus.h"

#include <sys/stat.h>

static int file;

static void first(void)
{
    put(file, 0, 8);
}

static void second(void)
{
    put(open_file("moved/new", 0), 4, 12);
}

int main(void)
{
    must(mkdir("folder", 0700) == 0, "mkdir");
    int folder = open("folder", O_PATH);
    file = open_file("folder/file", O_CREAT);
    must(rename("folder", "moved") == 0, "rename");
    must(renameat(folder, "file", folder, "new") == 0, "renameat");
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}

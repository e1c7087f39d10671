/* A file is opened in a folder that is open, and has another name by now; the other one opens the
 * file of that name in a new folder of the old name.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

#include <sys/stat.h>

static int folder;

static void first(void)
{
    int file = openat(folder, "file", O_RDWR);
    must(file >= 0, "openat");
    put(file, 0, 8);
}

static void second(void)
{
    put(open_file("folder/file", 0), 4, 12);
}

int main(void)
{
    must(mkdir("folder", 0700) == 0, "mkdir");
    make_name("folder/file");
    folder = open("folder", O_RDONLY | O_DIRECTORY);
    must(folder >= 0 && rename("folder", "moved") == 0, "rename");
    must(mkdir("folder", 0700) == 0, "mkdir");
    make_name("folder/file");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

/* One file by two paths: through a folder and back out of it.
 * pairs: 1
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/stat.h>

static void first(void)
{
    must(mkdir("folder", 0700) == 0, "mkdir");
    int file = open_file("folder/../other", 0);
    put(file, 0, 8);
    close(file);
}

static void second(void)
{
    int file = open_file("other", 0);
    get(file, 0, 8);
    close(file);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

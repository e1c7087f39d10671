/* A folder is not recorded, but a link in it leads to a file that is.
 * record: --exclude left_out/
 * posix: racy  commit: racy  session: racy  mpi-io: none
 * pairs: 1 */
#include "litmus.h"

#include <sys/stat.h>

static void first(void)
{
    put(open_file("left_out/link", 0), 0, 8);
}

static void second(void)
{
    put(open_file("shared", 0), 4, 12);
}

int main(void)
{
    char *name = realpath("shared", NULL);
    must(name && mkdir("left_out", 0700) == 0 && symlink(name, "left_out/link") == 0, "symlink");
    free(name);
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

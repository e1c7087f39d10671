/* One opens the file once more through /dev/fd.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
}

static void second(void)
{
    char path[64];
    snprintf(path, sizeof path, "/dev/fd/%d", open_file("shared", 0));
    put(open_file(path, 0), 4, 12);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

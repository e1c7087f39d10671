/* The parent of the writer is over: whoever adopts orphans (PR_SET_CHILD_SUBREAPER) waits for it.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

#include <sys/prctl.h>

static void writer(void)
{
    usleep(10000);
    put(open_file("shared", 0), 0, 8);
}

static void child(void)
{
    start(writer);
    _exit(0);
}

int main(void)
{
    must(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0, "prctl");
    start(child);
    must(wait(NULL) > 0 && wait(NULL) > 0, "wait");
    get(open_file("shared", 0), 0, 8);
    return 0;
}

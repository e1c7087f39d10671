/* The reader sends no signal (0) to the writer once, when that is over, and its parent has waited
 * for it.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <signal.h>

static pid_t writer;

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
}

static void second(void)
{
    usleep(300000);
    must(kill(writer, 0) < 0 && errno == ESRCH, "kill");
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    writer = start(first);
    pid_t children[] = {writer, start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

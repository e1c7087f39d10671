/* Two children write through the descriptor that their parent has opened, in no order: the system
 * lets them take turns, so no byte is written twice; who reads is behind both.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

static int file;

static void child(void)
{
    must(write(file, bytes, 8) == 8, "write");
    _exit(0);
}

int main(void)
{
    file = open_file("shared", 0);
    pid_t children[] = {start(child), start(child)};
    wait_for(children[0]);
    wait_for(children[1]);
    get(open_file("shared", 0), 0, 16);
    return 0;
}

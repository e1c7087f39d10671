/* What is written far behind the end of the file, in no order with the read, changes nothing of the
 * data that were there before.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("new", 0);
    put(file, 100, 101);
    close(file);
}

int main(void)
{
    int file = open_file("new", O_CREAT | O_EXCL);
    put(file, 0, 10);
    close(file);
    pid_t writer = start(first);
    file = open_file("new", 0);
    get(file, 0, 10);
    close(file);
    wait_for(writer);
    return 0;
}

/* What the child has inherited is not the file that has the name by then.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

static int file;

static void child(void)
{
    put(file, 0, 8);
}

int main(void)
{
    file = open_file("shared", 0);
    must(unlink("shared") == 0, "unlink");
    int again = open_file("shared", O_CREAT);
    pid_t writer = start(child);
    put(again, 4, 12);
    wait_for(writer);
    close(file);
    return 0;
}

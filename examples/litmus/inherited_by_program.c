/* What a program has inherited is not the file that has the name by then.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

static int file;

static void child(void)
{
    dup2(file, 1);
    execlp("sh", "sh", "-c", "echo 8 bytes", (char *)NULL);
}

int main(void)
{
    file = open_file("shared", 0);
    must(unlink("shared") == 0, "unlink");
    int again = open_file("shared", O_CREAT);
    pid_t writer = start(child);
    put(again, 0, 8);
    wait_for(writer);
    close(file);
    return 0;
}

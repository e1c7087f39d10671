/* The writer gives the file its name when it is done, and the reader opens that name until it is
 * there.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("half", O_CREAT);
    put(file, 0, 8);
    close(file);
    must(rename("half", "whole") == 0, "rename");
}

static void second(void)
{
    int file;
    while ((file = open("whole", O_RDONLY)) < 0)
        usleep(1000);
    get(file, 0, 8);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

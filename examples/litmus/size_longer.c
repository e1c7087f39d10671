/* One asks for the size of a file, the other one writes behind what it has written before: a race
 * of names and sizes.
 * names: stat pwrite
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

#include <sys/stat.h>

static int file;

static void first(void)
{
    put(file, 8, 16);
}

static void second(void)
{
    struct stat status;
    must(stat("shared", &status) == 0, "stat");
}

int main(void)
{
    file = open_file("shared", O_TRUNC);
    put(file, 0, 8);
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

/* A process sets a flag in the memory of another one (/proc/PID/mem) when it has written.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static volatile int flag;

static void second(void)
{
    int file = open_file("shared", 0);
    while (!flag)
        usleep(1000);
    get(file, 0, 8);
}

int main(void)
{
    int set = 1;
    char name[64];
    pid_t child = start(second);
    put(open_file("shared", 0), 0, 8);
    snprintf(name, sizeof name, "/proc/%d/mem", (int)child);
    must(pwrite(open_file(name, 0), &set, sizeof set, (off_t)&flag) == sizeof set, "pwrite");
    wait_for(child);
    return 0;
}

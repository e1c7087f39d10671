/* A program that has a pseudo terminal writes a line to it.
 * posix: unknown  commit: depends  session: depends  mpi-io: none */
#include "litmus.h"

#include <pty.h>

int main(int count, char **words)
{
    int master, file = open_file("shared", 0);
    if (count > 1) {
        put(file, 0, 8);
        must(write(1, "x\n", 2) == 2, "write");
        usleep(50000);
        return 0;
    }
    pid_t child = forkpty(&master, NULL, NULL, NULL);
    must(child >= 0, "forkpty");
    if (!child) {
        execl(words[0], words[0], "again", NULL);
        _exit(1);
    }
    must(read(master, bytes, 1) == 1, "read");
    get(file, 0, 8);
    wait_for(child);
    return 0;
}

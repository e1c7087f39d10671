/* A program that a child becomes writes to a descriptor that appends, as those do that a shell runs
 * with >>: that goes to the end, whatever is written there before, but where that is is not
 * recorded.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

int main(int count, char **words)
{
    enum { INHERITED = 7 };
    if (count > 1) {
        must(write(INHERITED, bytes, 8) == 8, "write");
        return 0;
    }
    pid_t writer = fork();
    if (!writer) {
        must(dup2(open_file("shared", O_APPEND), INHERITED) == INHERITED, "dup2");
        execl(words[0], words[0], "writes", NULL);
        _exit(1);
    }
    int file = open_file("shared", 0);
    (void)!pread(file, bytes, 8, 4096);
    close(file);
    wait_for(writer);
    return 0;
}

/* A program that was spawned has the pipe, unless file actions close it there: these are not seen.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <spawn.h>

extern char **environ;

int main(int argc, char **argv)
{
    int ends[2];
    pid_t child;
    char *words[] = {argv[0], "writes", NULL};
    if (argc > 1) {
        put(open_file("shared", 0), 0, 8);
        return 0;
    }
    must(pipe(ends) == 0, "pipe");
    must(posix_spawn(&child, argv[0], NULL, NULL, words, environ) == 0, "posix_spawn");
    close(ends[1]);
    must(read(ends[0], bytes, 1) == 0, "read");
    get(open_file("shared", 0), 0, 8);
    wait_for(child);
    return 0;
}

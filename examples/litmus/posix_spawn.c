/* A program is started by posix_spawn and waited for.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

#include <spawn.h>

extern char **environ;

int main(void)
{
    char *arguments[] = {"sh", "-c", "echo 8 bytes > shared", NULL};
    pid_t child;
    must(posix_spawnp(&child, "sh", NULL, NULL, arguments, environ) == 0, "posix_spawnp");
    wait_for(child);
    get(open_file("shared", 0), 0, 8);
    return 0;
}

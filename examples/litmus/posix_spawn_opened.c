/* A program is started with a file that its file actions open, and writes there. Nobody waits for
 * it.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <spawn.h>

extern char **environ;

int main(void)
{
    char *arguments[] = {"sh", "-c", "echo 8 bytes", NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "shared", O_WRONLY, 0);
    must(posix_spawnp(&child, "sh", &actions, NULL, arguments, environ) == 0, "posix_spawnp");
    get(open_file("shared", 0), 0, 8);
    wait_for(child);
    return 0;
}

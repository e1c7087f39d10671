/* A file is truncated when it is opened for a program that is spawned, which is not recorded.
 * posix: seen  commit: seen  session: seen  mpi-io: seen */
#include "litmus.h"

#include <spawn.h>

extern char **environ;

static void first(void)
{
    pid_t child;
    char *arguments[] = {"true", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 7, "shared", O_WRONLY | O_TRUNC, 0600);
    must(!posix_spawnp(&child, "true", &actions, NULL, arguments, environ), "posix_spawnp");
    posix_spawn_file_actions_destroy(&actions);
    wait_for(child);
}

static void second(void)
{
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}

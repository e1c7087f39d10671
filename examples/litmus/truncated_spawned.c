/* posix_spawn makes the file for its child, in no order with the process that empties it: what
 * the child writes is there, or not.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <spawn.h>

static void first(void)
{
    must(access("new", F_OK) != 0, "access");
    usleep(300000);
    close(open_file("new", O_CREAT | O_TRUNC));
}

static void second(void)
{
    char *arguments[] = {"echo", "a line", NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    usleep(100000);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "new", O_CREAT | O_WRONLY, 0600);
    must(posix_spawn(&child, "/bin/echo", &actions, NULL, arguments, environ) == 0, "posix_spawn");
    wait_for(child);
    posix_spawn_file_actions_destroy(&actions);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

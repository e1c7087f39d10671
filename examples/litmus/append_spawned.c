/* posix_spawn opens the file to append for a program, which writes with pwrite: where that went is
 * not recorded, but the file was so long before that the front was not written.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

#include <spawn.h>

extern char **environ;

int main(int count, char **words)
{
    enum { OPENED = 7 };
    if (count > 1) {
        must(pwrite(OPENED, bytes, 8, 0) == 8, "pwrite");
        return 0;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, OPENED, "shared", O_WRONLY | O_APPEND, 0);
    int file = open_file("shared", 0);
    must(lseek(file, 0, SEEK_SET) == 0, "lseek"); /* the trace has its length before the writer */
    pid_t writer;
    char *given[] = {words[0], "writes", NULL};
    must(!posix_spawn(&writer, words[0], &actions, NULL, given, environ), "posix_spawn");
    get(file, 0, 8);
    close(file);
    wait_for(writer);
    return 0;
}

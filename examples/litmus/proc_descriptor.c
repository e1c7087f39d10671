/* A file is deleted, and another process opens it through the descriptor that the first one has
 * (/proc/PID/fd).
 * posix: racy  commit: racy  session: racy  mpi-io: none
 * pairs: 1 */
#include "litmus.h"

enum { AT = 50 };
static pid_t owner;

static void first(void)
{
    int file = open_file("shared", 0);
    must(dup2(file, AT) == AT && close(file) == 0 && unlink("shared") == 0, "unlink");
    make_name("deleted");
    wait_for_name("opened");
    put(AT, 0, 8);
}

static void second(void)
{
    char path[64];
    wait_for_name("deleted");
    snprintf(path, sizeof path, "/proc/%d/fd/%d", owner, AT);
    put(open_file(path, 0), 4, 12);
    make_name("opened");
}

int main(void)
{
    owner = start(first);
    pid_t other = start(second);
    wait_for(owner);
    wait_for(other);
    return 0;
}

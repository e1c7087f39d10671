/* A child that is made by the number of clone3 has its descriptors in common with its parent, which
 * writes to a file that the child opened: it is not known for which file the descriptor stands.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: seen */
#include "litmus.h"

#include <stdint.h>
#include <sys/syscall.h>

enum { SKIPPED = 77, SHARED_DESCRIPTORS = 0x400 };

static void first(void)
{
    int opened = open_file("other", 0);
    close(opened);
    uint64_t asked[8] = {SHARED_DESCRIPTORS, [4] = SIGCHLD};
    pid_t child = (pid_t)syscall(SYS_clone3, asked, sizeof asked);
    if (child < 0)
        exit(SKIPPED);
    if (!child)
        _exit(open_file("shared", 0) != opened);
    wait_for(child);
    put(opened, 0, 8);
}

static void second(void)
{
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    int status;
    pid_t one = start(first), other = start(second);
    must(waitpid(one, &status, 0) == one, "waitpid");
    wait_for(other);
    return WEXITSTATUS(status);
}

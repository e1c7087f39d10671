/* Each process locks the bytes, reads and writes them; one of them opens the file through a link
 * that was there before the run (nobody sees it made here).
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/syscall.h>

static void lock(int file, short type)
{
    struct flock range = {.l_type = type, .l_len = 8};
    must(fcntl(file, F_SETLKW, &range) == 0, "fcntl");
}

static void use(const char *name)
{
    int file = open_file(name, 0);
    lock(file, F_WRLCK);
    get(file, 0, 8);
    put(file, 0, 8);
    lock(file, F_UNLCK);
}

static void first(void)
{
    use("shared");
}

static void second(void)
{
    use("link");
}

int main(void)
{
    must(syscall(SYS_symlinkat, "shared", AT_FDCWD, "link") == 0, "symlink");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

/* Each process locks the last byte of a file, one of them by counting from its end (SEEK_END):
 * which byte that is is not recorded.
 * posix: unknown  commit: racy  session: racy  mpi-io: none  findings: unordered */
#include "litmus.h"

static void write_locked(short whence, off_t start)
{
    struct flock last = {.l_type = F_WRLCK, .l_whence = whence, .l_start = start, .l_len = 1};
    int lock = open_file("other", 0), file = open_file("shared", 0);
    must(fcntl(lock, F_SETLKW, &last) == 0, "fcntl");
    put(file, 0, 8);
    last.l_type = F_UNLCK;
    must(fcntl(lock, F_SETLK, &last) == 0, "fcntl");
}

static void first(void)
{
    write_locked(SEEK_SET, 4095);
}

static void second(void)
{
    write_locked(SEEK_END, -1);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

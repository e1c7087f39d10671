/* Sixteen processes that make some calls on files and then wait for a lock, in a call on a file:
 * nearly all of their time. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static int work(int child, int shared)
{
    enum { CALLS = 10 };
    char name[16], bytes[64] = {0};
    snprintf(name, sizeof name, "own.%d", child);
    int own = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < CALLS; i++) {
        if (write(own, bytes, sizeof bytes) < 0 || fsync(own) < 0 ||
            pwrite(shared, bytes, sizeof bytes, i) < 0 || pread(own, bytes, 8, i) < 0)
            return 1;
        close(open(name, O_RDONLY));
    }
    int mine = open("locked", O_RDWR);
    return flock(mine, LOCK_SH);
}

int main(void)
{
    enum { CHILDREN = 16, HELD = 200000 };
    int shared = open("shared", O_RDWR | O_CREAT | O_TRUNC, 0600);
    int locked = open("locked", O_RDWR | O_CREAT, 0600);
    flock(locked, LOCK_EX);
    for (int child = 0; child < CHILDREN; child++)
        if (fork() == 0)
            _exit(work(child, shared));
    usleep(HELD);
    flock(locked, LOCK_UN);
    while (wait(NULL) > 0)
        ;
    return 0;
}

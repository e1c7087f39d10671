/* relay [alone]: two processes take turns. Each writes to a file of its own, then hands on a byte
 * by a pipe to the other one, which waits for it. `alone`: one process writes. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TURNS = 5, BLOCK = 1 << 20 };

static char block[BLOCK];

static void work(const char *name)
{
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (write(file, block, BLOCK) != BLOCK || fsync(file))
        exit(1);
    close(file);
    usleep(5000);
}

static void hand_on(int to)
{
    if (write(to, "", 1) != 1)
        exit(1);
}

static void wait_for(int from)
{
    char byte;
    if (read(from, &byte, 1) != 1)
        exit(1);
}

int main(int count, char **arguments)
{
    int there[2], back[2];
    if (count > 1 && !strcmp(arguments[1], "alone")) {
        work("alone.out");
        return 0;
    }
    if (pipe(there) || pipe(back))
        return 1;
    if (!fork()) {
        for (int turn = 0; turn < TURNS; turn++) {
            wait_for(there[0]);
            work("child.out");
            hand_on(back[1]);
        }
        return 0;
    }
    for (int turn = 0; turn < TURNS; turn++) {
        work("parent.out");
        hand_on(there[1]);
        wait_for(back[0]);
    }
    wait(NULL);
    return 0;
}

/* pairs HOW NAME: two processes write the same bytes of the file NAME. `unordered`: in no order.
 * `flagged`: the second one waits until the first one has made another file, which may order them
 * or not. `ordered`: one after the other. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[100];

static void put(const char *name)
{
    int file = open(name, O_WRONLY | O_CREAT, 0600);
    if (pwrite(file, bytes, sizeof bytes, 0) != sizeof bytes)
        exit(1);
    close(file);
}

int main(int count, char **arguments)
{
    if (count < 3)
        return 1;
    bool flagged = !strcmp(arguments[1], "flagged");
    pid_t first = fork();
    if (!first) {
        put(arguments[2]);
        if (flagged)
            close(open("ready", O_WRONLY | O_CREAT, 0600));
        return 0;
    }
    if (!strcmp(arguments[1], "ordered"))
        waitpid(first, NULL, 0);
    if (!fork()) {
        while (flagged && access("ready", F_OK))
            usleep(1000);
        put(arguments[2]);
        return 0;
    }
    while (wait(NULL) > 0)
        ;
    return 0;
}

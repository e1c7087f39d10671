/* A FIFO that both sides open again for each message, which only pauses keep in step. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 20, PAUSE = 20000 /* us */ };

static void pass_on(int flags)
{
    char bytes[2] = "ab";
    for (int i = 0; i < ROUNDS; i++) {
        int fd = open("passed", flags);
        if (fd < 0 || (flags == O_RDONLY ? read(fd, bytes, 2) : write(fd, bytes, 2)) != 2)
            abort();
        if (flags == O_RDONLY)
            usleep(PAUSE / 4);
        close(fd);
        if (flags == O_WRONLY)
            usleep(PAUSE);
    }
}

int main(void)
{
    if (mkfifo("passed", 0600))
        abort();
    pid_t child = fork();
    pass_on(child ? O_RDONLY : O_WRONLY);
    if (child)
        waitpid(child, NULL, 0);
    return 0;
}

/* Does what daemons and careful programs do: closes every descriptor, counts what is left, clears
 * signal handlers. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void)
{
    char text[100];
    int handlers = 0, open_before = 0;
    for (int fd = 0; fd < 4096; fd++)
        open_before += fcntl(fd, F_GETFD) >= 0;
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL &&
            action.sa_handler != SIG_IGN)
            handlers++;
    }
    for (int fd = 3; fd < 4096; fd++)
        close(fd);
    struct rlimit limit = {16, 16};
    setrlimit(RLIMIT_NOFILE, &limit);
    int first = open("before", O_CREAT | O_RDWR, 0644);
    int last = first;
    for (int fd; (fd = dup(first)) >= 0;)
        last = fd;
    for (int fd = 3; fd < 16; fd++)
        close(fd);
    int after = open("after", O_CREAT | O_WRONLY, 0644);
    if (write(after, "after\n", 6) != 6)
        return 1;
    close(after);
    int length = snprintf(text, sizeof text, "open %d, handlers %d, first %d, last %d, after %d\n",
                          open_before, handlers, first, last, after);
    return write(1, text, (size_t)length) != length;
}

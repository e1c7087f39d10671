/* Copies descriptors to numbers of its own choice, and leads its standard output to files. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void good(int is_good)
{
    if (!is_good)
        abort();
}

static int make(const char *name)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    good(fd >= 0);
    return fd;
}

static void copy(void)
{
    int fd = make("copied"), one = dup(fd), two = dup2(fd, 50), three = dup3(fd, 51, O_CLOEXEC);
    int other = make("other");
    good(write(one, "a", 1) == 1 && write(two, "bc", 2) == 2 && write(three, "def", 3) == 3);
    good(dup2(other, two) == two && write(two, "other", 5) == 5);
    good(!close(one) && !close(two) && !close(three) && !close(fd) && !close(other));
}

static void lead_output(const char *name, int steps)
{
    int fd = make(name);
    good(dup2(fd, 1) == 1 && !close(fd));
    for (int i = 0; i < steps; i++)
        good(printf("step %d\n", i) > 0);
    good(!fflush(stdout) && write(1, "end", 3) == 3);
}

/* Saves its standard output with commands of fcntl, as shells do, and leads it there again. */
static void save_output(void)
{
    int fd = make("saved.log"), saved = fcntl(1, F_DUPFD, 60);
    good(saved >= 60 && fcntl(saved, F_SETFD, FD_CLOEXEC) == 0 && dup2(fd, 1) == 1);
    good(write(1, "saved", 5) == 5);
    int again = fcntl(fd, F_DUPFD_CLOEXEC, 70);
    good(again >= 70 && write(again, "!", 1) == 1 && !close(again));
    good(dup2(saved, 1) == 1 && !close(saved) && write(1, "second", 6) == 6 && !close(fd));
}

/* To what a proxy does not have: what is written there must not go to the file before. */
static void lose_output(void)
{
    int fd = make("lost.log"), pipes[2];
    good(!pipe(pipes) && dup2(pipes[1], 1) == 1);
    good(printf("lost") == 4 && !fflush(stdout));
    good(!close(fd));
}

int main(void)
{
    copy();
    lead_output("first.log", 5);
    lead_output("second.log", 7);
    good(freopen("errors.log", "w", stderr) != NULL);
    good(fprintf(stderr, "fine\n") == 5);
    save_output();
    lose_output();
    return 0;
}

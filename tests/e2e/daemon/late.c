/* Leaves a child behind that makes no call until SIGUSR1 comes, or for 30 ms with "soon", and then
 * writes to the file that is named first. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t wanted;

static void want(int number)
{
    (void)number;
    wanted = 1;
}

static long milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int main(int count, char **arguments)
{
    signal(SIGUSR1, want);
    setrlimit(RLIMIT_CPU, &(struct rlimit){20, 20}); /* if no signal comes */
    pid_t child = fork();
    if (child) {
        printf("%d\n", (int)child);
        return child < 0;
    }
    long start = milliseconds();
    while (!wanted && (count < 3 || milliseconds() < start + 30))
        ;
    int file = open(arguments[1], O_WRONLY | O_CREAT, 0600);
    return write(file, "written late", 12) != 12;
}

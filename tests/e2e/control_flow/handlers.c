/* A timer's signal handler reads and writes, whatever it interrupts. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

enum { CALLS = 200000 };

static int ticks;
static volatile sig_atomic_t handled, failed;

static void handle(int number)
{
    char byte;
    int before = errno;
    (void)number;
    handled++;
    if (write(ticks, "t", 1) != 1 || pread(ticks, &byte, 1, 0) != 1)
        failed++;
    errno = before;
}

static void alarm_every(int microseconds)
{
    struct itimerval time = {{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_REAL, &time, NULL);
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    int file = open("main", O_CREAT | O_RDWR, 0644);
    ticks = open("ticks", O_CREAT | O_RDWR, 0644);
    sigaction(SIGALRM, &action, NULL);
    alarm_every(300);
    for (int i = 0; i < CALLS; i++)
        if (pwrite(file, "0123456789abcdef", 16, i % 1000 * 16) != 16)
            failed++;
    alarm_every(0);
    printf("failed %d, ticks missing %ld\n", failed, handled - (long)lseek(ticks, 0, SEEK_END));
    unlink("ticks");
    return 0;
}

/* A signal handler jumps out of calls: first of one that waits, then of whatever is at work. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

enum { WAITS = 20, FILES = 4000 };

static sigjmp_buf back;

static void jump(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

static void alarm_every(int microseconds)
{
    struct itimerval time = {{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_REAL, &time, NULL);
}

/* Calls with small and with large frames follow upon the one that was left: none is inside it. */
static void leave_waiting_calls(void)
{
    static volatile int left;
    int ends[2];
    char byte;
    struct stat facts;
    if (pipe(ends) != 0)
        return;
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    alarm_every(2000);
    sigsetjmp(back, 1);
    while (left < WAITS) {
        sigprocmask(SIG_BLOCK, &alarms, NULL);
        left++;
        symlink("nowhere", "link");
        stat("file", &facts);
        unlink("link");
        sigprocmask(SIG_UNBLOCK, &alarms, NULL);
        read(ends[0], &byte, 1);
    }
    alarm_every(0);
    close(ends[0]);
    close(ends[1]);
}

static void leave_any_call(void)
{
    static volatile int opened;
    alarm_every(300);
    sigsetjmp(back, 1);
    while (opened < FILES) {
        int file = open("file", O_CREAT | O_RDWR, 0644);
        opened++;
        if (file < 900)
            close(file);
        else
            for (int i = 3; i < 1000; i++)
                close(i);
    }
    alarm_every(0);
}

int main(void)
{
    signal(SIGALRM, jump);
    leave_waiting_calls();
    leave_any_call();
    puts("fin");
    return 0;
}

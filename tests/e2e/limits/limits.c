/* limits HOW: 100 writes; a thread waits for the limit (memory: no more address space; files: no
 * descriptor at all), makes 100 writes, and the limit is taken back. Three more calls are left by a
 * jump with "jumps". */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static pthread_barrier_t barrier;
static sigjmp_buf back;
static int file;

static void write_all(void)
{
    for (int i = 0; i < 100; i++)
        if (write(file, "12345678", 8) != 8)
            abort();
}

static void *run(void *unused)
{
    pthread_barrier_wait(&barrier);
    write_all();
    return unused;
}

static void jump(int number)
{
    siglongjmp(back, number);
}

static void leave_reads(void)
{
    int pipes[2];
    char byte;
    if (pipe(pipes) != 0)
        abort();
    for (volatile int i = 0; i < 3; i++)
        if (sigsetjmp(back, 1) == 0) {
            alarm(1);
            ualarm(1000, 0);
            if (read(pipes[0], &byte, 1) >= 0)
                abort();
        }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int what = strcmp(how, "memory") == 0 ? RLIMIT_AS : RLIMIT_NOFILE;
    struct rlimit before, limit;
    pthread_t thread;
    file = open("file", O_RDWR | O_CREAT, 0644);
    signal(SIGALRM, jump);
    write_all();
    if (strcmp(how, "jumps") == 0) {
        leave_reads();
        return 0;
    }
    pthread_barrier_init(&barrier, NULL, 2);
    if (pthread_create(&thread, NULL, run, NULL) != 0 || getrlimit(what, &before) != 0)
        return 1;
    limit = before;
    limit.rlim_cur = what == RLIMIT_AS ? 1 << 20 : 0; /* less than it has */
    if (setrlimit(what, &limit) != 0)
        return 2;
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    if (setrlimit(what, &before) != 0)
        return 3;
    write_all();
    close(file);
    return 0;
}

/* dies HOW THREADS MICROSECONDS: threads make calls on files of their own, end and begin again, and
 * count in ./progress each call that has returned, until the process dies at a moment that has
 * nothing to do with what they are doing: HOW is kill, segv, abort, exit (by a thread) or handler
 * (abort in a signal handler, which interrupts a call). Opening is not counted. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

enum { MOST_THREADS = 64 };

static volatile uint64_t *progress;
static const char *how;
static useconds_t when;
static uint64_t seed;
static volatile int *volatile nothing;

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static void *make_calls(void *argument)
{
    intptr_t number = (intptr_t)argument;
    uint64_t state = seed + (uint64_t)number + progress[number] * 7919,
             calls = 50 + draw(&state) % 20000;
    char name[32];
    snprintf(name, sizeof name, "thread-%d", (int)number);
    int file = open(name, O_RDWR | O_CREAT, 0600);
    for (uint64_t i = 0; i < calls; i++) {
        off_t at = draw(&state) % 4 ? (off_t)(i % 512 * 8) : (off_t)(draw(&state) % 4096);
        if (draw(&state) % 8)
            pwrite(file, &state, 8, at);
        else
            pread(file, &state, 4, at);
        progress[number]++;
    }
    close(file);
    progress[number]++;
    return NULL;
}

/* One after the other, with the same number. */
static void *make_threads(void *number)
{
    pthread_t thread;
    for (;;)
        if (pthread_create(&thread, NULL, make_calls, number) == 0)
            pthread_join(thread, NULL);
    return NULL;
}

static void die(int unused)
{
    (void)unused;
    if (strcmp(how, "kill") == 0)
        kill(getpid(), SIGKILL);
    if (strcmp(how, "segv") == 0)
        *nothing = 1;
    if (strcmp(how, "exit") == 0)
        _exit(3);
    abort();
}

static void *wait_and_die(void *unused)
{
    usleep(when);
    die(0);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int threads = argc > 3 ? atoi(argv[2]) : 0;
    if (threads < 1 || threads > MOST_THREADS)
        return 2;
    how = argv[1];
    when = (useconds_t)atoi(argv[3]);
    seed = (uint64_t)getpid() * 1000003;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    int file = open("progress", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (ftruncate(file, MOST_THREADS * 8) != 0)
        return 2;
    progress = mmap(NULL, MOST_THREADS * 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (strcmp(how, "handler") == 0) {
        signal(SIGALRM, die);
        setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {0, (suseconds_t)when + 1}}, NULL);
    } else {
        pthread_create(&thread, NULL, wait_and_die, NULL);
    }
    for (intptr_t i = 1; i < threads; i++)
        pthread_create(&thread, NULL, make_threads, (void *)i);
    for (;;)
        make_calls(0);
}

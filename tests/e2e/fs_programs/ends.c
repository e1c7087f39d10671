/* Writes a number again and again, in a handler of a timer or in a thread, while the process ends:
 * ends FILE NOTED return|_exit|exec|fails handler|thread. The last number for which a write has
 * returned is in NOTED. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int file;
static volatile int *noted;

static void put(int number)
{
    char block[64] = "";
    memcpy(block, &number, sizeof number);
    if (pwrite(file, block, sizeof block, 8192) == sizeof block)
        *noted = number;
}

static void tick(int signal)
{
    static int number;
    (void)signal;
    put(++number);
}

static void *work(void *nothing)
{
    for (int number = 1;; number++)
        put(number);
    return nothing;
}

static void start_ticks(void)
{
    const struct itimerspec often = {{0, 200000}, {0, 200000}};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    timer_t timer;
    signal(SIGALRM, tick);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &often, NULL);
}

static void write_blocks(void)
{
    char block[4096];
    for (int i = 0; i < 1000; i++) {
        memset(block, i, sizeof block);
        pwrite(file, block, sizeof block, 0);
    }
}

/* Behind an exec that fails, a model is what it was. */
static int die_behind_exec(void)
{
    pid_t child = fork();
    if (child == 0) {
        execl("/not/there", "there", (char *)0);
        put(1);
        kill(getpid(), SIGKILL);
    }
    return waitpid(child, NULL, 0) != child;
}

int main(int count, char **words)
{
    pthread_t worker;
    int note = open(words[2], O_RDWR | O_CREAT | O_TRUNC, 0600);
    file = open(words[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (note < 0 || file < 0 || ftruncate(note, 4096))
        return 1;
    noted = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, note, 0);
    if (count < 5)
        return die_behind_exec();
    if (strcmp(words[4], "handler") == 0)
        start_ticks();
    else
        pthread_create(&worker, NULL, work, NULL);
    do
        write_blocks();
    while (!*noted);
    if (strcmp(words[3], "_exit") == 0)
        _exit(0);
    if (strcmp(words[3], "exec") == 0)
        execl("/bin/true", "true", (char *)0);
    return 0;
}

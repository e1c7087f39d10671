/* Threads in all kinds of places where they can be met: waiting (for a pipe, a timer, a condition,
 * events), managing memory, computing, writing files, starting programs, interrupted by signals.
 * Each checks what it gets. Some tell how often they have done their work by the sizes of the files
 * `read`, `written` and `started`. Runs until there is a file `stop`; prints how many checks
 * failed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int over;
static _Atomic long failures, handled;
static int letters[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void check(int holds, const char *what)
{
    if (holds || over)
        return;
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    failures++;
}

/* The file is a byte longer from then on. */
static void tell(const char *name)
{
    int file = open(name, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
    check(file >= 0 && write(file, "+", 1) == 1 && close(file) == 0, name);
}

static void *read_letters(void *unused)
{
    char letter;
    while (!over) {
        check(read(letters[0], &letter, 1) == 1, "read");
        tell("read");
    }
    return unused;
}

static void *sleep_whole(void *unused)
{
    const struct timespec length = {.tv_nsec = 100000000};
    while (!over) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        check(nanosleep(&length, NULL) == 0, "nanosleep");
        clock_gettime(CLOCK_MONOTONIC, &end);
        check((end.tv_sec - start.tv_sec) * 1000000000 + end.tv_nsec - start.tv_nsec >= 100000000,
              "a short sleep");
    }
    return unused;
}

static void *select_nothing(void *unused)
{
    while (!over) {
        struct timeval length = {.tv_usec = 90000};
        check(select(0, NULL, NULL, NULL, &length) == 0, "select");
    }
    return unused;
}

static void *await_events(void *unused)
{
    int events = epoll_create1(0);
    struct epoll_event event;
    while (!over)
        check(epoll_wait(events, &event, 1, 110) == 0, "epoll_wait");
    return unused;
}

static void *await_condition(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!over)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *manage_memory(void *unused)
{
    unsigned seed = 1;
    while (!over) {
        void *pieces[50];
        for (int i = 0; i < 50; i++)
            pieces[i] = malloc((size_t)rand_r(&seed) % 100000 + 1);
        for (int i = 0; i < 50; i++)
            free(pieces[i]);
    }
    return unused;
}

static double sum(void)
{
    double x = 1.5, y = 2.25, all = 0;
    for (int i = 0; i < 100000; i++) {
        all += x * y;
        x = 1.5 + i % 7;
        y = x / 3;
    }
    return all;
}

static void *compute(void *unused)
{
    double first = sum();
    while (!over)
        check(sum() == first, "sum");
    return unused;
}

static void *write_files(void *name)
{
    while (!over) {
        char bytes[8];
        int file = open(name, O_CREAT | O_RDWR | O_TRUNC, 0600);
        for (int i = 0; i < 200; i++) {
            check(pwrite(file, "12345678", 8, 8 * i) == 8, "pwrite");
            check(pread(file, bytes, 8, 8 * i) == 8 && !memcmp(bytes, "12345678", 8), "pread");
        }
        check(lseek(file, 0, SEEK_END) == 1600, "lseek");
        FILE *stream = fdopen(file, "a");
        check(fprintf(stream, "%d\n", 7) == 2 && fclose(stream) == 0, "stream");
        if (!strcmp(name, "file.7"))
            tell("written");
    }
    return NULL;
}

static void *start_programs(void *unused)
{
    extern char **environ;
    char *arguments[] = {"true", NULL};
    while (!over) {
        pid_t child;
        int status;
        check(posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ) == 0 &&
                  waitpid(child, &status, 0) == child && status == 0,
              "posix_spawn");
        child = vfork();
        if (child == 0) {
            execv("/bin/true", arguments);
            _exit(3);
        }
        check(waitpid(child, &status, 0) == child && status == 0, "vfork");
        child = fork();
        if (child == 0)
            _exit(write(letters[1], "", 0) == 0 ? 5 : 6);
        check(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 5, "fork");
        tell("started");
        usleep(5000);
    }
    return unused;
}

static void *load_library(void *unused)
{
    while (!over) {
        void *library = dlopen("libm.so.6", RTLD_NOW);
        double (*cosine)(double) = library ? (double (*)(double))dlsym(library, "cos") : NULL;
        ssize_t (*by_name)(int, void *, size_t, off_t) =
            (ssize_t(*)(int, void *, size_t, off_t))dlsym(RTLD_DEFAULT, "pread");
        char byte;
        int file = open("/proc/self/exe", O_RDONLY);
        check(cosine && cosine(0) == 1 && by_name(file, &byte, 1, 1) == 1 && byte == 'E', "dlsym");
        close(file);
        if (library)
            dlclose(library);
        usleep(1000);
    }
    return unused;
}

static void handle(int number)
{
    (void)number;
    handled++;
}

/* A call without a handler is not interrupted; one with a handler is. */
static void *be_interrupted(void *unused)
{
    sigset_t none;
    char byte;
    int empty[2];
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    check(pipe(empty) == 0, "pipe");
    while (!over) {
        long before = handled;
        check(read(empty[0], &byte, 1) == -1 && errno == EINTR && handled > before, "EINTR");
    }
    return unused;
}

int main(void)
{
    void *(*const work[])(void *) = {
        read_letters, sleep_whole, select_nothing, await_events,   await_condition, manage_memory,
        compute,      write_files, write_files,    start_programs, load_library,    be_interrupted};
    enum { THREADS = sizeof work / sizeof *work };
    static char names[THREADS][16];
    pthread_t threads[THREADS];
    struct sigaction action = {.sa_handler = handle};
    struct itimerval often = {{0, 2000}, {0, 2000}};
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    sigaction(SIGALRM, &action, NULL);
    check(pipe(letters) == 0, "pipe");
    for (int i = 0; i < THREADS; i++) {
        snprintf(names[i], sizeof names[i], "file.%d", i);
        pthread_create(&threads[i], NULL, work[i], names[i]);
    }
    setitimer(ITIMER_REAL, &often, NULL);
    while (access("stop", F_OK) != 0) {
        usleep(50000);
        check(write(letters[1], "x", 1) == 1, "write");
    }
    over = 1;
    check(write(letters[1], "x", 1) == 1, "write");
    pthread_mutex_lock(&mutex);
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("failures: %ld\n", failures);
    return 9;
}

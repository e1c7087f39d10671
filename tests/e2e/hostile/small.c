/* First calls on stacks that are smaller than any tracer may hope for: coroutines of 1,024 and
 * 1,536 bytes, and a signal handler with what is left of 4,096 and 4,400 bytes where the system
 * puts 3.3 KiB there, and 640 bytes behind what it does put there. Says for each whether the memory
 * below it is as it was. The calls are the first ones of a process or of a thread, or of their
 * kind. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { BELOW = 16384, FRAME_ELSEWHERE = 3632, LARGE = 65536, LEFT = 640 };

static int file;
static __thread ucontext_t outside, inside;

static void call_write(void)
{
    if (write(file, "x", 1) != 1)
        _exit(3);
}

static void call_open(void)
{
    int other = open("small.other", O_CREAT | O_WRONLY | O_APPEND, 0600);
    if (write(other, "x", 1) != 1 || close(other) != 0)
        _exit(3);
}

static void call_all(void)
{
    static struct stat status;
    static char byte;
    call_open();
    for (long i = 0; i < 5000; i++)
        if (pwrite(file, "x", 1, i * i % 7777) != 1)
            _exit(3);
    if (pread(file, &byte, 1, 1) != 1 || stat("small.file", &status) != 0 ||
        lseek(file, 0, SEEK_SET) != 0 || ftruncate(file, 9) != 0 || fsync(file) != 0 ||
        unlink("small.other") != 0)
        _exit(4);
}

static void (*const calls[])(void) = {call_write, call_open, call_all};
static void (*call)(void);

static void handle(int number)
{
    (void)number;
    call();
}

static void run(void)
{
    call();
    swapcontext(&inside, &outside);
}

struct where {
    size_t size;
    int by_signal;
};

static const char *use(struct where where)
{
    char *memory =
        mmap(NULL, BELOW + where.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        _exit(2);
    memset(memory, 'b', BELOW);
    if (where.by_signal) {
        struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
        stack_t stack = {.ss_sp = memory + BELOW, .ss_size = where.size};
        if (sigaltstack(&stack, NULL) != 0 || sigaction(SIGUSR1, &action, NULL) != 0)
            return "no such stack";
        raise(SIGUSR1);
    } else {
        getcontext(&inside);
        inside.uc_stack.ss_sp = memory + BELOW;
        inside.uc_stack.ss_size = where.size;
        inside.uc_link = &outside;
        makecontext(&inside, run, 0);
        swapcontext(&outside, &inside);
    }
    for (int i = 0; i < BELOW; i++)
        if (memory[i] != 'b')
            return "overwritten below";
    return "as it was";
}

static volatile char *at;
static void look(int number)
{
    at = (char *)&number;
}

/* What the system takes of the stack before the handler begins. */
static size_t frame_of_signal(void)
{
    static char memory[LARGE];
    struct sigaction action = {.sa_handler = look, .sa_flags = SA_ONSTACK};
    stack_t stack = {.ss_sp = memory, .ss_size = LARGE}, none = {.ss_flags = SS_DISABLE};
    if (sigaltstack(&stack, NULL) != 0 || sigaction(SIGUSR1, &action, NULL) != 0)
        _exit(6);
    raise(SIGUSR1);
    sigaltstack(&none, NULL);
    return (size_t)(memory + LARGE - at);
}

static void *in_thread(void *where)
{
    return (void *)use(*(struct where *)where);
}

int main(void)
{
    size_t frame = getauxval(AT_MINSIGSTKSZ);
    const struct where places[] = {
        {1024, 0}, {1536, 0}, {4096 - FRAME_ELSEWHERE + (frame ? frame : 2048), 1},
        {4096, 1}, {4400, 1}, {frame_of_signal() + LEFT, 1}};
    file = open("small.file", O_CREAT | O_RDWR | O_TRUNC, 0600);
    setvbuf(stdout, NULL, _IONBF, 0);
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
        for (unsigned what = 0; what < 2 * sizeof calls / sizeof *calls; what++) {
            const char *outcome;
            pthread_t thread;
            int child = fork(), status;
            if (child == 0) {
                call = calls[what / 2];
                if (what % 2 == 0)
                    outcome = use(places[i]);
                else if (pthread_create(&thread, NULL, in_thread, (void *)&places[i]) != 0 ||
                         pthread_join(thread, (void **)&outcome) != 0)
                    _exit(5);
                printf("place %u, calls %u: %s\n", i, what, outcome);
                _exit(0);
            }
            if (waitpid(child, &status, 0) != child || status != 0)
                printf("place %u, calls %u: status %d\n", i, what, status);
        }
    return 0;
}

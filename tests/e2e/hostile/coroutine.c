/* Coroutines on a page of stack, in the first thread and in another, and a signal handler with a
 * page beyond what the system puts there: they make all kinds of calls, and so many irregular ones
 * that the tracer needs more room meanwhile. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { PAGE = 4096, CALLS = 40000 };

static __thread ucontext_t outside, inside;

static void make_calls(void)
{
    struct stat status;
    int pipes[2], child, file = open("coroutine.file", O_CREAT | O_RDWR, 0600);
    char byte = 'x';
    for (long i = 0; i < CALLS; i++)
        if (pwrite(file, &byte, 1, i * i % 77777) != 1)
            _exit(3);
    if (stat("coroutine.file", &status) != 0 || pipe(pipes) != 0 ||
        write(pipes[1], &byte, 1) != 1 || dup(file) < 0 ||
        socketpair(AF_UNIX, SOCK_STREAM, 0, pipes) != 0 ||
        rename("coroutine.file", "coroutine.other") != 0)
        _exit(4);
    mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, file, 0);
    child = fork();
    if (child == 0)
        _exit(write(file, &byte, 1) != 1);
    if (waitpid(child, NULL, 0) != child)
        _exit(5);
    child = vfork();
    if (child == 0) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(1);
    }
    if (waitpid(child, NULL, 0) != child)
        _exit(6);
    close(file);
}

static void run_coroutine(void)
{
    make_calls();
    swapcontext(&inside, &outside);
}

/* Below it is nothing. */
static char *make_stack(size_t size)
{
    char *memory = mmap(NULL, size + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + PAGE, size, PROT_READ | PROT_WRITE) != 0)
        _exit(2);
    return memory + PAGE;
}

static void *resume(void *unused)
{
    getcontext(&inside);
    inside.uc_stack.ss_sp = make_stack(PAGE);
    inside.uc_stack.ss_size = PAGE;
    inside.uc_link = &outside;
    makecontext(&inside, run_coroutine, 0);
    swapcontext(&outside, &inside);
    return unused;
}

static void handle(int number)
{
    (void)number;
    make_calls();
}

int main(void)
{
    size_t frame = (getauxval(AT_MINSIGSTKSZ) + PAGE - 1) / PAGE * PAGE;
    size_t size = (frame ? frame : PAGE) + PAGE;
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    stack_t stack = {.ss_sp = make_stack(size), .ss_size = size};
    pthread_t thread;
    pthread_create(&thread, NULL, resume, NULL);
    pthread_join(thread, NULL);
    resume(NULL);
    if (sigaltstack(&stack, NULL) != 0 || sigaction(SIGUSR1, &action, NULL) != 0)
        return 2;
    raise(SIGUSR1);
    puts("done");
    return 0;
}

/* A signal handler on the smallest stack that is usual does I/O. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STACK = 8192, PAGE = 4096 };

static void handle(int signal)
{
    (void)signal;
    int file = open("from_the_handler", O_CREAT | O_WRONLY | O_APPEND, 0600);
    if (write(file, "x", 1) != 1)
        _exit(3);
    close(file);
}

int main(void)
{
    char *memory = mmap(NULL, STACK + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                        0); /* below it: nothing */
    if (memory == MAP_FAILED || mprotect(memory + PAGE, STACK, PROT_READ | PROT_WRITE) != 0)
        return 2;
    stack_t stack = {.ss_sp = memory + PAGE, .ss_size = STACK};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    if (sigaltstack(&stack, NULL) != 0 || sigaction(SIGUSR1, &action, NULL) != 0)
        return 2;
    for (int i = 0; i < 100; i++)
        raise(SIGUSR1);
    puts("done");
    return 0;
}

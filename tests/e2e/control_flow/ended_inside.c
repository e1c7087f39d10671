/* Ends in a handler that interrupts a call: that call never returns, and those of the handler are
 * in no call that the trace has. */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];

static void leave(int number)
{
    (void)number;
    int file = open("last", O_CREAT | O_WRONLY, 0644);
    usleep(1000); /* longer than the calls before */
    if (write(file, "last words", 10) == 10 && write(STDOUT_FILENO, "over\n", 5) == 5)
        close(file);
    _exit(3);
}

int main(void)
{
    char byte;
    int file = open("first", O_CREAT | O_WRONLY, 0644);
    if (pipe(ends) != 0 || signal(SIGALRM, leave) == SIG_ERR || write(file, "first", 5) != 5 ||
        close(file) != 0)
        return 1;
    ualarm(50000, 0);
    return (int)read(ends[0], &byte, 1);
}

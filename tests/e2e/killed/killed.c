/* killed N: writes N records of eight bytes, then kills itself.
 * killed computing: is killed by a signal outside of calls.
 * killed jumped: the same, after it has jumped out of a read. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sigjmp_buf out;

static void jump(int number)
{
    (void)number;
    siglongjmp(out, 1);
}

static void compute_until_killed(void)
{
    signal(SIGALRM, SIG_DFL);
    alarm(1);
    for (volatile long i = 0;; i++)
        ;
}

static void read_in_vain(void)
{
    int ends[2];
    char byte;
    signal(SIGALRM, jump);
    alarm(1);
    if (pipe(ends) == 0 && sigsetjmp(out, 1) == 0)
        exit((int)read(ends[0], &byte, 1));
}

int main(int argc, char **argv)
{
    int fd = open("file", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (argc == 2 && strcmp(argv[1], "jumped") == 0)
        read_in_vain();
    if (argc == 2 && (strcmp(argv[1], "jumped") == 0 || strcmp(argv[1], "computing") == 0))
        compute_until_killed();
    long calls = argc == 2 ? atol(argv[1]) : 0;
    for (long i = 0; i < calls; i++)
        if (pwrite(fd, "12345678", 8, 8 * i) != 8)
            return 1;
    raise(SIGKILL);
}

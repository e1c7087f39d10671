/* A child writes and tells its parent by a pipe, which then writes to the same bytes. With "limit"
 * the child's recording stops before: the pipe is among the calls that are missing. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void expect(int holds)
{
    if (!holds)
        abort();
}

static void child(int file, int done, int limited)
{
    struct rlimit limit = {100000, 100000};
    signal(SIGXFSZ, SIG_IGN);
    expect(!limited || setrlimit(RLIMIT_FSIZE, &limit) == 0);
    for (int i = 0; i < 100000; i++)
        expect(pwrite(file, "abcdefgh", 8, i % 64 * 8) == 8);
    expect(write(done, "x", 1) == 1);
    _exit(0);
}

int main(int argc, char **argv)
{
    int file = open("stopped.out", O_RDWR | O_CREAT | O_TRUNC, 0600), ends[2];
    char byte;
    expect(argc == 2 && file >= 0 && pipe(ends) == 0);
    if (fork() == 0)
        child(file, ends[1], strcmp(argv[1], "limit") == 0);
    expect(read(ends[0], &byte, 1) == 1);
    expect(pwrite(file, "ABCDEFGH", 8, 0) == 8);
    wait(NULL);
    return 0;
}

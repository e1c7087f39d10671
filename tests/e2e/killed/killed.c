/* Writes as many eight-byte records as the argument says, then kills itself. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int fd = open("file", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    long calls = argc == 2 ? atol(argv[1]) : 0;
    for (long i = 0; i < calls; i++)
        if (pwrite(fd, "12345678", 8, 8 * i) != 8)
            return 1;
    raise(SIGKILL);
}

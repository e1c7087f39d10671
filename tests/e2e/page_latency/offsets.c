/* offsets: two processes access a file in equal steps forwards and backwards, at one place, in no
 * order, at the position, and through a stream. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 24 };

static int work(int number)
{
    char bytes[BYTES] = "", name[16];
    snprintf(name, sizeof name, "file%d", number);
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < 700; i++)
        if (pwrite(fd, bytes, BYTES, 3 + 40L * i) < 0)
            return 1;
    for (int i = 699; i >= 0; i--)
        if (pread(fd, bytes, BYTES, 40L * i) < 0)
            return 1;
    for (int i = 0; i < 30; i++)
        if (pread(fd, bytes, BYTES, 12345) < 0)
            return 1;
    usleep(30000);
    srand(1);
    for (int i = 0; i < 300; i++)
        if (pwrite(fd, bytes, BYTES, rand() % (1L << 30)) < 0)
            return 1;
    for (int i = 0; i < 50; i++)
        if (write(fd, bytes, BYTES) < 0)
            return 1;
    FILE *stream = fdopen(fd, "r+");
    for (int i = 0; stream && i < 100; i++)
        if (fseek(stream, 7000L * i, SEEK_SET) || fwrite(bytes, 1, BYTES, stream) != BYTES)
            return 1;
    return !stream || fclose(stream);
}

int main(void)
{
    for (int number = 0; number < 2; number++)
        if (!fork())
            _exit(work(number));
    while (wait(NULL) > 0)
        ;
    return 0;
}

/* sizes: three processes write 10, 20 and 30 times to a file of their own: 100, 200 and 300 bytes
 * each time, also through a stream. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int work(int number)
{
    char name[16], bytes[300] = "";
    snprintf(name, sizeof name, "file%d", number);
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < 10 * number; i++)
        if (write(fd, bytes, 100 * (size_t)number) < 0)
            return 1;
    FILE *stream = fdopen(fd, "w");
    return !stream || fwrite(bytes, 1, 50, stream) != 50 || fclose(stream);
}

int main(void)
{
    for (int number = 1; number <= 3; number++)
        if (!fork())
            _exit(work(number));
    while (wait(NULL) > 0)
        ;
    return 0;
}

/* Two processes write to the same bytes of "shared", and nothing orders them: contents HOW WHAT.
 * HOW is the function; WHAT: same (bytes), other (ones), shifted (the same bytes, half of them
 * elsewhere), unreadable (what is written is not there). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LENGTH = 3000, TIMES = 300 };
static char bytes[LENGTH];

static long put(const char *how, int file, const char *from, long at)
{
    struct iovec halves[] = {{(void *)from, LENGTH / 2}, {(void *)(from + LENGTH / 2), LENGTH / 2}};
    if (!strcmp(how, "pwrite"))
        return pwrite(file, from, LENGTH, at);
    if (!strcmp(how, "pwritev"))
        return pwritev(file, halves, 2, at);
    if (!strcmp(how, "pwritev2"))
        return pwritev2(file, halves, 2, at, 0);
    lseek(file, at, SEEK_SET);
    return !strcmp(how, "writev") ? writev(file, halves, 2) : write(file, from, LENGTH);
}

static void put_by_stream(long at)
{
    FILE *stream = fdopen(open("shared", O_WRONLY), "w");
    fseek(stream, at, SEEK_SET);
    fwrite(bytes, 1, LENGTH, stream);
    fclose(stream);
}

int main(int argc, char **argv)
{
    const char *how = argv[1], *what = argv[2];
    int file = open("shared", O_RDWR | O_CREAT, 0644);
    (void)argc;
    for (int child = 0; child < 2; child++)
        if (fork() == 0) {
            int own = open("shared", O_WRONLY);
            long at = !strcmp(what, "shifted") ? child * LENGTH / 2 : 0;
            memset(bytes, !strcmp(what, "other") ? 'a' + child : 'a', LENGTH);
            for (int i = 0; i < TIMES; i++) { /* so many that hashes leave their signature */
                char *from = bytes;
                if (!strcmp(what, "unreadable"))
                    from = mmap(NULL, LENGTH, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                bytes[0] = (char)i;
                if (!strcmp(how, "fwrite")) {
                    put_by_stream(at + 2 * i * LENGTH);
                    continue;
                }
                if (put(how, own, from, at + 2 * i * LENGTH) != (from == bytes ? LENGTH : -1))
                    return 1;
            }
            return 0;
        }
    int status, failed = 0;
    while (wait(&status) > 0)
        failed |= status;
    close(file);
    return failed != 0;
}

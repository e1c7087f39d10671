/* A plug-in with a function of libc's name of its own: `read` is none of libc's here. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

ssize_t read(int file, void *bytes, size_t count)
{
    printf("the plug-in's read: %d %zu\n", file, count);
    memset(bytes, 'x', count);
    return (ssize_t)count;
}

static ssize_t (*const pointer)(int, const void *, size_t) = write;

int write_file(void)
{
    char bytes[4];
    int file = open("deep-file", O_CREAT | O_RDWR | O_TRUNC, 0600);
    if (access("deep-file", F_OK) != 0 || access("missing", F_OK) == 0 || errno != ENOENT)
        return 1;
    for (int i = 0; i < 10; i++)
        if (pwrite(file, "deep", 4, 4 * i) != 4)
            return 2;
    if (read(file, bytes, 4) != 4 || bytes[0] != 'x' || pointer(file, bytes, 4) != 4)
        return 3;
    FILE *stream = fopen("deep-stream", "w");
    return fputs("stream", stream) < 0 || fclose(stream) || close(file);
}

/* many COUNT [NAME]: writes 8 bytes to each of COUNT files, and to NAME. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int put(const char *name)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    return fd < 0 || write(fd, "12345678", 8) != 8 || close(fd);
}

int main(int argc, char **argv)
{
    char name[32];
    for (int i = 0; i < atoi(argv[1]); i++) {
        snprintf(name, sizeof name, "file%d", i);
        if (put(name))
            return 1;
    }
    return argc > 2 && put(argv[2]);
}

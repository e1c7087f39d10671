/* Three regular programs: `regular strided|loop|files COUNT`. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char data[4096];

static int open_file(const char *name)
{
    int fd = open(name, O_CREAT | O_TRUNC | O_RDWR, 0644);
    if (fd < 0)
        abort();
    return fd;
}

static void move(ssize_t moved, ssize_t wanted)
{
    if (moved != wanted)
        abort();
}

static void write_strided(int count)
{
    int fd = open_file("strided");
    for (int i = 0; i < count; i++)
        move(pwrite(fd, data, 8, 1024 * i), 8);
    close(fd);
}

/* Twelve different calls on three handles, again and again. */
static void loop_over_files(int count)
{
    int a = open_file("a"), b = open_file("b"), c = open_file("c");
    for (int i = 0; i < count; i++) {
        move(write(a, data, 100), 100);
        move(pwrite(b, data, 64, 64 * i), 64);
        move(pread(b, data, 64, 64 * i), 64);
        move(lseek(c, 128L * i, SEEK_SET), 128L * i);
        move(write(c, data, 16), 16);
        move(write(c, data, 32), 32);
        move(pwrite(a, data, 10, 5), 10);
        move(pwrite(c, data, 8, 128 * i + 64), 8);
        move(lseek(a, 0, SEEK_CUR), 100 * (i + 1));
        move(pread(c, data, 16, 128 * i), 16);
        move(pread(a, data, 50, 0), 50);
        move(write(b, data, 0), 0);
    }
    close(a);
    close(b);
    close(c);
}

static void make_files(int count)
{
    char name[64];
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "output.%06d.data", i);
        int fd = open_file(name);
        for (int row = 0; row < 4; row++)
            move(write(fd, data, 512), 512);
        close(fd);
    }
}

int main(int argc, char **argv)
{
    int count = argc == 3 ? atoi(argv[2]) : 0;
    if (argc == 3 && strcmp(argv[1], "strided") == 0)
        write_strided(count);
    if (argc == 3 && strcmp(argv[1], "loop") == 0)
        loop_over_files(count);
    if (argc == 3 && strcmp(argv[1], "files") == 0)
        make_files(count);
    return 0;
}

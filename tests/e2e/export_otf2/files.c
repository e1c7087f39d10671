/* Each kind of call that OTF2 has an event for, a known number of times. */
#define _GNU_SOURCE
#include <aio.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static void check(int ok, const char *what)
{
    if (!ok) {
        perror(what);
        exit(1);
    }
}

static void duplicates_and_flags(int file)
{
    int copy = dup(file), other = open("other", O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0600);
    check(copy >= 0 && other >= 0, "dup, open");
    check(dup2(file, other) == other, "dup2");
    check(fcntl(copy, F_SETFL, O_APPEND) == 0 && fcntl(copy, F_SETFL, O_APPEND) == 0, "F_SETFL");
    check(close(copy) == 0 && close(other) == 0, "close");
}

static void positions(int file)
{
    char bytes[10];
    check(lseek(file, 100, SEEK_SET) == 100 && lseek(file, -7, SEEK_END) == 993, "lseek");
    check(read(file, bytes, sizeof bytes) == 7 && read(file, bytes, sizeof bytes) == 0, "read");
    check(pread(file, bytes, sizeof bytes, 20) == 10, "pread");
    check(read(-1, bytes, sizeof bytes) == -1, "read of nothing");
}

static void locks(int file)
{
    int second = open("file", O_RDONLY);
    check(flock(file, LOCK_SH) == 0, "flock");
    check(flock(second, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK, "flock");
    check(flock(file, LOCK_UN) == 0 && close(second) == 0, "flock, close");
}

static void operations(int file)
{
    static char bytes[300];
    struct aiocb one = {.aio_fildes = file, .aio_buf = bytes, .aio_nbytes = 300, .aio_offset = 50};
    const struct aiocb *list[] = {&one};
    check(aio_write(&one) == 0, "aio_write");
    while (aio_error(&one) == EINPROGRESS)
        aio_suspend(list, 1, NULL);
    check(aio_return(&one) == 300, "aio_return");
}

static void streams(void)
{
    char bytes[64];
    FILE *stream = fopen("stream", "w+");
    check(fputs("hello, world\n", stream) >= 0 && fflush(stream) == 0, "fputs, fflush");
    check(fseek(stream, 7, SEEK_SET) == 0 && fread(bytes, 1, sizeof bytes, stream) == 6, "fread");
    check(fclose(stream) == 0, "fclose");
}

int main(void)
{
    static char bytes[1000];
    int file = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
    check(file >= 0 && write(file, bytes, sizeof bytes) == sizeof bytes, "open, write");
    duplicates_and_flags(file);
    positions(file);
    locks(file);
    operations(file);
    streams();
    int to = open("to", O_WRONLY | O_CREAT, 0600);
    off_t from = 0;
    check(copy_file_range(file, &from, to, NULL, 400, 0) == 400 && fsync(to) == 0, "copy");
    check(mkdir("folder", 0700) == 0 && rmdir("folder") == 0, "mkdir");
    DIR *folder = opendir(".");
    check(folder && readdir(folder) && closedir(folder) == 0, "opendir");
    check(open("nothing", O_RDONLY) == -1 && unlink("other") == 0, "unlink");
    return close(to) || close(file);
}

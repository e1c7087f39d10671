/* A program that reads and writes in ways that its arguments choose. */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int more_flags; /* of what is written */

/* in.bin to `to`, so many bytes at a time. */
static void copy(size_t size, const char *to)
{
    char *bytes = malloc(size);
    ssize_t count;
    int in = open("in.bin", O_RDONLY),
        out = open(to, O_WRONLY | O_CREAT | O_TRUNC | more_flags, 0644);
    while ((count = read(in, bytes, size)) > 0)
        if (write(out, bytes, (size_t)count) != count)
            abort();
    close(in);
    close(out);
    free(bytes);
}

/* Files with names that are new each time, and one with the number of the process. */
static void use_temporary_names(void)
{
    char name[64];
    static const char *const endings[] = {"", ".s", ".cdtor.c"};
    for (int i = 0; i < 12; i++) {
        const char *ending = endings[i % 3];
        snprintf(name, sizeof name, "./%sXXXXXX%s", i % 3 ? "cc" : "w", ending);
        int fd = mkstemps(name, (int)strlen(ending));
        if (write(fd, name, sizeof name) < 0)
            abort();
        close(fd);
        unlink(name);
    }
    snprintf(name, sizeof name, "./log.%d.txt", (int)getpid());
    copy(4096, name);
    unlink(name);
}

static void write_scattered(long count)
{
    unsigned long random = 88172645463325252u;
    int fd = open("scattered.bin", O_WRONLY | O_CREAT, 0644);
    for (long i = 0; i < count; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        if (pwrite(fd, &random, 1 + random % 8, (off_t)(random >> 40)) < 0)
            abort();
    }
    close(fd);
    unlink("scattered.bin");
}

/* Asks so many times how a write stands, or more often. */
static void poll_write(long count)
{
    char bytes[64] = "";
    struct aiocb block = {.aio_fildes = open("polled.bin", O_WRONLY | O_CREAT, 0644),
                          .aio_buf = bytes,
                          .aio_nbytes = sizeof bytes};
    if (aio_write(&block))
        abort();
    while (aio_error(&block) == EINPROGRESS || count-- > 0)
        usleep(100);
    (void)aio_return(&block);
    close(block.aio_fildes);
}

/* Rounds that open a file and close it again, each alike; and one that is not. */
static void write_in_rounds(long count, int last_flags)
{
    for (long i = 0; i < count; i++) {
        int fd = open("rounds.bin", O_WRONLY | O_CREAT | (i + 1 < count ? 0 : last_flags), 0644);
        if (write(fd, "0123456789", 10) != 10)
            abort();
        close(fd);
    }
}

/* Memory without a file, signals, and a text of so many characters: which are there depends on who
 * comes first. And so many maps of a file. */
static void depend(long count, long maps)
{
    int fd = open("in.bin", O_RDONLY);
    FILE *log = fopen("log.txt", "w");
    if (fd < 0 || !log)
        abort();
    for (long i = 0; i < count; i++)
        if (mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ||
            kill(getpid(), 0))
            abort();
    for (long i = 0; i < maps; i++)
        if (mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED)
            abort();
    fprintf(log, "ended after %.*s seconds\n", (int)count, "0.123456789");
    fclose(log);
    close(fd);
}

/* The stream reads what is far from where it was, and has what is near. */
static void seek_in_stream(long step)
{
    char bytes[10];
    FILE *in = fopen("in.bin", "r");
    for (int i = 0; i < 4; i++)
        if (fseek(in, i * step, SEEK_SET) != 0 || fread(bytes, sizeof bytes, 1, in) != 1)
            abort();
    fclose(in);
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "";
    if (!strcmp(what, "temporary"))
        use_temporary_names();
    else if (!strcmp(what, "scattered"))
        write_scattered(atol(arguments[2]));
    else if (!strcmp(what, "polls"))
        poll_write(atol(arguments[2]));
    else if (!strcmp(what, "rounds"))
        write_in_rounds(atol(arguments[2]), count > 3 ? O_APPEND : 0);
    else if (!strcmp(what, "depends"))
        depend(atol(arguments[2]), atol(arguments[3]));
    else if (!strcmp(what, "seeks"))
        seek_in_stream(atol(arguments[2]));
    else if (!strcmp(what, "each"))
        for (int i = 2; i < count; i++)
            copy(4096, arguments[i]);
    else if (!strcmp(what, "synced"))
        more_flags = O_DSYNC, copy((size_t)atol(arguments[2]), arguments[3]);
    else if (!strcmp(what, "twice"))
        copy((size_t)atol(arguments[2]), "out.bin"), copy((size_t)atol(arguments[2]), "more.bin");
    else
        copy((size_t)atol(arguments[2]), arguments[3]);
    return 0;
}

/* Loops of many sorts, whose turns come again: with what may differ between them.
 *
 *     loops TURNS
 */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static char buffer[1 << 20];
static int turns;

static void strided(int file)
{
    for (int i = 0; i < turns; i++)
        pwrite(file, buffer, 100, (off_t)i * 4096);
}

/* Runs of accesses that are as far from one another, however far: none, backwards, over one
 * another, side by side, apart; of several lengths. */
static void in_rows(const char *path)
{
    static const int steps[] = {0, -512, 40, 100, 101, 4096, -99};
    int file = open(path, O_RDWR | O_CREAT, 0644), at = 0;
    for (int i = 0; i < turns / 10; i++) {
        int step = steps[i % 7], length = i % 11;
        for (int k = 0; k < length; k++) {
            pwrite(file, buffer, 100, (1 << 24) + at);
            at += step;
        }
        for (int k = 0; k < length; k++)
            pread(file, buffer, 100, (1 << 24) + k * step);
        for (int k = 0; k < i % 5; k++)
            write(file, buffer, 30);
        if (i % 13 == 0)
            lseek(file, i, i % 2 ? SEEK_SET : SEEK_END);
        if (i % 17 == 0)
            fsync(file);
    }
    close(file);
}

/* Two descriptors that stand at one place, three ways to move it, and reads that come to the end of
 * the file. */
static void moving(const char *path)
{
    int file = open(path, O_RDWR | O_CREAT, 0644), other = dup(file);
    for (int i = 0; i < turns; i++) {
        struct iovec pieces[] = {{buffer, 10}, {buffer, 20}};
        write(file, buffer, (size_t)(i % 3) * 50);
        writev(other, pieces, 2);
        lseek(file, i % 7 ? 8 : -40, SEEK_CUR);
        read(file, buffer, 64);
        if (i % 50 == 0)
            lseek(other, 0, SEEK_SET);
        if (i % 97 == 0)
            fsync(file);
        pread(-1, buffer, 8, 0);
    }
    for (int i = 0; i < turns; i++)
        read(file, buffer, 1000);
    close(other);
    close(file);
}

static void without_a_rule(int file)
{
    unsigned state = 1;
    for (int i = 0; i < turns; i++) {
        state = state * 1103515245 + 12345;
        pwrite(file, buffer, state >> 20, (off_t)(state >> 8 & 0xFFFF) * 16);
        pread(file, buffer, 512, (off_t)(state >> 12 & 0xFFF) * 512);
    }
}

/* Large ones, whose speed counts. */
static void large(int file)
{
    for (int i = 0; i < turns / 10; i++)
        pwrite(file, buffer, sizeof buffer >> (i % 2), 0);
}

/* The same numbers of descriptors mean other files. */
static void files_in_turn(void)
{
    for (int i = 0; i < turns / 10; i++) {
        char path[32];
        snprintf(path, sizeof path, "turn.%d", i % 20);
        int file = open(path, O_RDWR | O_CREAT | (i % 3 ? 0 : O_APPEND), 0644);
        for (int k = 0; k < 5; k++)
            write(file, buffer, 40);
        struct stat facts;
        fstat(file, &facts);
        close(file);
        if (i % 31 == 0)
            unlink(path);
    }
}

static void streams(void)
{
    FILE *stream = fopen("stream", "w+");
    for (int i = 0; i < turns; i++)
        fwrite(buffer, 1, 700, stream);
    rewind(stream);
    for (int i = 0; i < turns; i++)
        if (fread(buffer, 1, 900, stream) == 0)
            break;
    fclose(stream);
}

/* Loops of several calls: on one file and on two, whose places go on by the same and by other
 * steps, with a call that comes twice in a round, and rounds that are broken off. */
static void in_rounds(const char *path)
{
    int file = open(path, O_RDWR | O_CREAT, 0644), other = open("other", O_RDWR | O_CREAT, 0644);
    struct stat facts;
    for (int i = 0; i < turns; i++) {
        lseek(file, (off_t)i * 300, SEEK_SET);
        write(file, buffer, 100);
    }
    for (int i = 0; i < turns; i++) {
        pwrite(file, buffer, 100, (off_t)i * 200);
        pread(file, buffer, 64, (off_t)i * 100);
    }
    for (int i = 0; i < turns; i++) {
        pwrite(file, buffer, 100, (1 << 22) + (off_t)i * 100);
        pwrite(file, buffer, 100, (1 << 23) - (off_t)i * 60);
        pread(other, buffer, 50, 0);
        write(other, buffer, 20);
        fstat(other, &facts);
    }
    lseek(other, 0, SEEK_SET);
    for (int i = 0; i < turns; i++) {
        read(other, buffer, 16);
        lseek(other, i % 100 ? 8 : -16, SEEK_CUR);
        read(other, buffer, 16);
        if (i % 37 == 0)
            pread(other, buffer, 16, (off_t)i);
        if (i % 501 == 0)
            fsync(other);
    }
    for (int i = 0; i < turns; i++) {
        pwrite(file, buffer, i % 40 ? 30 : 31, (off_t)(i / 10) * 1000 + (i % 10) * 30);
        pread(file, buffer, 10, (off_t)(i / 7) * 1000 + (i % 7) * 10);
    }
    close(other);
    close(file);
}

/* Rounds that open files and close them again: by each a way of its own to differ from the one
 * before in more than times, and rounds that are broken off. */
static void open_again(const char *path, int flags, int writes, int every)
{
    for (int i = 0; i < (flags & O_TRUNC ? turns / 20 : turns); i++) {
        int file = open(path, O_RDWR | O_CREAT | flags, 0644);
        for (int k = 0; k < writes; k++)
            write(file, buffer, 40);
        pread(file, buffer, 16, 8);
        if (every && i % every == every - 1)
            pread(file, buffer, 16, (off_t)i);
        close(file);
        if (every && i % (3 * every) == 0)
            open(path, O_RDONLY | O_EXCL);
    }
}

/* Two at once, of which the one that was opened first is closed first; a third one stays open. */
static void open_two(const char *path, const char *second)
{
    int log = open("log", O_RDWR | O_CREAT, 0644);
    for (int i = 0; i < turns / 20; i++) {
        int file = open(path, O_RDWR | O_CREAT, 0644), other = open(second, O_RDWR | O_CREAT, 0644);
        write(file, buffer, 10);
        write(other, buffer, 20);
        write(file, buffer, 10);
        fsync(file);
        close(file);
        lseek(other, 5, SEEK_SET);
        read(other, buffer, 10);
        close(other);
    }
    for (int i = 0; i < turns; i++) {
        int file = open(path, O_WRONLY);
        write(file, buffer, 10);
        close(file);
        pwrite(log, buffer, 10, 70);
        lseek(log, 500, SEEK_SET);
        write(log, buffer, 30);
    }
    for (int i = 0; i < turns; i++) {
        int file = open(path, O_WRONLY);
        write(log, buffer, 30); /* goes on */
        close(file);
    }
    close(log);
}

/* Files that get other names, are deleted, or are not there; a descriptor that is another one's
 * copy; folders. */
static void open_by_names(const char *path)
{
    struct stat facts;
    int folder = open(".", O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < turns / 20; i++) {
        int file = openat(folder, "new", O_WRONLY | O_CREAT | O_TRUNC, 0644);
        write(file, buffer, 100);
        fsync(file);
        close(file);
        rename("new", path);
        stat(path, &facts);
    }
    for (int i = 0; i < turns; i++) {
        int file = open("passing", O_WRONLY | O_CREAT | O_EXCL, 0644);
        write(file, buffer, 30);
        close(file);
        unlink("passing");
        access("passing", R_OK);
    }
    for (int i = 0; i < turns / 4; i++) {
        int file = open(path, O_RDONLY), copy = dup(file);
        read(copy, buffer, 10);
        close(file);
        close(copy);
    }
    for (int i = 0; i < turns / 4; i++) {
        int file = open(".", O_RDWR | O_TMPFILE, 0600);
        write(file, buffer, 10);
        close(file);
    }
    for (int i = 0; i < turns; i++) {
        DIR *list = opendir(".");
        closedir(list);
        fstat(folder, &facts);
    }
    close(folder);
}

static void open_streams(void)
{
    for (int i = 0; i < turns; i++) {
        FILE *stream = fopen("line", i < turns - turns / 20 ? "a" : "w");
        fputs("a line\n", stream);
        fclose(stream);
    }
    for (int i = 0; i < turns; i++) {
        FILE *stream = fopen("line", "r");
        fread(buffer, 1, 7, stream);
        fclose(stream);
    }
}

static void *thread(void *name)
{
    int file = open(name, O_RDWR | O_CREAT, 0644);
    for (int i = 0; i < turns; i++) {
        write(file, buffer, 16);
        if (i % 10 == 0)
            lseek(file, -80, SEEK_CUR);
    }
    close(file);
    open_again(name, 0, 2, 0);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    turns = argc > 1 ? atoi(argv[1]) : 1000;
    int file = open("strided", O_RDWR | O_CREAT, 0644);
    strided(file);
    without_a_rule(file);
    large(file);
    strided(file);
    close(file);
    in_rows("in_rows");
    moving("moving");
    in_rounds("in_rounds");
    files_in_turn();
    open_again("again", 0, 1, 0);
    open_again("again", O_TRUNC, 2, 0);
    open_again("appended", O_APPEND, 1, 0);
    open_again("odd", 0, 3, 17);
    open_again("odd", O_TRUNC, 1, 100);
    open_two("first", "second");
    open_two("first", "first");
    open_by_names("renamed");
    open_streams();
    streams();
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, i ? "thread.1" : "thread.0");
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

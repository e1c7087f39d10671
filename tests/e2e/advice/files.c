/* What files are for, and how streams are used, a case for each word:
 *
 *     unbuffered   a stream without a buffer
 *     flushed      a stream that is emptied after each line
 *     closed       a stream that is opened and closed for each two bytes
 *     pieces       pieces of 640 bytes here and there
 *     asked        a file that is there is asked for its size again and again, and read once
 *     header       of a temporary file only its first bytes are read
 *     journal      the same, and it is made safe on disk
 *     copied       a temporary file is copied by the system
 *     mapped       a temporary file is read through memory
 *     whole        a temporary file is read
 *     overwritten  a file is written over as a whole
 *     renamed      a file that is written under another name, again and again
 *     in_place     bytes before and behind those that were written are read
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TIMES = 400, PART = 64 << 10, PARTS = 16, PIECE = 640 };
static char part[PART];

static int is(const char *word, const char *other)
{
    return strcmp(word, other) == 0;
}

static void use_streams(const char *how)
{
    FILE *stream = is(how, "closed") ? NULL : fopen("stream", "w");
    if (is(how, "unbuffered"))
        setvbuf(stream, NULL, _IONBF, 0);
    for (int i = 0; i < TIMES; i++) {
        if (is(how, "closed"))
            stream = fopen("stream", "a");
        fputs("x\n", stream);
        if (is(how, "flushed"))
            fflush(stream);
        if (is(how, "closed"))
            fclose(stream);
    }
    if (!is(how, "closed"))
        fclose(stream);
}

static int write_pieces(void)
{
    int fd = open("pieces", O_CREAT | O_WRONLY, 0644), failed = fd < 0;
    for (int i = 0; i < TIMES; i++)
        failed |= pwrite(fd, part, PIECE, (off_t)i * 3 * PIECE) != PIECE;
    return failed | close(fd);
}

static int read_part(int fd, off_t at, size_t size)
{
    return pread(fd, part, size, at) != (ssize_t)size;
}

static int ask(void)
{
    struct stat status;
    int fd = open("../asked", O_RDONLY), failed = fd < 0;
    for (int i = 0; i < TIMES; i++)
        failed |= fstat(fd, &status);
    return failed | read_part(fd, 0, 512) | close(fd);
}

static int replace(void)
{
    int failed = 0;
    for (int i = 0; i < TIMES; i++) {
        int fd = open("new", O_CREAT | O_EXCL | O_WRONLY, 0644);
        failed |= fd < 0 || write(fd, part, PART) != PART || close(fd) || rename("new", "current");
    }
    return failed;
}

static int use_temporary(const char *how)
{
    int fd = open("temporary", O_CREAT | O_RDWR, 0644), failed = fd < 0, copy;
    for (int turn = 0; turn < (is(how, "overwritten") ? 3 : 1); turn++)
        for (int i = 0; i < PARTS; i++)
            failed |= pwrite(fd, part, PART, (off_t)(i + is(how, "in_place")) * PART) != PART;
    if (is(how, "journal"))
        failed |= fsync(fd);
    if (is(how, "header") || is(how, "journal"))
        failed |= read_part(fd, 0, 512);
    for (int i = 0; is(how, "whole") && i < PARTS; i++)
        failed |= read_part(fd, (off_t)i * PART, PART);
    if (is(how, "in_place"))
        failed |= read_part(fd, 0, PART);
    if (is(how, "copied")) {
        copy = open("copy", O_CREAT | O_WRONLY, 0644);
        lseek(fd, 0, SEEK_SET);
        failed |= copy_file_range(fd, NULL, copy, NULL, PART * PARTS, 0) <= 0;
        close(copy);
    }
    if (is(how, "mapped"))
        failed |= mmap(NULL, PART, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED;
    close(fd);
    return failed | (is(how, "overwritten") || is(how, "in_place") ? 0 : unlink("temporary"));
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    if (is(how, "unbuffered") || is(how, "flushed") || is(how, "closed"))
        use_streams(how);
    else if (is(how, "pieces"))
        return write_pieces();
    else if (is(how, "asked"))
        return ask();
    else if (is(how, "renamed"))
        return replace();
    else
        return use_temporary(how);
    return 0;
}

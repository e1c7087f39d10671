/* What files are for, and how streams are used, a case for each word:
 *
 *     unbuffered   a stream without a buffer
 *     flushed      a stream that is emptied after each line
 *     torn         a stream with a buffer that is smaller than what is written to it at once
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
 *     crashed      a stream is written to, and the program aborts
 *     full         a file reaches its limit
 *     refused      more files are opened than may be
 *     safe         a file is made safe on disk a few times
 *     stored       what was stored to memory that is a file is made safe on disk
 *     moved        a file gets another name, again and again
 *     sought       a stream is read here and there, a few bytes each time
 *     macros       a stream is read byte by byte, without calls
 *     resized      a file is opened, gets another size and is closed, again and again
 *     deleted      a file is written and deleted, again and again
 *     mixed        large pieces are written, small ones read here and there
 *     many         many files are written and read back, a few bytes each
 *     ends         the same at the end of large files
 *     in_place     bytes before and behind those that were written are read
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
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

/* Small pieces read from among large ones that are written. */
static int mix_pieces(void)
{
    int fd = open("mixed", O_CREAT | O_RDWR, 0644), failed = fd < 0;
    for (int i = 0; i < PARTS; i++)
        failed |= pwrite(fd, part, PART, (off_t)i * 2 * PART) != PART;
    for (int i = 0; i < TIMES; i++)
        failed |= pread(fd, part, PIECE, (off_t)i * 3 * PIECE) != PIECE;
    return failed | close(fd);
}

/* Many files, of which these bytes are written, and read back. */
static int use_many(off_t at, size_t size)
{
    char name[32];
    int failed = 0;
    for (int i = 0; i < TIMES; i++) {
        snprintf(name, sizeof name, "many.%d", i);
        int fd = open(name, O_CREAT | O_RDWR, 0644);
        failed |= pwrite(fd, part, size, at) != (ssize_t)size;
        failed |= pread(fd, part, size, at) != (ssize_t)size;
        failed |= close(fd);
    }
    return failed;
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

static int resize(void)
{
    int failed = 0;
    for (int i = 0; i < TIMES; i++) {
        int fd = open("resized", O_CREAT | O_WRONLY, 0644);
        failed |= fd < 0 || pwrite(fd, part, PART, 0) != PART ||
                  ftruncate(fd, i % 2 ? 0 : PART * PARTS) || close(fd);
    }
    return failed;
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

/* What goes wrong, and the program goes on. */
static int fail_and_go_on(const char *how)
{
    if (is(how, "crashed")) {
        FILE *log = fopen("log", "w");
        for (int i = 0; i < 1000; i++)
            fputs("ten bytes\n", log);
        abort();
    }
    if (is(how, "full")) {
        struct rlimit limit = {PART, PART};
        signal(SIGXFSZ, SIG_IGN);
        int fd = open("large", O_CREAT | O_WRONLY, 0644);
        return setrlimit(RLIMIT_FSIZE, &limit) || write(fd, part, PART) != PART ||
               write(fd, part, PART) >= 0;
    }
    struct rlimit limit = {16, 16};
    int opened = 0;
    if (setrlimit(RLIMIT_NOFILE, &limit))
        return 1;
    for (int i = 0; i < TIMES; i++)
        opened += open("again", O_CREAT | O_WRONLY, 0644) >= 0;
    return opened > 16;
}

/* What holds a program up for long, though it is done a few times only. */
static int make_safe(void)
{
    int fd = open("safe", O_CREAT | O_WRONLY, 0644), failed = fd < 0;
    for (int i = 0; i < 3; i++)
        failed |= write(fd, part, PART) != PART || fsync(fd);
    return failed;
}

/* Pieces of one page and of three, by turns. */
static int store(void)
{
    int fd = open("stored", O_CREAT | O_RDWR, 0644);
    char *memory = ftruncate(fd, PART)
                       ? MAP_FAILED
                       : mmap(NULL, PART, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        return 1;
    for (int i = 0; i < 8; i++) {
        memory[0] = (char)i;
        if (msync(memory, i % 2 ? 3 * 4096 : 4096, MS_SYNC))
            return 1;
    }
    return 0;
}

static int move(void)
{
    struct stat about;
    int failed = close(open("one", O_CREAT | O_WRONLY, 0644));
    for (int i = 0; i < TIMES; i++)
        failed |= rename(i % 2 ? "other" : "one", i % 2 ? "one" : "other");
    return failed | stat("one", &about);
}

static int delete_each_time(void)
{
    static char block[1 << 20];
    int failed = 0;
    for (int i = 0; i < 31; i++) {
        int file = open("journal", O_CREAT | O_RDWR | O_TRUNC, 0644);
        failed |= write(file, block, sizeof block) != sizeof block;
        failed |= close(file) | unlink("journal");
    }
    return failed;
}

static int read_here_and_there(const char *how)
{
    static char block[1 << 20];
    FILE *file = fopen("sought", "w+");
    int failed = fwrite(block, 1, sizeof block, file) != sizeof block;
    memset(block, 'x', sizeof block);
    rewind(file);
    if (is(how, "macros"))
        while (getc_unlocked(file) != EOF)
            ;
    for (int i = 0; i < TIMES && is(how, "sought"); i++)
        failed |= fseek(file, i * 7919L % 100 * 5000, SEEK_SET) || fread(block, 1, 8, file) != 8;
    fclose(file);
    file = fopen("put", "w");
    for (int i = 0; i < 180; i++)
        putc('x', file);
    failed |= fwrite(block, 1, 393, file) != 393;
    return failed | fclose(file);
}

static int tear(void)
{
    static char text[10000];
    FILE *stream = fopen("stream", "w");
    setvbuf(stream, NULL, _IOFBF, 4096);
    for (int i = 0; i < TIMES; i++)
        fwrite(text, 1, sizeof text, stream);
    return fclose(stream);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    if (is(how, "unbuffered") || is(how, "flushed") || is(how, "closed"))
        use_streams(how);
    else if (is(how, "torn"))
        return tear();
    else if (is(how, "pieces"))
        return write_pieces();
    else if (is(how, "mixed"))
        return mix_pieces();
    else if (is(how, "many"))
        return use_many(0, PIECE);
    else if (is(how, "ends"))
        return use_many(1 << 20, PIECE);
    else if (is(how, "asked"))
        return ask();
    else if (is(how, "renamed"))
        return replace();
    if (is(how, "resized"))
        return resize();
    else if (is(how, "crashed") || is(how, "full") || is(how, "refused"))
        return fail_and_go_on(how);
    else if (is(how, "safe"))
        return make_safe();
    else if (is(how, "stored"))
        return store();
    else if (is(how, "moved"))
        return move();
    else if (is(how, "sought") || is(how, "macros"))
        return read_here_and_there(how);
    else if (is(how, "deleted"))
        return delete_each_time();
    else
        return use_temporary(how);
    return 0;
}

/* Random loops that open files and close them again: bodies of a few calls, each with the same
 * parameters in all rounds, or with some that change now and then.
 *
 *     openings SEED LOOPS */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 3, MOST = 9 };

static unsigned state;
static char buffer[4096];
static int files[FILES]; /* descriptors; -1: closed */
static FILE *stream;

static unsigned draw(unsigned below)
{
    state = state * 1103515245 + 12345;
    return (state >> 12) % below;
}

struct statement {
    unsigned what, file, name, number, rarely;
};

static void name_of(unsigned number, char *name)
{
    snprintf(name, 16, "file.%u", number % FILES);
}

static void open_file(const struct statement *statement)
{
    static const int flags[] = {O_RDWR,
                                O_RDWR | O_CREAT,
                                O_RDWR | O_CREAT | O_APPEND,
                                O_RDWR | O_CREAT | O_TRUNC,
                                O_WRONLY | O_CREAT,
                                O_RDONLY};
    char name[16];
    if (files[statement->file] >= 0)
        close(files[statement->file]);
    name_of(statement->name, name);
    files[statement->file] = open(name, flags[statement->number % 6], 0644);
}

static void close_file(unsigned file)
{
    if (files[file] >= 0)
        close(files[file]);
    files[file] = -1;
}

static void call_name(const struct statement *statement)
{
    char name[16], other[16];
    struct stat facts;
    name_of(statement->name, name);
    name_of(statement->name + 1, other);
    switch (statement->number % 6) {
    case 0:
        unlink(name);
        break;
    case 1:
        rename(name, other);
        break;
    case 2:
        truncate(name, statement->number);
        break;
    default:
        stat(name, &facts);
    }
}

static void use_stream(const struct statement *statement)
{
    char name[16];
    DIR *folder;
    name_of(statement->name, name);
    switch (statement->number % 4) {
    case 0:
        folder = opendir(".");
        closedir(folder);
        break;
    case 1:
        if (!stream)
            stream = fopen(name, statement->name % 2 ? "a" : "r+");
        break;
    case 2:
        if (stream)
            fwrite(buffer, 1, statement->number, stream);
        break;
    default:
        if (stream)
            fclose(stream);
        stream = NULL;
    }
}

static void call(const struct statement *statement)
{
    int file = files[statement->file], copy;
    struct stat facts;
    switch (statement->what) {
    case 0:
    case 1:
    case 2:
        open_file(statement);
        break;
    case 3:
    case 4:
        close_file(statement->file);
        break;
    case 5:
    case 6:
        write(file, buffer, statement->number);
        break;
    case 7:
        read(file, buffer, statement->number);
        break;
    case 8:
        pwrite(file, buffer, 20, statement->number);
        break;
    case 9:
        pread(file, buffer, 30, statement->number);
        break;
    case 10:
        lseek(file, statement->number, statement->name % 3 ? SEEK_SET : SEEK_END);
        break;
    case 11:
        call_name(statement);
        break;
    case 12:
        use_stream(statement);
        break;
    case 13:
        if (statement->number % 8 == 0 && (copy = dup(file)) >= 0)
            close(copy);
        else if (statement->number % 8 == 1)
            fsync(file);
        else
            fstat(file, &facts);
        break;
    default:
        pwrite(file, buffer, 8, 64);
    }
}

static void run_loop(void)
{
    struct statement body[MOST];
    unsigned count = 2 + draw(MOST - 1), rounds = 2 + draw(draw(4) ? 40 : 700);
    for (unsigned i = 0; i < count; i++)
        body[i] = (struct statement){draw(15), draw(FILES), draw(FILES), draw(300),
                                     draw(12) ? 1 : 1 + draw(30)};
    for (unsigned i = 0; i < FILES; i++)
        if (draw(2))
            close_file(i);
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned i = 0; i < count; i++)
            if (round % body[i].rarely == 0)
                call(&body[i]);
    for (unsigned i = 0; i < FILES && draw(2); i++)
        close_file(i);
}

int main(int argc, char **argv)
{
    state = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
    for (int i = 0; i < FILES; i++)
        files[i] = -1;
    for (int i = argc > 2 ? atoi(argv[2]) : 20; i > 0; i--)
        run_loop();
    return 0;
}

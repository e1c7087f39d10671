/* What litmus programs share, so that each of them reads as its pattern.
 *
 * A program defines `program(rank)`, which every rank runs (with MPI), or `first()` and `second()`,
 * which two processes run side by side (without). It finds files `shared` and `other` of 4096 bytes
 * in its folder. What cannot be done ends it with status 1. */
#ifndef LITMUS_H
#define LITMUS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[4096];

/* With LITMUS_SEEN, the path of a file, each process writes letters of its own, and what was read
 * is noted there (tests/e2e/fs_litmus). */
static inline void note_seen(const char *how, off_t start, size_t count)
{
    const char *path = getenv("LITMUS_SEEN");
    char line[128];
    unsigned sum = 0;
    for (size_t i = 0; path && i < count; i++)
        sum = sum * 31 + (unsigned char)bytes[i];
    int file = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0)
        return;
    int length = snprintf(line, sizeof line, "%s %ld %zu %u\n", how, (long)start, count, sum);
    if (write(file, line, (size_t)length) < 0)
        exit(1);
    close(file);
}

static int own_letter = 'w';

/* Also of a process that has read others into them. */
static inline void write_letters(size_t count)
{
    if (getenv("LITMUS_SEEN"))
        memset(bytes, own_letter, count);
}

__attribute__((constructor)) static void write_first_letters(void)
{
    write_letters(sizeof bytes);
}

__attribute__((destructor)) static void note_last(void)
{
    note_seen("end", 0, sizeof bytes);
}

static inline void must(int done, const char *what)
{
    if (done)
        return;
    perror(what);
    exit(1);
}

static inline int open_file(const char *name, int flags)
{
    int file = open(name, O_RDWR | flags, 0600);
    must(file >= 0, name);
    return file;
}

/* Writes bytes [start, end). */
static inline void put(int file, off_t start, off_t end)
{
    write_letters((size_t)(end - start));
    must(pwrite(file, bytes, (size_t)(end - start), start) == end - start, "pwrite");
}

static inline void get(int file, off_t start, off_t end)
{
    must(pread(file, bytes, (size_t)(end - start), start) == end - start, "pread");
    note_seen("get", start, (size_t)(end - start));
}

#ifdef MPI_VERSION

static void program(int rank);

/* Messages of one number, whose tag is 0 unless it matters. */
static inline void send_to(int rank, int tag)
{
    int number = 0;
    MPI_Send(&number, 1, MPI_INT, rank, tag, MPI_COMM_WORLD);
}

static inline void receive_from(int rank, int tag)
{
    int number;
    MPI_Recv(&number, 1, MPI_INT, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static inline MPI_File open_together(const char *name)
{
    MPI_File file;
    must(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR, MPI_INFO_NULL, &file) == MPI_SUCCESS,
         name);
    return file;
}

/* Bytes [start, end) by one rank through MPI. */
static inline void put_at(MPI_File file, MPI_Offset start, MPI_Offset end)
{
    write_letters((size_t)(end - start));
    MPI_File_write_at(file, start, bytes, (int)(end - start), MPI_BYTE, MPI_STATUS_IGNORE);
}

static inline void get_at(MPI_File file, MPI_Offset start, MPI_Offset end)
{
    MPI_File_read_at(file, start, bytes, (int)(end - start), MPI_BYTE, MPI_STATUS_IGNORE);
    note_seen("get_at", start, (size_t)(end - start));
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    own_letter = 'a' + rank % 16;
    write_letters(sizeof bytes);
    program(rank);
    MPI_Finalize();
    return 0;
}

#else

/* A process that runs this and ends. */
static inline pid_t start(void (*run)(void))
{
    static int children;
    pid_t child = fork();
    must(child >= 0, "fork");
    children++;
    if (child)
        return child;
    own_letter = 'a' + children % 16;
    write_letters(sizeof bytes);
    run();
    exit(0);
}

static inline void wait_for(pid_t child)
{
    int status;
    must(waitpid(child, &status, 0) == child && status == 0, "waitpid");
}

/* Ends when somebody has made this name. glob is not recorded: nobody can tell that the two are in
 * an order. */
static inline void wait_for_name(const char *name)
{
    glob_t found;
    while (glob(name, GLOB_NOSORT, NULL, &found))
        usleep(1000);
    globfree(&found);
}

static inline void make_name(const char *name)
{
    close(open_file(name, O_CREAT));
}

#endif
#endif

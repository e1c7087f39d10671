/* Writes ones into files of zeros in every way that POSIX has, and to one file in ways of which
 * nobody can tell where. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char ones[4096];

static int make(const char *path, int flags)
{
    int file = open(path, O_CREAT | O_RDWR, 0666);
    if (file < 0 || ftruncate(file, 1 << 20))
        abort();
    close(file);
    return open(path, O_RDWR | flags);
}

static void moved(ssize_t bytes)
{
    if (bytes <= 0)
        abort();
}

static void must_be(int got, int wanted)
{
    if (got != wanted)
        abort();
}

/* `echo >>` of dash: each time through a copy of a descriptor that is opened anew. */
static void append_as_dash_does(void)
{
    close(make("again", 0));
    for (int i = 1; i < 4; i++) {
        int file = open("again", O_WRONLY | O_APPEND), copy = dup2(file, 40);
        close(file);
        moved(write(copy, ones, i));
        close(copy);
    }
}

/* To the end of a file, which another descriptor moves. */
static void append(void)
{
    int file = make("appended", O_APPEND), other;
    for (int i = 1; i < 4; i++)
        moved(write(file, ones, i));
    lseek(file, 100, SEEK_SET);
    moved(write(file, ones, 10));
    other = open("appended", O_WRONLY | O_APPEND);
    for (int i = 0; i < 3; i++) {
        moved(write(other, ones, 20));
        moved(write(file, ones, 30));
    }
    lseek(file, 200, SEEK_SET);
    moved(read(file, ones + 2000, 40));
    memset(ones, 1, sizeof ones);
    moved(write(file, ones, 40));
    close(file);
    close(other);
}

/* Through a descriptor that processes share: a child moves it, and a program that it becomes. */
static void share(void)
{
    int file = make("shared", 0), status;
    moved(write(file, ones, 10));
    for (int turn = 0; turn < 3; turn++) {
        pid_t child = fork();
        if (child == 0) {
            moved(write(file, ones, 11));
            moved(pwrite(file, ones, 4, 5000 + 10 * turn));
            lseek(file, 9, SEEK_CUR);
            moved(write(file, ones, 1));
            if (turn == 2 && dup2(file, 1) == 1)
                execlp("sh", "sh", "-c", "echo abc; echo defg", NULL);
            _exit(turn == 2);
        }
        must_be(waitpid(child, &status, 0) == child && status == 0, 1);
        moved(write(file, ones, 6));
    }
    close(file);
}

int main(void)
{
    struct iovec pieces[2] = {{ones, 10}, {ones, 20}};
    int file = make("cursor", 0), source = make("source", 0), other;
    int sockets[2];
    loff_t at = 5050, to = 30000; /* ones are there by then */
    memset(ones, 1, sizeof ones);

    moved(write(file, ones, 100));
    lseek(file, 50, SEEK_CUR);
    moved(writev(file, pieces, 2));
    moved(pwrite(file, ones, 7, 1000)); /* leaves the position where it is */
    moved(write(file, ones, 3));
    moved(pwritev(file, pieces, 2, 2000));
    moved(pwritev2(file, pieces, 2, 3000, 0));
    moved(pwritev2(file, pieces, 1, -1, 0)); /* at the position */
    lseek(file, -500, SEEK_END);
    moved(write(file, ones, 11));
    other = dup(file);
    moved(write(other, ones, 5)); /* the two share a position */
    moved(write(file, ones, 4));
    close(file);
    moved(write(other, ones, 2));
    dup2(other, 78);
    close(other);
    moved(write(78, ones, 6));
    must_be(fcntl(78, F_DUPFD, 77), 77); /* as shells do it with their scripts */
    close(78);
    moved(write(77, ones, 8));
    must_be(fcntl(77, F_DUPFD_CLOEXEC, 80), 80);
    moved(write(80, ones, 9));
    close(80);
    lseek(77, 5000, SEEK_SET);
    moved(write(77, ones, 1));
    moved(read(77, ones + 2000, 40));
    memset(ones, 1, sizeof ones);
    moved(write(77, ones, 1));
    moved(pwrite(source, ones, 4096, 0));
    moved(sendfile(77, source, NULL, 60)); /* writes to 77, moves both */
    moved(sendfile(77, source, &(off_t){100}, 60));
    moved(write(source, ones, 3));
    moved(copy_file_range(77, &at, source, &to, 10, 0));
    moved(copy_file_range(77, &at, source, NULL, 10, 0)); /* to where source stands */
    close(77);
    must_be(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    lseek(source, 1000, SEEK_SET);
    moved(sendfile(sockets[0], source, NULL,
                   50)); /* nobody records sockets, and it moves source all the same */
    lseek(source, 40000, SEEK_CUR);
    moved(write(source, ones, 13));
    close(source);

    file = make("end", O_APPEND);
    moved(pwrite(file, ones, 10, 5)); /* Linux appends all the same */
    close(file);
    file = open("end", O_RDWR);
    moved(pwritev2(file, pieces, 1, 0, RWF_APPEND));
    close(file);

    append();
    append_as_dash_does();
    share();

    file = make("flags", 0);
    moved(write(file, ones, 9));
    fcntl(file, F_SETFL, O_APPEND);
    moved(write(file, ones, 10)); /* somewhere */
    fcntl(file, F_SETFL, 0);
    lseek(file, 400, SEEK_SET);
    moved(write(file, ones, 12));
    close(file);

    FILE *stream = fopen("stream", "w");
    fseek(stream, 300, SEEK_SET);
    fwrite(ones, 1, 20, stream);
    fclose(stream);
    return 0;
}

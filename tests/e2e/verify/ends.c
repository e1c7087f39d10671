/* A read that finds the end of a file beside a write, and a truncation beside a write: ends
 * across|behind|open|ftruncate. Who is first is passed on through memory, which no trace shows. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LENGTH = 100000, ASKED = 131072 };
static char bytes[ASKED];
static atomic_int *is_read;
static const char *how;

/* The child reads all there is; then the parent writes. */
static int find_end(off_t at, size_t count)
{
    pid_t child = fork();
    if (child == 0) {
        int file = open("file", O_RDONLY);
        ssize_t moved = read(file, bytes, ASKED);
        *is_read = 1;
        _exit(moved != LENGTH);
    }
    int file = open("file", O_WRONLY), status;
    while (!*is_read)
        ;
    ssize_t moved = pwrite(file, bytes, count, at);
    return waitpid(child, &status, 0) != child || status || moved != (ssize_t)count;
}

static void *truncate_file(void *nothing)
{
    int file = open("file", strcmp(how, "open") == 0 ? O_WRONLY | O_TRUNC : O_WRONLY);
    if (strcmp(how, "open") != 0 && ftruncate(file, 10))
        _exit(1);
    return nothing;
}

static int cut(void)
{
    pthread_t thread;
    int file = open("file", O_WRONLY);
    pthread_create(&thread, NULL, truncate_file, NULL);
    if (pwrite(file, bytes, 100, 0) != 100)
        return 1;
    return pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    how = argc > 1 ? argv[1] : "";
    is_read =
        mmap(NULL, sizeof *is_read, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int file = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (write(file, bytes, LENGTH) != LENGTH || close(file))
        return 1;
    if (strcmp(how, "across") == 0)
        return find_end(LENGTH - 100, 200);
    if (strcmp(how, "behind") == 0)
        return find_end(LENGTH + 100, 200);
    return cut();
}

/* stops HOW PROGRAM N: 1,000 writes; then the tracer can write no more files, since there is a
 * limit of their size or another /tmp; then N writes by this process, by a thread, by a child, and
 * by PROGRAM in another one. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long writes;

static void write_file(long count)
{
    uint64_t state = 1;
    int file = open("file", O_RDWR | O_CREAT, 0644);
    for (long i = 0; i < count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        if (pwrite(file, &state, sizeof state, (off_t)(state >> 40) % 65536) != sizeof state)
            abort();
    }
    close(file);
}

static void *run(void *unused)
{
    write_file(writes);
    return unused;
}

static int stop(const char *how)
{
    struct rlimit limit = {70000, 70000};
    if (strcmp(how, "size") == 0)
        return setrlimit(RLIMIT_FSIZE, &limit);
    return strcmp(how, "mount") == 0 &&
           (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
            mount("none", getenv("TMPDIR"), "tmpfs", 0, NULL));
}

int main(int argc, char **argv)
{
    pthread_t thread;
    write_file(1000);
    if (argc < 4 || stop(argv[1]))
        return 1;
    writes = atol(argv[3]);
    write_file(writes);
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    if (!fork()) {
        write_file(writes);
        _exit(0);
    }
    wait(NULL);
    if (!fork()) {
        execl(argv[2], argv[2], NULL);
        _exit(1);
    }
    wait(NULL);
    return 7;
}

/* work FILE CALLS HOW: so many irregular reads of FILE, a wait for a byte on standard input, and as
 * many more. HOW: "alone"; "threads", where four more threads read, two of them one after the
 * other; "forks", where a child reads, too, and the parent becomes `true` at the end; "killed",
 * where it kills itself instead of ending. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *path;
static long calls;

static void *reads(void *seed)
{
    uint64_t state = (uint64_t)(uintptr_t)seed * 2 + 1;
    char bytes[64];
    int file = open(path, O_RDONLY);
    for (long i = 0; i < calls; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        unsigned drawn = (unsigned)(state >> 40);
        if (pread(file, bytes, 1 + drawn % 64, drawn >> 8) < 0)
            abort();
    }
    close(file);
    return NULL;
}

static void in_threads(void)
{
    pthread_t threads[4];
    for (uintptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, reads, (void *)(10 + i));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (uintptr_t i = 2; i < 4; i++) {
        pthread_create(&threads[i], NULL, reads, (void *)(10 + i));
        pthread_join(threads[i], NULL);
    }
}

static void in_child(void)
{
    pid_t child = fork();
    if (child == 0) {
        reads((void *)20);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
    char byte;
    if (argc < 4)
        return 2;
    path = argv[1];
    calls = atol(argv[2]);
    reads((void *)1);
    if (strcmp(argv[3], "threads") == 0)
        in_threads();
    if (strcmp(argv[3], "forks") == 0)
        in_child();
    if (read(0, &byte, 1) < 0)
        return 1;
    reads((void *)2);
    if (strcmp(argv[3], "killed") == 0)
        raise(SIGKILL);
    if (strcmp(argv[3], "forks") == 0)
        execlp("true", "true", NULL);
    return 0;
}

/* Children of vfork do all that they may not do, and what shells do; the parent goes on as if
 * nothing had been. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, TIMES = 50 };

static int await(pid_t child)
{
    int status;
    assert(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void *start_programs(void *unused)
{
    char *arguments[] = {"true", NULL}, *nothing[] = {NULL};
    for (int i = 0; i < TIMES; i++) {
        pid_t child = vfork();
        if (child == 0) {
            execve("/missing/true", arguments, nothing);
            execve("/bin/true", arguments, i % 2 ? nothing : environ);
            _exit(1);
        }
        assert(await(child) == 0);
    }
    return unused;
}

int main(void)
{
    int kept = open("kept", O_CREAT | O_WRONLY, 0644);
    assert(write(kept, "first", 5) == 5);

    pid_t child = vfork();
    if (child == 0) {
        int file = open("borrowed", O_CREAT | O_WRONLY, 0644);
        if (dup2(file, kept) != kept || write(kept, "child", 5) != 5 || close(kept) || close(file))
            _exit(1);
        _exit(7);
    }
    assert(await(child) == 7);

    child = vfork();
    if (child == 0) {
        pid_t grandchild = vfork();
        if (grandchild == 0)
            _exit(8);
        _exit(await(grandchild) + 1);
    }
    assert(await(child) == 9);

    child = vfork();
    if (child == 0)
        _Exit(3);
    assert(await(child) == 3);

    assert(mkdir("below", 0755) == 0);
    child = vfork();
    if (child == 0)
        _exit(chdir("below") != 0);
    assert(await(child) == 0);
    int above = open("above", O_CREAT | O_WRONLY, 0644);
    assert(above >= 0 && write(above, "above", 5) == 5);

    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert(pthread_create(&threads[i], NULL, start_programs, NULL) == 0);
    for (int i = 0; i < THREADS; i++)
        assert(pthread_join(threads[i], NULL) == 0);

    assert(write(kept, "second", 6) == 6);
    return 0;
}

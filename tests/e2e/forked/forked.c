/* Children of fork that make no recorded call until their parent, which goes on meanwhile, lets
 * them: one by fork, one by _Fork, and a child of a child that has made no call itself. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if !__GLIBC_PREREQ(2, 34)
#define _Fork fork
#endif

enum { CHILDREN = 3 };
static atomic_int *alive, *may_go;

static void await(atomic_int *flag)
{
    while (!atomic_load(flag))
        ;
}

static void put(const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT, 0644);
    if (file < 0 || write(file, path, 1) != 1 || close(file) != 0)
        exit(2);
}

static void work(int child, const char *path)
{
    atomic_store(&alive[child], 1);
    await(&may_go[child]);
    put(path);
    _exit(0);
}

/* A moment that is seen at each resolution of times. */
static void pass(void)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < 1000000);
}

static void let_go(int child, const char *path)
{
    pass();
    put(path);
    pass();
    atomic_store(&may_go[child], 1);
}

int main(void)
{
    alive = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (alive == MAP_FAILED)
        return 1;
    may_go = alive + CHILDREN;
    if (fork() == 0)
        work(0, "child0");
    if (_Fork() == 0)
        work(1, "child1");
    if (fork() == 0) {
        if (fork() == 0)
            work(2, "child2");
        wait(NULL);
        _exit(0);
    }
    for (int i = 0; i < CHILDREN; i++)
        await(&alive[i]);
    let_go(0, "parent0");
    let_go(1, "parent1");
    let_go(2, "parent2");
    while (wait(NULL) > 0)
        ;
    return 0;
}

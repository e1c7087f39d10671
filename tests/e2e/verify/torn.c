/* Writes from memory that another thread takes away and gives back, and from a mapped file that
 * another process cuts off: torn protected|cut. A write returns EFAULT or moves less; nothing here
 * may be killed. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LENGTH = 1 << 16, TIMES = 2000 };
static char *memory;
static volatile int over;

static void *protect(void *nothing)
{
    while (!over) {
        mprotect(memory, LENGTH, PROT_NONE);
        mprotect(memory, LENGTH, PROT_READ);
    }
    return nothing;
}

static void cut(int file)
{
    for (;;)
        if (ftruncate(file, 0) || ftruncate(file, LENGTH))
            _exit(1);
}

int main(int argc, char **argv)
{
    int is_cut = argc > 1 && !strcmp(argv[1], "cut");
    int to = open("written", O_WRONLY | O_CREAT, 0644),
        from = open("mapped", O_RDWR | O_CREAT, 0644);
    pthread_t thread;
    pid_t child = 0;
    if (ftruncate(from, LENGTH))
        return 1;
    memory = mmap(NULL, LENGTH, PROT_READ, MAP_SHARED, from, 0);
    if (!is_cut)
        pthread_create(&thread, NULL, protect, NULL);
    else if ((child = fork()) == 0)
        cut(from);
    for (int i = 0; i < TIMES; i++)
        if (pwrite(to, memory, LENGTH, 0) > LENGTH)
            return 1;
    over = 1;
    if (!is_cut)
        return pthread_join(thread, NULL);
    kill(child, SIGKILL);
    return waitpid(child, NULL, 0) != child;
}

/* Two threads and a child write to the same bytes in no order; one call fails. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int file;

static void *work(void *unused)
{
    for (int i = 0; i < 10; i++)
        if (pwrite(file, "abcdefgh", 8, i % 4) != 8)
            abort();
    return unused;
}

int main(void)
{
    pthread_t other;
    file = open("racing.out", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (open("missing", O_RDONLY) >= 0 || pthread_create(&other, NULL, work, NULL) != 0)
        return 1;
    pid_t child = fork();
    work(NULL);
    if (child == 0)
        _exit(0);
    pthread_join(other, NULL);
    waitpid(child, NULL, 0);
    return 0;
}

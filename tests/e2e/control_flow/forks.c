/* Eight threads fork at the same time; children write a file each and end in every way. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8, FORKS = 12 };

static void be_a_child(const char *name, int number)
{
    int file = open(name, O_CREAT | O_WRONLY, 0644);
    if (write(file, "hi", 2) == 2)
        close(file);
    if (number % 3 == 0)
        _exit(number);
    if (number % 3 == 1)
        execl("/bin/true", "true", NULL);
    exit(number);
}

static void *fork_often(void *thread)
{
    for (int i = 0; i < FORKS; i++) {
        char name[32];
        int status;
        snprintf(name, sizeof name, "child %ld.%d", (long)thread, i);
        pid_t child = fork();
        if (child == 0)
            be_a_child(name, i);
        waitpid(child, &status, 0);
        if (WEXITSTATUS(status) != (i % 3 == 1 ? 0 : i))
            printf("%s ended with %d\n", name, status);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, fork_often, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

/* Threads and children that allocate much between their calls. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void *work(void *unused)
{
    (void)unused;
    for (int i = 0; i < 200; i++) {
        char *lines[20];
        for (int k = 0; k < 20; k++)
            lines[k] = memset(malloc((size_t)(1 + i * k)), k, (size_t)(1 + i * k));
        FILE *file = fopen("/dev/null", "r");
        if (file)
            fclose(file);
        for (int k = 0; k < 20; k++)
            free(lines[k]);
    }
    return NULL;
}

int main(void)
{
    pid_t child;
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    if ((child = fork()) == 0) {
        work(NULL);
        FILE *file = fopen("child", "w");
        fputs("child\n", file);
        exit(fclose(file));
    }
    int status;
    waitpid(child, &status, 0);
    FILE *file = fopen("parent", "w");
    fputs("parent\n", file);
    return fclose(file) + status;
}

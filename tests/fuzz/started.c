/* Threads, regions of the program, and files by stdio, in few calls. */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void *work(void *name)
{
    FILE *file = fopen(name, "w");
    if (file) {
        fprintf(file, "%s\n", (const char *)name);
        fclose(file);
    }
    return NULL;
}

int main(void)
{
    static char names[3][8] = {"one", "two", "three"};
    pthread_t threads[3];
    int ends[2];
    char byte = 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, names[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    if (pipe(ends) == 0 && fork() == 0)
        _exit(write(ends[1], "x", 1) != 1);
    if (read(ends[0], &byte, 1) != 1)
        return 1;
    wait(NULL);
    return unlink("one") + unlink("two") + unlink("three");
}

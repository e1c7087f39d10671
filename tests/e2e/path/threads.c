/* threads [several [detached]]: three threads write files, the third one most; nobody joins
 * detached ones, but waits for a semaphore. Without an argument the program has one thread only. */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static char bytes[1 << 16];
static sem_t done;

static void *work(void *argument)
{
    const char *name = argument;
    int file = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    for (int i = 0; i < (*name == '2' ? 200 : 10); i++)
        if (write(file, bytes, sizeof bytes) != sizeof bytes)
            _exit(1);
    close(file);
    sem_post(&done);
    return NULL;
}

int main(int argc, char **argv)
{
    static char names[3][6] = {"0.out", "1.out", "2.out"};
    pthread_t threads[3];
    (void)argv;
    sem_init(&done, 0, 0);
    for (int i = 0; i < 3 && argc > 1; i++)
        pthread_create(&threads[i], NULL, work, names[i]);
    for (int i = 0; i < 3 && argc > 2; i++)
        if (pthread_detach(threads[i]))
            return 1;
    for (int i = 0; i < 3 && argc > 2; i++)
        sem_wait(&done);
    for (int i = 0; i < 3 && argc < 3; i++)
        argc > 1 ? pthread_join(threads[i], NULL) : (work(names[i]), 0);
    return 0;
}

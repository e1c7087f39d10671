/* Time of each class: I/O, sleeps, locks of files and of threads, a pipe, and a child. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 20, WAIT = 2000 }; /* us */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        usleep(WAIT);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void lock_file(const char *path)
{
    int file = open(path, O_RDWR | O_CREAT, 0644);
    for (int i = 0; i < ROUNDS; i++) {
        if (flock(file, LOCK_EX) != 0 || write(file, "x", 1) != 1)
            exit(2);
        usleep(WAIT);
        flock(file, LOCK_UN);
    }
    fsync(file);
    close(file);
}

int main(void)
{
    char byte;
    int ends[2];
    pthread_t threads[2];
    if (pipe(ends) != 0)
        return 1;
    if (fork() == 0) {
        usleep(WAIT * ROUNDS);
        if (write(ends[1], "x", 1) != 1)
            _exit(2);
        lock_file("locked");
        _exit(0);
    }
    if (read(ends[0], &byte, 1) != 1)
        return 1;
    lock_file("locked");
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, hold, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    wait(NULL);
    return 0;
}

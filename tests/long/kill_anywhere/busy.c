/* busy THREADS SECONDS: each thread writes numbered records as fast as it can, until an alarm kills
 * the whole process. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static void *write_records(void *argument)
{
    char name[32];
    snprintf(name, sizeof name, "progress.%d", (int)(intptr_t)argument);
    int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    for (int64_t i = 0;; i++)
        if (pwrite(fd, &i, sizeof i, 8 * (i % 1000003)) != sizeof i)
            abort();
    return NULL;
}

int main(int argc, char **argv)
{
    int threads = argc == 3 ? atoi(argv[1]) : 1;
    double seconds = argc == 3 ? atof(argv[2]) : 0.1;
    pthread_t thread;
    for (intptr_t i = 0; i < threads; i++)
        pthread_create(&thread, NULL, write_records, (void *)i);
    usleep((useconds_t)(seconds * 1e6));
    kill(getpid(), SIGKILL);
}

/* Threads that call a library whose calls are nested. */
#include "batch.h"

#include <pthread.h>

enum { STEPS = 2000 };

static void *run(void *number)
{
    batch_run((int)(long)number, STEPS);
    batch_step((int)(long)number, STEPS);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return batch_run(2, 0);
}

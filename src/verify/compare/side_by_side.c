/* POSIX threads; the calling one does its share. */
#include "verify/compare/side_by_side.h"

#include "base/memory.h"
#include "base/processors.h"

#include <pthread.h>

unsigned fth_thread_count(unsigned asked)
{
    return asked ? asked : fth_processors();
}

struct one {
    void (*work)(void *context, unsigned thread);
    void *context;
    unsigned thread;
};

static void *begin(void *context)
{
    const struct one *one = context;
    one->work(one->context, one->thread);
    return NULL;
}

void fth_side_by_side(unsigned threads, void (*work)(void *context, unsigned thread), void *context)
{
    pthread_t *started = fth_new(threads, sizeof *started);
    struct one *each = fth_new(threads, sizeof *each);
    unsigned count = 1;
    for (; count < threads; count++) {
        each[count] = (struct one){work, context, count};
        if (pthread_create(&started[count], NULL, begin, &each[count]))
            break;
    }
    work(context, 0);
    while (count > 1)
        pthread_join(started[--count], NULL);
    free(started);
    free(each);
}

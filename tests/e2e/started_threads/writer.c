/* A library that lets threads of its own write: one that writer_open starts, which starts another
 * one for each text. */
#include "writer.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

struct writer {
    pthread_t thread;
    int file;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    const char *text; /* to be written; NULL: nothing */
    int over;
};

struct errand {
    int file;
    const char *text;
};

static int put(void *given)
{
    struct errand *errand = given;
    return write(errand->file, errand->text, strlen(errand->text)) > 0 ? 7 : 8;
}

static void *work(void *given)
{
    struct writer *writer = given;
    int one = open("one", O_CREAT | O_WRONLY, 0644),
        other = open("other", O_CREAT | O_WRONLY, 0644);
    pthread_mutex_lock(&writer->mutex);
    for (;;) {
        while (!writer->text && !writer->over)
            pthread_cond_wait(&writer->changed, &writer->mutex);
        if (!writer->text)
            break;
        struct errand errand = {writer->file, writer->text};
        thrd_t helper;
        int result;
        if (thrd_create(&helper, put, &errand) != thrd_success ||
            thrd_join(helper, &result) != thrd_success || result != 7)
            abort();
        writer->text = NULL;
        pthread_cond_broadcast(&writer->changed);
    }
    pthread_mutex_unlock(&writer->mutex);
    fsync(writer->file);
    close(one);
    close(other);
    return given;
}

struct writer *writer_open(const char *path)
{
    struct writer *writer = calloc(1, sizeof *writer);
    pthread_attr_t attributes;
    writer->file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    pthread_mutex_init(&writer->mutex, NULL);
    pthread_cond_init(&writer->changed, NULL);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 128 << 10);
    if (pthread_create(&writer->thread, &attributes, work, writer))
        abort();
    pthread_attr_destroy(&attributes);
    return writer;
}

int writer_put(struct writer *writer, const char *text)
{
    pthread_mutex_lock(&writer->mutex);
    writer->text = text;
    pthread_cond_broadcast(&writer->changed);
    while (writer->text)
        pthread_cond_wait(&writer->changed, &writer->mutex);
    pthread_mutex_unlock(&writer->mutex);
    return 0;
}

int writer_close(struct writer *writer)
{
    void *result;
    pthread_mutex_lock(&writer->mutex);
    writer->over = 1;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->mutex);
    if (pthread_join(writer->thread, &result) || result != writer)
        abort();
    close(writer->file);
    free(writer);
    return 0;
}

// Threads that share a descriptor, that take tasks from a pool, that wait for names which another one makes, and that a forked child starts.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 4, TASKS = 12, ROUNDS = 3, PARTS = 16, NAMES = 5 };

static int shared, given[TASKS], next;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char block[4096];

static void *parts(void *own)
{
    for (long i = 0; i < PARTS; i++)
        if (pwrite(shared, block, 1024, (i * WORKERS + (long)own) * 1024) != 1024)
            abort();
    return NULL;
}

static int take(void)
{
    pthread_mutex_lock(&lock);
    int task = next < TASKS ? next++ : -1;
    pthread_mutex_unlock(&lock);
    return task;
}

// Each task has a descriptor that the first thread has opened.
static void *pool(void *own)
{
    for (int task; (task = take()) >= 0; usleep(500)) {
        char name[64];
        if (write(given[task], block, 100 + (size_t)task) < 0 || close(given[task]))
            abort();
        snprintf(name, sizeof name, "made/task.%02d", task);
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0644);
        if (fd < 0 || write(fd, block, 500) < 0 || close(fd))
            abort();
    }
    return own;
}

static void *producer(void *own)
{
    for (int i = 0; i < NAMES; i++, usleep(3000)) {
        char name[64], final[64];
        snprintf(name, sizeof name, "tmp.%d", i);
        snprintf(final, sizeof final, "final.%d", i);
        FILE *file = fopen(name, "w");
        if (!file || fwrite(block, 1, 2000, file) != 2000 || fclose(file) || rename(name, final))
            abort();
    }
    return own;
}

static void *consumer(void *own)
{
    for (int i = 0; i < NAMES; i++) {
        char final[64], read_into[2000];
        snprintf(final, sizeof final, "final.%d", i);
        while (access(final, F_OK))
            usleep(500);
        int fd = open(final, O_RDONLY);
        if (fd < 0 || read(fd, read_into, sizeof read_into) != sizeof read_into || close(fd) || unlink(final))
            abort();
    }
    return own;
}

static void run(void *(*const what[])(void *), long count)
{
    pthread_t threads[WORKERS];
    for (long i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, what[i], (void *)i);
    for (long i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

static void run_child(void *(*const what[])(void *))
{
    shared = open("child", O_RDWR | O_CREAT, 0644);
    run(what, 2);
    close(shared);
    _exit(0);
}

int main(void)
{
    void *(*const writers[])(void *) = {parts, parts, parts, parts}, *(*const workers[])(void *) = {pool, pool, pool, pool},
                                *(*const pair[])(void *) = {producer, consumer};
    char name[64];
    mkdir("made", 0755);
    for (int i = 0; i < ROUNDS; i++) {
        snprintf(name, sizeof name, "shared.%d", i);
        shared = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
        run(writers, WORKERS);
        fsync(shared);
        close(shared);
    }
    for (int i = 0; i < TASKS; i++) {
        snprintf(name, sizeof name, "given.%02d", i);
        given[i] = open(name, O_WRONLY | O_CREAT, 0644);
    }
    run(workers, WORKERS);
    run(pair, 2);
    pid_t child = fork();
    if (!child)
        run_child(writers);
    waitpid(child, NULL, 0);
    return rename("child", "grown") ? 1 : 0;
}

/* Two writers, one after the other, each with three texts; threads that the program starts itself;
 * a child process, made in one of those, with a thread of its own. */
#include "writer.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void append(const char *path)
{
    int file = open(path, O_CREAT | O_APPEND | O_WRONLY, 0644);
    if (pwrite(file, "own\n", 4, 0) != 4)
        abort();
    close(file);
}

static void *in_child(void *unused)
{
    append("child");
    return unused;
}

static void *own(void *unused)
{
    pthread_t thread;
    append("own");
    pid_t child = fork();
    if (child == 0) {
        if (pthread_create(&thread, NULL, in_child, NULL) || pthread_join(thread, NULL))
            _exit(1);
        _exit(0);
    }
    int status;
    if (waitpid(child, &status, 0) != child || status)
        abort();
    return unused;
}

int main(void)
{
    static const char *const names[] = {"first", "second"};
    pthread_t thread;
    for (int i = 0; i < 2; i++) {
        struct writer *writer = writer_open(names[i]);
        for (int k = 0; k < 3; k++)
            writer_put(writer, "text\n");
        writer_close(writer);
    }
    errno = 5;
    if (pthread_create(&thread, NULL, own, NULL) || pthread_join(thread, NULL) || errno != 5)
        abort();
    /* Cannot be made: nothing starts. */
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)1 << 46);
    int error = pthread_create(&thread, &attributes, own, NULL);
    printf("%s %d\n", error == EAGAIN ? "none" : "made", errno);
    return 0;
}

/* A thread writes a file and puts another one at a number that all know; a second thread writes to
 * that number, and reads the file: the number says nothing of who is first.
 * threads: 1
 * record: --layers posix,stdio,process,pthread
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <pthread.h>

enum { NUMBER = 20 };

static void *write_it(void *unused)
{
    int file = open_file("shared", 0), log = open_file("log", O_CREAT);
    put(file, 0, 8);
    close(file);
    must(dup2(log, NUMBER) == NUMBER, "dup2");
    return unused;
}

static void *read_it(void *unused)
{
    usleep(20000);
    must(write(NUMBER, "x", 1) == 1, "write");
    int file = open_file("shared", 0);
    get(file, 0, 8);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    must(dup2(open_file("first", O_CREAT), NUMBER) == NUMBER, "dup2");
    must(pthread_create(&threads[0], NULL, write_it, NULL) == 0, "pthread_create");
    must(pthread_create(&threads[1], NULL, read_it, NULL) == 0, "pthread_create");
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}

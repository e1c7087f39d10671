/* work ROUNDS [PROCESSES [THREADS]]: does in each round what a recorder has to follow: files that
 * are opened and closed, relative paths after chdir, offsets of which no two are alike, calls that
 * fail, short reads, copies, and streams. PROCESSES: forked children that do the same, each in a
 * folder of its own; THREADS: so many threads do it, each with files of its own. `work ROUNDS
 * files`: each round has a file of its own. With MPI, each rank does it and nothing else. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef MPI
#include <mpi.h>
#endif

static long rounds;
static int own_files;

static void check(int good, const char *what)
{
    if (!good) {
        perror(what);
        exit(1);
    }
}

static void work(long id)
{
    char name[64], bytes[4096];
    uint64_t random = 1 + (uint64_t)id;
    memset(bytes, 'x', sizeof bytes);
    snprintf(name, sizeof name, "data.%ld", id);
    int file = open(name, O_RDWR | O_CREAT, 0600), copy;
    check(file >= 0, name);
    for (long i = 0; i < rounds; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        off_t at = (off_t)(random >> 44);
        size_t length = 1 + (random >> 40) % 97;
        check(pwrite(file, bytes, length, at) == (ssize_t)length, "pwrite");
        check(pread(file, bytes, 1 << (i % 12), at) >= 0, "pread");
        if (i % 16)
            continue;
        snprintf(name, sizeof name, own_files ? "more.%ld.%ld" : "more.%ld", id, i);
        copy = open(name, O_RDWR | O_CREAT, 0600);
        check(copy >= 0, name);
        off_t from = at;
        check(sendfile(copy, file, &from, length) >= 0, "sendfile");
        int other = dup(copy);
        check(write(other, bytes, 3) == 3 && close(other) == 0, "write");
        check(write(-1, bytes, 3) < 0 && errno == EBADF, "a write that fails");
        close(copy);
        snprintf(name, sizeof name, "streamed.%ld", id);
        FILE *stream = fopen(name, "a");
        check(stream && fprintf(stream, "%ld\n", i) > 0 && fclose(stream) == 0, "stream");
        check(access("is.not.there", F_OK) != 0, "access");
    }
    close(file);
}

static void *work_in_thread(void *id)
{
    work((long)(intptr_t)id);
    return NULL;
}

#ifdef MPI
static int work_in_ranks(int *count, char ***arguments)
{
    int rank;
    MPI_Init(count, arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 100; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    work(rank);
    MPI_Finalize();
    return 0;
}
#endif

int main(int count, char **arguments)
{
    rounds = atol(arguments[1]);
#ifdef MPI
    return work_in_ranks(&count, &arguments);
#endif
    own_files = count > 2 && strcmp(arguments[2], "files") == 0;
    long processes = count > 2 && !own_files ? atol(arguments[2]) : 0, threads = count > 3 ? atol(arguments[3]) : 0;
    pthread_t made[16];
    for (long i = 0; i < processes; i++)
        if (fork() == 0) {
            char folder[32];
            snprintf(folder, sizeof folder, "folder.%ld", i);
            check(mkdir(folder, 0700) == 0 && chdir(folder) == 0, folder);
            work(100 + i);
            return 0;
        }
    for (long i = 0; i < threads; i++)
        check(pthread_create(&made[i], NULL, work_in_thread, (void *)(intptr_t)(i + 1)) == 0, "pthread_create");
    work(0);
    for (long i = 0; i < threads; i++)
        pthread_join(made[i], NULL);
    while (wait(NULL) > 0)
        ;
    return 3;
}

/* Four processes write a file together, block by block in turns, close it, open it again, and each
 * reads what its neighbour wrote. This is safe under session consistency, and so under every model
 * of this folder:
 *
 *     cc exchange.c session.c pieces.c $(pkg-config --cflags --libs fathom-fs) -o exchange
 *     fathom fs run --under out -- ./exchange
 */
#include "model.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 4, BLOCKS = 64, BLOCK = 4096 };

static void stop(const char *what)
{
    perror(what);
    exit(1);
}

static void fill(char *block, int process, int number)
{
    memset(block, process * BLOCKS + number, BLOCK);
}

static void write_mine(int process)
{
    char block[BLOCK];
    struct model_file *file = model_open("shared");
    if (!file)
        stop("open");
    for (int i = 0; i < BLOCKS; i++) {
        fill(block, process, i);
        if (model_write(file, block, BLOCK, (int64_t)(i * PROCESSES + process) * BLOCK) != BLOCK)
            stop("write");
    }
    if (model_close(file))
        stop("close");
}

static void read_neighbours(int process)
{
    char block[BLOCK], expected[BLOCK];
    int neighbour = (process + 1) % PROCESSES;
    struct model_file *file = model_open("shared");
    if (!file)
        stop("open");
    for (int i = 0; i < BLOCKS; i++) {
        fill(expected, neighbour, i);
        if (model_read(file, block, BLOCK, (int64_t)(i * PROCESSES + neighbour) * BLOCK) != BLOCK)
            stop("read");
        if (memcmp(block, expected, BLOCK) != 0) {
            fprintf(stderr, "process %d: block %d of process %d is stale\n", process, i, neighbour);
            exit(1);
        }
    }
    model_close(file);
}

int main(void)
{
    pthread_barrierattr_t shared;
    pthread_barrier_t *barrier =
        mmap(NULL, sizeof *barrier, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int failed = 0, status;
    pthread_barrierattr_init(&shared);
    pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(barrier, &shared, PROCESSES);
    for (int process = 0; process < PROCESSES; process++)
        if (fork() == 0) {
            write_mine(process);
            pthread_barrier_wait(barrier);
            read_neighbours(process);
            exit(0);
        }
    while (wait(&status) > 0)
        failed |= status;
    if (!failed)
        puts("every process has read what its neighbour wrote");
    return failed ? 1 : 0;
}

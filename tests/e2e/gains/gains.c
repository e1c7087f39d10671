/* gains WORKERS TASKS: a process hands out tasks through semaphores, each when the one before is
 * done, to workers that compute 2 ms on a processor. */
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct board {
    sem_t tasks, results;
    int is_over;
};

static void compute(void)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec < 2000000);
}

static void work(struct board *board)
{
    while (sem_wait(&board->tasks) == 0 && !board->is_over) {
        compute();
        sem_post(&board->results);
    }
    _exit(0);
}

int main(int argc, char **argv)
{
    int workers = argc > 2 ? atoi(argv[1]) : 0, tasks = argc > 2 ? atoi(argv[2]) : 0;
    struct board *board =
        mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (board == MAP_FAILED || sem_init(&board->tasks, 1, 0) || sem_init(&board->results, 1, 0))
        return 1;
    for (int i = 0; i < workers; i++)
        if (fork() == 0)
            work(board);
    for (int i = 0; i < tasks; i++) {
        sem_post(&board->tasks);
        sem_wait(&board->results);
    }
    board->is_over = 1;
    for (int i = 0; i < workers; i++)
        sem_post(&board->tasks);
    while (wait(NULL) > 0)
        ;
    return 0;
}

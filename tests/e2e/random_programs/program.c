/* A program made of a seed: nested loops of calls on files (loops.h), whose parameters depend on
 * the loops, are random or extreme; now and then in several threads or forked processes. It keeps
 * its own account of every call (log.h).
 *
 *     program SEED LOG        in an empty folder */
#include "kernel.h"
#include "log.h"
#include "loops.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Some programs, one after the other, by one thread. The mark tells where the thread's calls begin.
 */
static void work(char name, uint64_t seed)
{
    struct worker *worker = malloc(sizeof *worker);
    struct program *program = malloc(sizeof *program);
    int count, result;
    worker_start(worker, name, seed);
    count = 1 + (int)(draw(&worker->random) % 3);
    log_before();
    result = access("/begin", F_OK);
    log_after();
    log_call("access", result, true, "/begin", "\"path\":\"/begin\"");
    if (draw(&worker->random) % 16 == 0)
        worker_hoard(worker);
    for (int i = 0; i < count; i++) {
        make_program(program, &worker->random);
        run_program(program, worker);
    }
    worker_end(worker);
    free(program);
    free(worker);
}

struct task {
    char name;
    uint64_t seed;
};

static void *work_in_thread(void *argument)
{
    const struct task *task = argument;
    work(task->name, task->seed);
    return NULL;
}

static void run_threads(uint64_t *random, int count)
{
    pthread_t threads[8];
    struct task tasks[8];
    for (int i = 0; i < count; i++) {
        tasks[i] = (struct task){(char)('b' + i), draw(random)};
        pthread_create(&threads[i], NULL, work_in_thread, &tasks[i]);
    }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

static void run_processes(uint64_t *random, int count)
{
    for (int i = 0; i < count; i++) {
        uint64_t seed = draw(random);
        if (fork() == 0) {
            work((char)('n' + i), seed);
            _exit(0);
        }
    }
    while (wait(NULL) > 0)
        ;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    uint64_t random = strtoull(argv[1], NULL, 10);
    log_start();
    calls_start();
    kernel(SYS_mkdirat, AT_FDCWD, (long)"d", 0700, 0);
    work('a', draw(&random));
    if (draw(&random) % 3 == 0)
        run_threads(&random, 1 + (int)(draw(&random) % 4));
    if (draw(&random) % 4 == 0)
        run_processes(&random, 1 + (int)(draw(&random) % 3));
    if (draw(&random) % 4 == 0)
        run_threads(&random, 1 + (int)(draw(&random) % 8));
    log_finish(argv[2]);
    return 0;
}

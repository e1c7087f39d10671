/* Many random programs (../random_programs/loops.h) in one process: each has a thread of its own,
 * so a recorder's state of its own; some run in a forked child, some in a new process image. They
 * keep no account: the tracer's reference does.
 *
 *     many FIRST COUNT        the programs of so many seeds, in an empty folder; FIRST decides
 *                             whether a signal comes often
 */
#include "../random_programs/log.h"
#include "../random_programs/loops.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AT_ONCE = 4 };

static const char *self;
static uint64_t next, end;

void log_before(void)
{
}

void log_after(void)
{
}

void log_call(const char *function, int64_t result, bool failed, const char *file,
              const char *arguments, ...)
{
    (void)function, (void)result, (void)failed, (void)file, (void)arguments;
}

/* The thread's first call names the seed, for whoever looks for a call that differs. */
static void work(char name, uint64_t seed)
{
    struct worker *worker = malloc(sizeof *worker);
    struct program *program = malloc(sizeof *program);
    char mark[64];
    worker_start(worker, name, seed);
    snprintf(mark, sizeof mark, "/seed/%llu", (unsigned long long)seed);
    access(mark, F_OK);
    if (draw(&worker->random) % 32 == 0)
        worker_hoard(worker);
    make_program(program, &worker->random);
    run_program(program, worker);
    worker_end(worker);
    free(program);
    free(worker);
}

static void work_in_child(char name, uint64_t seed, bool new_image)
{
    char text[32];
    pid_t child = fork();
    if (child == 0 && new_image) {
        snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
        execl(self, self, text, "1", "alone", NULL);
        _exit(127);
    }
    if (child == 0) {
        work(name, seed);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

struct task {
    char name;
    uint64_t seed;
};

static void *run_task(void *argument)
{
    const struct task *task = argument;
    if (task->seed % 16 == 5)
        work_in_child(task->name, task->seed, task->seed % 32 == 5);
    else
        work(task->name, task->seed);
    return NULL;
}

/* A thread after the other, each with the next seed. */
static void *run_some(void *name)
{
    pthread_t thread;
    struct task task = {.name = *(char *)name};
    while ((task.seed = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)) < end) {
        if (pthread_create(&thread, NULL, run_task, &task) != 0)
            abort();
        pthread_join(thread, NULL);
    }
    return NULL;
}

/* A handler that makes calls, wherever the program and the tracer are at that moment. */
static int signal_file;

static void on_alarm(int number)
{
    static int calls;
    int before = errno;
    access("/signal", F_OK);
    if (pwrite(signal_file, &number, sizeof number, calls * 12) > 0)
        lseek(signal_file, calls++ * 5 % 700, SEEK_SET);
    errno = before;
}

static void interrupt_often(void)
{
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    const struct itimerval often = {{0, 150}, {0, 150}};
    signal_file = open("signals", O_RDWR | O_CREAT, 0600);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
}

int main(int argc, char **argv)
{
    pthread_t threads[AT_ONCE];
    char names[AT_ONCE];
    if (argc < 3)
        return 2;
    self = argv[0];
    next = strtoull(argv[1], NULL, 10);
    end = next + strtoull(argv[2], NULL, 10);
    calls_start();
    mkdir("d", 0700);
    if (argc > 3) {
        work('z', next);
        return 0;
    }
    if (next / 100 % 4 == 1)
        interrupt_often();
    for (int i = 0; i < AT_ONCE; i++) {
        names[i] = (char)('b' + i);
        if (pthread_create(&threads[i], NULL, run_some, &names[i]) != 0)
            abort();
    }
    for (int i = 0; i < AT_ONCE; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

/* Processes and threads of a replay. A child of the recorded run is a child here: it inherits
 * descriptors and where they stand. */
#include "player/player.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void start_others(const struct fth_script_op *op);

static void open_thread(struct fth_player_thread *thread, uint32_t number)
{
    *thread = (struct fth_player_thread){.number = number, .start_others = start_others};
    thread->outcomes = calloc(fth_player.plan->function_count + 1, sizeof *thread->outcomes);
    thread->taken = mmap(NULL, 2 * fth_player.plan->buffer_bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!thread->outcomes || thread->taken == MAP_FAILED)
        fth_player_fail("out of memory");
}

static void add_outcome(struct fth_script_outcome *sum, const struct fth_script_outcome *one)
{
    if (one->differences && !sum->differences) {
        sum->expected = one->expected;
        sum->result = one->result;
        sum->error = one->error;
        sum->expected_failure = one->expected_failure;
    }
    sum->calls += one->calls;
    sum->differences += one->differences;
    sum->bytes_read += one->bytes_read;
    sum->bytes_written += one->bytes_written;
    sum->time += one->time;
}

/* Hands what came of it to the process. */
static void close_thread(struct fth_player_thread *thread)
{
    struct fth_player *player = &fth_player;
    pthread_mutex_lock(&player->lock);
    for (uint32_t i = 0; i < player->plan->function_count; i++)
        add_outcome(&player->outcomes[i], &thread->outcomes[i]);
    if (thread->first && (!player->first || thread->first < player->first))
        player->first = thread->first;
    if (thread->last > player->last)
        player->last = thread->last;
    if (thread->late > player->late)
        player->late = thread->late;
    pthread_mutex_unlock(&player->lock);
    free(thread->outcomes);
    munmap(thread->taken, 2 * player->plan->buffer_bytes);
}

static void *run_thread(void *context)
{
    struct fth_player_thread thread;
    open_thread(&thread, (uint32_t)(uintptr_t)context);
    fth_player_play(&thread);
    close_thread(&thread);
    return NULL;
}

static void start_thread(uint32_t number)
{
    uint32_t count = fth_player.processes[fth_player.process].threads;
    if (number >= count || fth_player.is_started[number])
        return;
    int code =
        pthread_create(&fth_player.threads[number], NULL, run_thread, (void *)(uintptr_t)number);
    if (code)
        fth_player_fail("cannot start a thread: %s", strerror(code));
    fth_player.is_started[number] = true;
}

static void join_threads(void)
{
    for (uint32_t i = 1; i < fth_player.processes[fth_player.process].threads; i++)
        if (fth_player.is_started[i])
            pthread_join(fth_player.threads[i], NULL);
}

static int64_t processor_time(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

static void save_results(void)
{
    const struct fth_player *player = &fth_player;
    uint32_t count = player->plan->function_count;
    size_t length = sizeof(struct fth_script_results) + count * sizeof *player->outcomes;
    struct fth_script_results *results = calloc(1, length);
    char path[4200];
    if (!results)
        fth_player_fail("out of memory");
    *results = (struct fth_script_results){FTH_SCRIPT_MAGIC,
                                           player->in_mpi ? player->base : player->first,
                                           player->last,
                                           player->late,
                                           processor_time() - player->processor,
                                           count,
                                           0};
    memcpy(results->outcomes, player->outcomes, count * sizeof *player->outcomes);
    snprintf(path, sizeof path, "%s/result.%u", player->folder, player->process);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || write(file, results, length) != (ssize_t)length)
        fth_player_fail("cannot write '%s': %s", path, strerror(errno));
    close(file);
    free(results);
}

static void play_process(uint32_t process)
{
    struct fth_player *player = &fth_player;
    struct fth_player_thread main_thread;
    uint32_t threads = player->processes[process].threads;
    player->process = process;
    player->first = player->last = player->late = 0;
    memset(player->outcomes, 0, player->plan->function_count * sizeof *player->outcomes);
    player->threads = calloc(threads + 1, sizeof *player->threads);
    player->is_started = calloc(threads + 1, sizeof *player->is_started);
    size_t length = (threads + 1) * sizeof *player->steps;
    player->steps = aligned_alloc(sizeof *player->steps, length);
    if (!player->threads || !player->is_started || !player->steps)
        fth_player_fail("out of memory");
    memset(player->steps, 0, length);
    open_thread(&main_thread, 0);
    player->processor = processor_time();
    fth_player_play(&main_thread);
    join_threads();
    close_thread(&main_thread);
    if (player->plan->uses_hdf5)
        fth_player_end_hdf5();
    save_results();
}

/* Its calls, to the end, and those of the programs that it became. */
void fth_player_begin_process(uint32_t process)
{
    int64_t next = process;
    for (; next >= 0; next = fth_player.processes[next].becomes) {
        if (next != process)
            fth_player_close_on_exec();
        play_process((uint32_t)next);
    }
}

/* A process that ends does not wait for those that it began and did not wait for in the run: who
 * waits for it may have to go on first. The first one, which began all, gets them. */
static void adopt(void)
{
    if (!fth_player.adopts && prctl(PR_SET_CHILD_SUBREAPER, 1))
        fth_player_fail("cannot wait for the children of children: %s", strerror(errno));
    fth_player.adopts = true;
}

void fth_player_fork(uint32_t process)
{
    fflush(NULL);
    if (!fth_player.is_child)
        adopt();
    pid_t child = fork();
    if (child < 0)
        fth_player_fail("cannot fork: %s", strerror(errno));
    if (!child) {
        memset(fth_player.children, 0,
               fth_player.plan->process_count * sizeof *fth_player.children);
        fth_player.in_mpi = false;
        fth_player.is_child = true;
        fth_player_begin_process(process);
        fflush(NULL);
        _exit(0);
    }
    __atomic_store_n(&fth_player.children[process], child, __ATOMIC_RELEASE);
}

static void check_end(int status)
{
    if (WIFSIGNALED(status))
        fth_player_fail("a process of the replay was ended by signal %d (%s)", WTERMSIG(status),
                        strsignal(WTERMSIG(status)));
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        fth_player_fail("a process of the replay ended early");
}

static void reap(uint32_t process)
{
    pid_t child = __atomic_exchange_n(&fth_player.children[process], 0, __ATOMIC_ACQ_REL);
    int status = 0;
    if (!child)
        return;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    check_end(status);
}

/* Those that were begun by processes that have ended. */
static void reap_adopted(void)
{
    int status;
    pid_t child;
    while ((child = waitpid(-1, &status, 0)) > 0 || (child < 0 && errno == EINTR))
        if (child > 0)
            check_end(status);
}

/* It is seldom long, and no thread waits for what comes later. */
static void wait_for_steps(uint32_t thread, uint64_t steps)
{
    enum { SPINS = 1000, MICROSECONDS = 20 };
    const uint64_t *done = &fth_player.steps[thread].done;
    for (unsigned i = 0; __atomic_load_n(done, __ATOMIC_ACQUIRE) < steps; i++)
        if (i >= SPINS)
            usleep(MICROSECONDS);
}

static void start_others(const struct fth_script_op *op)
{
    uint32_t number = (uint32_t)op->arguments[0];
    if (op->what == FTH_SCRIPT_FORK)
        fth_player_fork(number);
    else if (op->what == FTH_SCRIPT_REAP) {
        /* another thread begins it, if this one has not */
        while (!__atomic_load_n(&fth_player.children[number], __ATOMIC_ACQUIRE))
            usleep(100);
        reap(number);
    } else if (op->what == FTH_SCRIPT_WAIT)
        wait_for_steps(number, (uint64_t)op->arguments[1]);
    else
        start_thread(number);
}

void fth_player_end_process(void)
{
    fflush(NULL);
    for (uint32_t i = 0; i < fth_player.plan->process_count; i++)
        reap(i);
    if (fth_player.adopts)
        reap_adopted();
}

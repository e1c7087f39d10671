/* A program made of a seed: nested loops of calls on files, whose parameters depend on the loops, are random or extreme; now and then in
 * several threads or forked processes. It keeps its own account of every call (log.h).
 *
 *     program SEED LOG        in an empty folder
 */
#include "calls.h"
#include "log.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_STATEMENTS = 64 };

/* A loop of statements, or a call. */
struct statement {
    int turns; /* 0: a call */
    int first, count;
    struct call call;
};

struct program {
    struct statement statements[MOST_STATEMENTS];
    int used;
    bool new_names; /* more strings than a recorder wants to know at a time */
    long budget;    /* calls that its thread may make */
};

/* ---- making a program ---- */

static struct expression random_expression(uint64_t *random, bool of_count, bool wild)
{
    struct expression made = {.kind = LINEAR};
    static const int64_t grains[] = {1, 8, 512, 4096, 1000};
    uint64_t kind = draw(random) % 16;
    made.base = (int64_t)(draw(random) % (of_count ? 2000 : 100000));
    made.grain = grains[draw(random) % 5];
    made.range = 1 + (int64_t)(draw(random) % (of_count ? 50 : 2000));
    if (wild && kind == 0)
        made.kind = EXTREME;
    else if (kind < 5)
        made.kind = RANDOM;
    else if (kind < 13)
        for (int i = 0; i < NEST; i++)
            made.steps[i] = draw(random) % 2 ? (int64_t)(draw(random) % 5) * made.grain : 0;
    return made;
}

static struct call random_call(uint64_t *random, bool new_names)
{
    struct call call = {0};
    int total = 0;
    for (int i = 0; i < call_count; i++)
        total += call_weight(i);
    int drawn = (int)(draw(random) % (uint64_t)total);
    while ((drawn -= call_weight(call.which)) >= 0)
        call.which++;
    bool wild = draw(random) % 3 == 0;
    call.target = (int)(draw(random) % (draw(random) % 2 ? 3 : DESCRIPTORS));
    call.other = (int)(draw(random) % DESCRIPTORS);
    call.count = random_expression(random, true, wild);
    call.offset = random_expression(random, false, wild);
    call.choice = random_expression(random, true, false);
    call.choice.base %= 300;
    if (!new_names && draw(random) % 16)
        call.choice.range = 1 + call.choice.range % 300, call.choice.grain = 1;
    else
        call.choice.base += 1000; /* names that come once or a few times */
    if (new_names)
        call.choice.range *= 1000;
    else if (draw(random) % 4)
        memset(call.choice.steps, 0, sizeof call.choice.steps);
    call.rarely = draw(random) % 8 ? 1 : 1 + (int)(draw(random) % 10);
    return call;
}

static void fill_body(struct program *program, uint64_t *random, int loop, int nest)
{
    struct statement *statement = &program->statements[loop];
    int count = 1 + (int)(draw(random) % 7);
    if (program->used + count > MOST_STATEMENTS)
        count = MOST_STATEMENTS - program->used;
    statement->first = program->used;
    statement->count = count;
    program->used += count;
    for (int i = 0; i < count; i++) {
        struct statement *inner = &program->statements[statement->first + i];
        bool is_loop = nest < NEST && draw(random) % 4 == 0;
        *inner = (struct statement){.turns = is_loop ? 1 + (int)(draw(random) % 40) : 0,
                                    .call = random_call(random, program->new_names)};
        if (is_loop)
            fill_body(program, random, statement->first + i, nest + 1);
    }
}

static void make_program(struct program *program, uint64_t *random)
{
    static const long budgets[] = {100, 300, 300, 1000, 1000, 1000, 3000, 3000};
    *program = (struct program){
        .used = 1, .new_names = draw(random) % 16 == 0, .budget = budgets[draw(random) % 8]};
    if (draw(random) % 40 == 0)
        program->budget *= 50; /* enough for several blocks, grammars and sets of signatures */
    program->statements[0].turns = 1 << 30;
    fill_body(program, random, 0, 1);
}

/* ---- running it ---- */

static void run_body(struct program *program, struct worker *worker, const struct statement *loop,
                     int nest)
{
    for (int turn = 0; turn < loop->turns && program->budget > 0; turn++) {
        if (nest < NEST)
            worker->turns[nest] = turn;
        program->budget--; /* also of a loop that makes no call */
        for (int i = 0; i < loop->count && program->budget > 0; i++) {
            const struct statement *statement = &program->statements[loop->first + i];
            if (statement->turns)
                run_body(program, worker, statement, nest + 1);
            else if (turn % statement->call.rarely == 0 && program->budget-- > 0)
                make_call(worker, &statement->call);
        }
    }
    if (nest < NEST)
        worker->turns[nest] = 0;
}

/* Some programs, one after the other, by one thread. The mark tells where the thread's calls begin. */
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
        run_body(program, worker, &program->statements[0], 0);
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
    syscall(SYS_mkdirat, -100, "d", 0700);
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

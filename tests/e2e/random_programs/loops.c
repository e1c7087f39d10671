/* A program is a loop around loops around calls, whose parameters depend on the turns of these
 * loops, are random or extreme. */
#include "loops.h"

#include <string.h>

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

static enum turning random_turning(uint64_t *random)
{
    static const enum turning some[] = {CONSTANT, CONSTANT, CONSTANT, GROWING, ANYHOW, POLLING};
    return some[draw(random) % (sizeof some / sizeof *some)];
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
                                    .turning = random_turning(random),
                                    .call = random_call(random, program->new_names)};
        if (is_loop)
            fill_body(program, random, statement->first + i, nest + 1);
    }
}

void make_program(struct program *program, uint64_t *random)
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

/* `around`: the turn of the loop around it. */
static int64_t turns_of(const struct statement *loop, struct worker *worker, int64_t around)
{
    switch (loop->turning) {
    case CONSTANT:
        return loop->turns;
    case GROWING:
        return around % 100 + loop->turns % 4;
    case ANYHOW:
        return (int64_t)(draw(&worker->random) % (uint64_t)loop->turns);
    default:
        for (int64_t turns = 0;; turns++)
            if (draw(&worker->random) % 4 == 0 || turns == 200)
                return draw(&worker->random) % 8 ? turns / 3 : turns * 10;
    }
}

static void run_body(struct program *program, struct worker *worker, const struct statement *loop,
                     int nest, int64_t turns)
{
    for (int64_t turn = 0; turn < turns && program->budget > 0; turn++) {
        if (nest < NEST)
            worker->turns[nest] = turn;
        program->budget--; /* also of a loop that makes no call */
        for (int i = 0; i < loop->count && program->budget > 0; i++) {
            const struct statement *statement = &program->statements[loop->first + i];
            if (statement->turns)
                run_body(program, worker, statement, nest + 1, turns_of(statement, worker, turn));
            else if (turn % statement->call.rarely == 0 && program->budget-- > 0)
                make_call(worker, &statement->call);
        }
    }
    if (nest < NEST)
        worker->turns[nest] = 0;
}

void run_program(struct program *program, struct worker *worker)
{
    const struct statement *start = &program->statements[0];
    run_body(program, worker, start, 0, start->turns);
}

/* Kernels of mpi-bench (Kunkel 2013, section 7.8): all come to a barrier, do the operation, and
 * come to another barrier; so many times. */
#include "sim/program/statements.h"

#include <string.h>

enum { ALL_TIMES = 1 << 30 };

struct kernel {
    const char *name;
    enum fth_sim_verb verb;
    bool has_size;
    void (*add)(struct text_program *program, const struct statement *operation);
};

static uint32_t last_of(const struct text_program *program)
{
    return program->program.ranks - 1;
}

static void add_for(struct text_program *program, const struct statement *operation, uint32_t first,
                    uint32_t last, uint32_t step)
{
    struct statement statement = *operation;
    statement.first = first;
    statement.last = last;
    statement.step = step;
    fth_sim_add_statement(program, &statement);
}

static void add_for_all(struct text_program *program, const struct statement *operation)
{
    add_for(program, operation, 0, last_of(program), 1);
}

static struct statement with_ranks(const struct statement *operation, enum fth_sim_verb verb,
                                   struct rank to, struct rank from)
{
    struct statement statement = *operation;
    statement.command.verb = verb;
    statement.to = to;
    statement.from = from;
    return statement;
}

static struct rank distance(int64_t value)
{
    return (struct rank){.is_relative = true, .value = value};
}

static struct rank number(uint32_t value)
{
    return (struct rank){.value = value};
}

static void add_ring(struct text_program *program, const struct statement *operation)
{
    struct statement around = with_ranks(operation, FTH_SIM_SENDRECV, distance(1), distance(-1));
    add_for_all(program, &around);
}

static void add_pairs(struct text_program *program, const struct statement *operation)
{
    struct statement even = with_ranks(operation, FTH_SIM_SENDRECV, distance(1), distance(1));
    struct statement odd = with_ranks(operation, FTH_SIM_SENDRECV, distance(-1), distance(-1));
    add_for(program, &even, 0, last_of(program), 2);
    add_for(program, &odd, 1, last_of(program), 2);
}

/* Rank 0 goes through the others in their order. */
static void add_with_root(struct text_program *program, const struct statement *operation,
                          enum fth_sim_verb others, enum fth_sim_verb root)
{
    struct statement to_root = with_ranks(operation, others, number(0), number(0));
    if (last_of(program))
        add_for(program, &to_root, 1, last_of(program), 1);
    for (uint32_t i = 1; i <= last_of(program); i++) {
        struct statement one = with_ranks(operation, root, number(i), number(i));
        add_for(program, &one, 0, 0, 1);
    }
}

static void add_to_root(struct text_program *program, const struct statement *operation)
{
    add_with_root(program, operation, FTH_SIM_SEND, FTH_SIM_RECV);
}

static void add_round_root(struct text_program *program, const struct statement *operation)
{
    add_with_root(program, operation, FTH_SIM_SENDRECV, FTH_SIM_SENDRECV);
}

static const struct kernel kernels[] = {
    {"barrier", FTH_SIM_BARRIER, false, add_for_all},
    {"bcast", FTH_SIM_BCAST, true, add_for_all},
    {"reduce", FTH_SIM_REDUCE, true, add_for_all},
    {"allreduce", FTH_SIM_ALLREDUCE, true, add_for_all},
    {"gather", FTH_SIM_GATHER, true, add_for_all},
    {"scatter", FTH_SIM_SCATTER, true, add_for_all},
    {"allgather", FTH_SIM_ALLGATHER, true, add_for_all},
    {"ring", FTH_SIM_SENDRECV, true, add_ring},
    {"paired", FTH_SIM_SENDRECV, true, add_pairs},
    {"send_to_root", FTH_SIM_SEND, true, add_to_root},
    {"sendrecv_root", FTH_SIM_SENDRECV, true, add_round_root},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static void add_kernel(struct text_program *program, const struct kernel *kernel,
                       struct statement operation, uint32_t times)
{
    uint32_t repeat = program->count;
    struct statement barrier = operation;
    barrier.command.verb = FTH_SIM_BARRIER;
    operation.command.verb = kernel->verb;
    fth_sim_add_statement(program, &(struct statement){.kind = REPEAT, .turns = times});
    add_for_all(program, &barrier);
    kernel->add(program, &operation);
    if (kernel->verb != FTH_SIM_BARRIER)
        add_for_all(program, &barrier);
    program->statements[repeat].other = program->count;
    fth_sim_add_statement(program, &(struct statement){.kind = END, .other = repeat});
}

int fth_sim_words_bench(struct fth_sim_words *words, struct text_program *program)
{
    struct statement operation = {.command.line = words->number};
    char word[FTH_SIM_WORD];
    uint32_t times = 1;
    bool has_size = false;
    const struct kernel *kernel = kernels;
    while (kernel < kernels + KERNELS && !fth_sim_words_accept(words, kernel->name))
        kernel++;
    if (kernel == kernels + KERNELS)
        return fth_sim_words_fail(words, "mpi-bench has no kernel",
                                  (fth_sim_words_peek(words, word), word));
    while (fth_sim_words_peek(words, word) && *word != '#') {
        if (kernel->has_size && fth_sim_words_accept(words, "size")) {
            has_size = true;
            if (fth_sim_words_size(words, &operation.command.bytes))
                return -1;
        } else if (fth_sim_words_accept(words, "count")) {
            if (fth_sim_words_count(words, 1, ALL_TIMES, &times))
                return -1;
        } else {
            return fth_sim_words_fail(words, "this does not belong to the kernel:", word);
        }
    }
    if (kernel->has_size && !has_size)
        return fth_sim_words_fail(words, "it lacks 'size BYTES'", "");
    if (kernel->add == add_pairs && program->program.ranks % 2)
        return fth_sim_words_fail(words, "pairs need an even number of processes", "");
    add_kernel(program, kernel, operation, times);
    return 0;
}

/* The table: see the header. */
#include "sim/results/compared.h"

#include "sim/replay/replay.h"

enum { PART, COMMAND, COUNT, RECORDED, SIMULATED, RATIO, COLUMNS };
static const struct fth_column columns[COLUMNS] = {
    {"part", "part", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"command", "command", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"count", "count", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"recorded", "recorded", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"simulated", "simulated", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"ratio", "ratio", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS},
};

static const char *part_of(enum fth_sim_verb verb)
{
    return verb == FTH_SIM_COMPUTE     ? "computation"
           : verb == FTH_SIM_IDLE     ? "waiting"
           : verb >= FTH_SIM_FILE_OPEN ? "files"
                                       : "messages";
}

struct both {
    struct fth_sim_spent recorded;
    int64_t simulated;
};

static void add_row(struct fth_table *table, const char *part, const char *command,
                    const struct both *both)
{
    if (!both->recorded.count)
        return;
    size_t row = fth_table_add_row(table);
    fth_table_set(table, row, PART, fth_cell_text(part));
    fth_table_set(table, row, COMMAND, fth_cell_text(command));
    fth_table_set(table, row, COUNT, fth_cell_integer((int64_t)both->recorded.count));
    fth_table_set(table, row, RECORDED, fth_cell_integer(both->recorded.time));
    fth_table_set(table, row, SIMULATED, fth_cell_integer(both->simulated));
    if (both->recorded.time)
        fth_table_set(table, row, RATIO,
                      fth_cell_real((double)both->simulated / (double)both->recorded.time));
}

static struct both of_verb(const struct fth_sim_world *world, const struct fth_sim_program *program,
                           enum fth_sim_verb verb)
{
    return (struct both){*fth_sim_replay_recorded(program, verb),
                         fth_sim_world_spent(world, verb)->time};
}

/* The sum over verbs from one to before another. */
static struct both of_verbs(const struct fth_sim_world *world,
                            const struct fth_sim_program *program, enum fth_sim_verb from,
                            enum fth_sim_verb to)
{
    struct both sum = {0};
    for (enum fth_sim_verb verb = from; verb < to; verb++) {
        struct both one = of_verb(world, program, verb);
        sum.recorded.count += one.recorded.count;
        sum.recorded.time += one.recorded.time;
        sum.simulated += one.simulated;
    }
    return sum;
}

struct fth_table *fth_sim_compared(const struct fth_sim_world *world,
                                   const struct fth_sim_program *recorded)
{
    static const struct fth_shape shape = {"compared", "Recorded and simulated", columns, COLUMNS,
                                           0};
    struct fth_table *table = fth_table_new(&shape);
    if (!table || !recorded)
        return table;
    uint32_t waiting;
    const struct both run = {{recorded->ranks, fth_sim_replay_recorded_time(recorded)},
                             fth_sim_world_last_end(world, &waiting)};
    const struct both messages = of_verbs(world, recorded, FTH_SIM_SEND, FTH_SIM_FILE_OPEN);
    const struct both files = of_verbs(world, recorded, FTH_SIM_FILE_OPEN, FTH_SIM_VERBS);
    add_row(table, "run",
            fth_sim_replay_leaves_out(recorded)
                ? "the longest process, without MPI_Init and MPI_Finalize"
                : "the longest process",
            &run);
    add_row(table, "messages", "all", &messages);
    add_row(table, "files", "all", &files);
    for (enum fth_sim_verb verb = 0; verb < FTH_SIM_VERBS; verb++) {
        struct both one = of_verb(world, recorded, verb);
        add_row(table, part_of(verb), fth_sim_verb_names[verb], &one);
    }
    return table;
}

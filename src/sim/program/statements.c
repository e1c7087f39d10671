/* Goes through programs that were read from text: which command comes next for a process. */
#include "sim/program/statements.h"

#include "base/memory.h"

#include <string.h>

bool fth_sim_statement_is_for(const struct text_program *program, const struct statement *statement,
                              uint32_t process)
{
    uint32_t communicator = statement->command.communicator;
    return process >= statement->first && process <= statement->last &&
           (process - statement->first) % statement->step == 0 &&
           (!communicator || program->communicators[communicator - 1].size[process]);
}

/* The rank that is meant, in a group of `count` in which the process has the rank `self`. */
static uint32_t resolve(const struct rank *rank, uint32_t self, uint32_t count)
{
    if (rank->is_any)
        return FTH_SIM_ANY;
    int64_t value = rank->is_relative ? (int64_t)self + rank->value : rank->value;
    value %= count;
    return (uint32_t)(value < 0 ? value + count : value);
}

/* How often the innermost loop around a command has been gone through. */
static uint64_t turn_of(const struct text_program *text, const struct statement *statement,
                        const struct fth_sim_cursor *cursor)
{
    if (!statement->loop)
        return 0;
    return text->statements[statement->loop - 1].turns - cursor->turns[cursor->depth - 1];
}

bool fth_sim_statements_next(const struct fth_sim_program *program, uint32_t rank,
                             struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    const struct text_program *text = (const struct text_program *)program;
    bool is_idle[FTH_SIM_LOOPS] = {false}; /* loops that came to an end since the last command */
    while (cursor->at < text->count) {
        const struct statement *statement = &text->statements[cursor->at++];
        if (statement->kind == REPEAT) {
            is_idle[cursor->depth] = false;
            if (statement->turns)
                cursor->turns[cursor->depth++] = statement->turns;
            else
                cursor->at = statement->other + 1;
        } else if (statement->kind == END) {
            uint32_t loop = cursor->depth - 1;
            if (--cursor->turns[loop] && !is_idle[loop])
                cursor->at = statement->other + 1;
            else
                cursor->depth--;
            is_idle[loop] = true; /* a whole turn without a command: there is none in the others */
        } else if (statement->kind == PARTDIFF) {
            uint64_t *turns = &cursor->turns[cursor->depth];
            cursor->at--; /* as long as it goes on */
            if (fth_sim_partdiff_next(&text->partdiff, rank, program->ranks, turns, command)) {
                command->line = statement->command.line;
                return true;
            }
            cursor->at++;
        } else if (fth_sim_statement_is_for(text, statement, rank)) {
            uint32_t self = rank, count = program->ranks;
            *command = statement->command;
            if (command->communicator) {
                const struct fth_sim_communicator *group =
                    &text->communicators[command->communicator - 1];
                self = group->rank[rank];
                count = group->size[rank];
            }
            command->to = resolve(&statement->to, self, count);
            command->from = resolve(&statement->from, self, count);
            command->ranges.offset =
                fth_sim_place_at(&statement->place, rank, turn_of(text, statement, cursor));
            return true;
        }
    }
    return false;
}

void fth_sim_add_statement(struct text_program *program, const struct statement *statement)
{
    FTH_GROW(program->statements, program->count);
    program->statements[program->count++] = *statement;
}

uint32_t fth_sim_find_communicator(const struct text_program *program, const char *name)
{
    for (uint32_t i = 0; i < program->program.communicator_count; i++)
        if (!strcmp(program->names[i], name))
            return i + 1;
    return 0;
}

void fth_sim_add_communicator(struct text_program *program, const char *name,
                              const uint32_t *colors)
{
    uint32_t number = program->program.communicator_count;
    FTH_GROW(program->communicators, number);
    FTH_GROW(program->names, number);
    program->names[number] = strcpy(fth_new(strlen(name) + 1, 1), name);
    fth_sim_communicator_split(&program->communicators[number], program->program.ranks, colors,
                               NULL);
    program->program.communicators = program->communicators;
    program->program.communicator_count = number + 1;
}

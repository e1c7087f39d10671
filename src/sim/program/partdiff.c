/* The commands of partdiff-par: see the header. */
#include "sim/program/partdiff.h"

#include <string.h>

enum { COMPUTE, BELOW, ABOVE, DIAGONAL, OPEN, ROWS, CLOSE, PHASES };
enum { SAMPLES = 9 };                    /* rows that rank 0 gets at the end */
#define MOST_CALL (UINT64_C(1945) << 20) /* more is written with several calls */

uint64_t fth_sim_partdiff_rows(uint64_t interlines)
{
    return 8 * interlines + 9;
}

/* ---- from text ---- */

int fth_sim_words_partdiff(struct fth_sim_words *words, struct fth_sim_named_files *files,
                           struct fth_sim_partdiff *partdiff)
{
    static const char *const names[FTH_SIM_PARTDIFF_FILES] = {"diagonal", "checkpoint.a",
                                                              "checkpoint.b"};
    enum { INTERLINES, ITERATIONS, CHECKPOINT, VISUALISE, INSTRUCTIONS, NUMBERS };
    static const struct {
        const char *name;
        uint32_t least, most;
    } known[NUMBERS] = {{"interlines", 0, 1000000},
                        {"iterations", 1, 1000000000},
                        {"checkpoint", 0, 1000000000},
                        {"visualise", 0, 1000000000},
                        {"instructions", 0, 10000}};
    uint32_t numbers[NUMBERS] = {0};
    char word[FTH_SIM_WORD];
    if (partdiff->rows)
        return fth_sim_words_fail(words, "there is already one", "partdiff");
    while (fth_sim_words_peek(words, word) && *word != '#') {
        size_t i = 0;
        while (i < NUMBERS && !fth_sim_words_accept(words, known[i].name))
            i++;
        if (i == NUMBERS)
            return fth_sim_words_fail(words, "partdiff has no", word);
        if (fth_sim_words_count(words, known[i].least, known[i].most, &numbers[i]))
            return -1;
    }
    if (!numbers[ITERATIONS])
        return fth_sim_words_fail(words, "it lacks 'iterations N'", "");
    *partdiff = (struct fth_sim_partdiff){.rows = fth_sim_partdiff_rows(numbers[INTERLINES]),
                                          .iterations = numbers[ITERATIONS],
                                          .visualise = numbers[VISUALISE],
                                          .checkpoint = numbers[CHECKPOINT],
                                          .instructions = numbers[INSTRUCTIONS],
                                          .file = files->count,
                                          .exchanges = true,
                                          .writes = numbers[VISUALISE] || numbers[CHECKPOINT],
                                          .finishes = true};
    for (size_t i = 0; partdiff->writes && i < FTH_SIM_PARTDIFF_FILES; i++)
        if (fth_sim_named_files_add(words, files, &(struct fth_sim_file){.name = names[i]}))
            return -1;
    return 0;
}

/* ---- what a process does ---- */

/* The first row of a process. */
static uint64_t first_row(const struct fth_sim_partdiff *partdiff, uint32_t rank, uint32_t ranks)
{
    return partdiff->rows * rank / ranks;
}

static uint64_t rows_of(const struct fth_sim_partdiff *partdiff, uint32_t rank, uint32_t ranks)
{
    return first_row(partdiff, rank + 1, ranks) - first_row(partdiff, rank, ranks);
}

/* How many times something that is done every so many iterations has been done before; false: it is
 * not done in this one. */
static bool is_due(const struct fth_sim_partdiff *partdiff, uint64_t every, uint64_t iteration,
                   uint64_t *before)
{
    *before = every ? (iteration + 1) / every - 1 : 0;
    return partdiff->writes && every && (iteration + 1) % every == 0;
}

/* `part` counts the calls of this write. False: it is over. */
static bool write_part(uint64_t first, uint64_t bytes, uint64_t part,
                       struct fth_sim_command *command)
{
    uint64_t done = part * MOST_CALL;
    if (done >= bytes)
        return false;
    command->verb = FTH_SIM_FILE_WRITE;
    command->ranges.offset = first + done;
    command->ranges.bytes = bytes - done < MOST_CALL ? bytes - done : MOST_CALL;
    command->ranges.count = 1;
    return true;
}

static bool exchange(const struct fth_sim_partdiff *partdiff, uint32_t peer, uint32_t ranks,
                     struct fth_sim_command *command)
{
    command->verb = FTH_SIM_SENDRECV;
    command->bytes = 8 * partdiff->rows;
    command->to = command->from = peer;
    return partdiff->exchanges && peer < ranks;
}

static bool open_or_close(const struct fth_sim_partdiff *partdiff, enum fth_sim_verb verb,
                          struct fth_sim_command *command)
{
    command->verb = verb;
    return partdiff->finishes;
}

/* One phase of an iteration; false: there is nothing (more) to do in it. */
static bool phase(const struct fth_sim_partdiff *partdiff, uint32_t rank, uint32_t ranks,
                  const uint64_t turns[2], struct fth_sim_command *command)
{
    uint64_t iteration = turns[0] / PHASES, part = turns[1], before;
    uint64_t row = 8 * partdiff->rows, first = first_row(partdiff, rank, ranks);
    uint64_t count = rows_of(partdiff, rank, ranks);
    unsigned number = (unsigned)(turns[0] % PHASES);
    if (number == DIAGONAL) {
        command->file = partdiff->file + FTH_SIM_DIAGONAL;
        return is_due(partdiff, partdiff->visualise, iteration, &before) &&
               write_part(first * 8 + before * row, count * 8, part, command);
    }
    if (number >= OPEN) {
        if (!is_due(partdiff, partdiff->checkpoint, iteration, &before))
            return false;
        command->file = partdiff->file + (before % 2 ? FTH_SIM_CHECKPOINT_B : FTH_SIM_CHECKPOINT_A);
        if (number == ROWS)
            return write_part(first * row, count * row, part, command);
    }
    if (part)
        return false;
    switch (number) {
    case COMPUTE:
        command->verb = FTH_SIM_COMPUTE;
        command->instructions = count * partdiff->rows * partdiff->instructions;
        return command->instructions > 0;
    case BELOW:
        return exchange(partdiff, rank + 1, ranks, command);
    case ABOVE:
        return exchange(partdiff, rank - 1, ranks, command);
    case OPEN:
        return open_or_close(partdiff, FTH_SIM_FILE_OPEN_ALL, command);
    default:
        return open_or_close(partdiff, FTH_SIM_FILE_CLOSE_ALL, command);
    }
}

/* Rank 0 gets rows that are equally far from each other, from those that have them. */
static bool collect(const struct fth_sim_partdiff *partdiff, uint32_t rank, uint32_t ranks,
                    uint64_t sample, struct fth_sim_command *command)
{
    uint64_t row = sample * (partdiff->rows - 1) / (SAMPLES - 1);
    uint32_t owner = (uint32_t)(row * ranks / partdiff->rows);
    while (first_row(partdiff, owner + 1, ranks) <= row)
        owner++;
    command->verb = rank ? FTH_SIM_SEND : FTH_SIM_RECV;
    command->bytes = 8 * partdiff->rows;
    command->from = owner;
    return owner && (!rank || rank == owner);
}

bool fth_sim_partdiff_next(const struct fth_sim_partdiff *partdiff, uint32_t rank, uint32_t ranks,
                           uint64_t turns[2], struct fth_sim_command *command)
{
    uint64_t iterations = partdiff->iterations * PHASES;
    while (turns[0] < iterations) {
        *command = (struct fth_sim_command){0};
        if (phase(partdiff, rank, ranks, turns, command)) {
            turns[1]++;
            return true;
        }
        turns[0]++;
        turns[1] = 0;
    }
    while (partdiff->finishes && turns[0] < iterations + SAMPLES) {
        *command = (struct fth_sim_command){0};
        if (collect(partdiff, rank, ranks, turns[0]++ - iterations, command))
            return true;
    }
    return false;
}

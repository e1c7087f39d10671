/* Inner header of the sim room: programs as they were read from text. */
#ifndef FTH_SIM_PROGRAM_STATEMENTS_H
#define FTH_SIM_PROGRAM_STATEMENTS_H

#include "sim/program/partdiff.h"
#include "sim/program/program_files.h"

#include <stddef.h>
#include <stdio.h>

/* A rank in a program: a number, or a distance to the rank that reads it, counted round. */
struct rank {
    bool is_relative, is_any;
    int64_t value;
};

struct statement {
    enum { COMMAND, REPEAT, END, PARTDIFF } kind;
    uint32_t first, last, step; /* the ranks that it is for */
    uint32_t other;             /* of a repeat: its end, of an end: its repeat */
    uint64_t turns;
    struct rank to, from;
    struct fth_sim_place place;
    uint32_t loop; /* the innermost one that a command is in: its number plus 1, or 0 */
    struct fth_sim_command command;
};

struct text_program {
    struct fth_sim_program program;
    struct fth_sim_named_files files;
    struct fth_sim_partdiff partdiff;
    struct statement *statements;
    uint32_t count;
    struct fth_sim_communicator *communicators; /* the program's, with their names */
    char **names;
};

enum { FTH_SIM_MOST_PROCESSES = 1 << 24 };

/* "3", "any", "left", "rank+2", of so many ranks. */
int fth_sim_words_rank(struct fth_sim_words *words, uint32_t ranks, struct rank *rank);
/* Whom a line is for: "rank 1..7:", "even:", or all, when nothing is said. The rest of the
 * statement is zeroed. */
int fth_sim_words_ranks(struct fth_sim_words *words, uint32_t ranks, struct statement *statement);

/* Whether a statement is for this process. */
bool fth_sim_statement_is_for(const struct text_program *program, const struct statement *statement,
                              uint32_t process);
/* The function `next` of such programs. */
bool fth_sim_statements_next(const struct fth_sim_program *program, uint32_t rank,
                             struct fth_sim_cursor *cursor, struct fth_sim_command *command);

/* A further statement, which is copied. */
void fth_sim_add_statement(struct text_program *program, const struct statement *statement);
/* What is behind the words `mpi-bench`: statements are added. */
int fth_sim_words_bench(struct fth_sim_words *words, struct text_program *program);

/* Programs of Parabench, by the ending of their name: read for so many processes, which must be
 * said. */
bool fth_sim_is_pbl(const char *path);
int fth_sim_read_pbl(FILE *file, uint32_t processes, struct text_program *program,
                     struct fth_error **error);

/* The number of the communicator of that name, 0: there is none. */
uint32_t fth_sim_find_communicator(const struct text_program *program, const char *name);
/* A further one: processes with the same color are together. The name is copied. */
void fth_sim_add_communicator(struct text_program *program, const char *name,
                              const uint32_t *colors);

#endif

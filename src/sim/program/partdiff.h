/* A program that is a rule: partdiff-par, a solver on a square matrix in blocks of rows (Kunkel
 * 2013, section 7.9). In each iteration processes compute and exchange rows with their neighbours;
 * now and then each writes its part of the diagonal, or its rows, to files; at the end nine rows go
 * to rank 0. */
#ifndef FTH_SIM_PROGRAM_PARTDIFF_H
#define FTH_SIM_PROGRAM_PARTDIFF_H

#include "sim/program/program_files.h"

/* All files that it works with, one behind the other. */
enum { FTH_SIM_DIAGONAL, FTH_SIM_CHECKPOINT_A, FTH_SIM_CHECKPOINT_B, FTH_SIM_PARTDIFF_FILES };

struct fth_sim_partdiff {
    uint64_t rows, iterations;
    uint64_t visualise, checkpoint; /* every so many iterations; 0: never */
    uint64_t instructions;          /* for each element of the matrix and iteration */
    uint32_t file;                  /* the first of its files */
    bool exchanges, writes;         /* rows, files */
    /* files are opened and closed, rows collected; else only what is measured is done */
    bool finishes;
};

/* The matrix that so many interlines make. */
uint64_t fth_sim_partdiff_rows(uint64_t interlines);

/* What is behind the word `partdiff`; adds its files. */
int fth_sim_words_partdiff(struct fth_sim_words *words, struct fth_sim_named_files *files,
                           struct fth_sim_partdiff *partdiff);

/* The next command of a rank; false: it is through. `turns`, zeroed at the start, is how far it has
 * come. */
bool fth_sim_partdiff_next(const struct fth_sim_partdiff *partdiff, uint32_t rank, uint32_t ranks,
                           uint64_t turns[2], struct fth_sim_command *command);

#endif

/* Programs of nested loops, made of a seed. */
#ifndef LOOPS_H
#define LOOPS_H

#include "calls.h"

#include <stdbool.h>

enum { MOST_STATEMENTS = 64 };

/* How often a loop turns: always as often; more often with each turn of the loop around it; at
 * random; mostly never or once, at times often, like somebody who asks until there is an answer. */
enum turning { CONSTANT, GROWING, ANYHOW, POLLING };

/* A loop of statements, or a call. */
struct statement {
    int turns; /* 0: a call */
    enum turning turning;
    int first, count;
    struct call call;
};

struct program {
    struct statement statements[MOST_STATEMENTS];
    int used;
    bool new_names; /* more strings than a recorder wants to know at a time */
    long budget;    /* calls that its thread may make */
};

void make_program(struct program *program, uint64_t *random);
void run_program(struct program *program, struct worker *worker);

#endif

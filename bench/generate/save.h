/* What both programs of a pair do: 4 processes save an array of doubles to one file. */
#ifndef SAVE_H
#define SAVE_H

#include <mpi.h>

enum { POINTS = 1024, SIDE = 64 };

/* `values` has POINTS * POINTS elements, of which a process saves its part: from the first on. */
void save(int rank, int size, const double *values, const char *path);

#endif

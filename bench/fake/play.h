/* What the world looks like to the rank that is played. */
#ifndef FTH_BENCH_PLAY_H
#define FTH_BENCH_PLAY_H

#include <stdbool.h>
#include <stddef.h>

struct play {
    bool is_on; /* else functions of libc do what libc does */
    int rank, ranks;
    size_t file_bytes;   /* that reading the file that is open can yet give */
    unsigned looks;      /* how often MPI_Test looks in vain for the message that comes next */
    int aggregator_each; /* every so many ranks one writes for all of them; 0: MPI writes nothing */
};
extern struct play play;

#endif

/* Programs as models: what each rank of a parallel program calls, for as many ranks as one
 * likes. */
#ifndef FTH_BENCH_MODELS_H
#define FTH_BENCH_MODELS_H

#include <stddef.h>
#include <stdint.h>

/* A rank that MPI_Init and MPI_Finalize are around. */
struct rank {
    int64_t rank, ranks, steps;
    uint64_t state; /* of its random numbers */
};

struct model {
    const char *name, *what;
    int64_t steps; /* of its main loop, unless given */
    void (*run)(struct rank *rank);
};
extern const struct model models[];
extern const size_t model_count;

#endif

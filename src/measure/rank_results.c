/* Brings items to rank 0, and from there to all: see the header. */
#include "measure/rank_results.h"

#include "base/memory.h"
#include "measure/mpi_library.h"

#include <stdlib.h>

enum { TAG = 1 };

struct fth_ranks {
    struct fth_mpi mpi;
    int rank, count;
};

struct fth_ranks *fth_ranks_begin(int rank, int count, const char *library,
                                  struct fth_error **error)
{
    struct fth_ranks *ranks = fth_new(1, sizeof *ranks);
    ranks->rank = rank;
    ranks->count = count;
    if (!fth_mpi_begin(&ranks->mpi, library, rank, count, error))
        return ranks;
    free(ranks);
    return NULL;
}

static void send(struct fth_ranks *ranks, const void *bytes, size_t size, int to)
{
    ranks->mpi.send(bytes, (int)size, ranks->mpi.byte, to, TAG, ranks->mpi.world);
}

static void receive(struct fth_ranks *ranks, void *bytes, size_t size, int from)
{
    const struct fth_mpi *mpi = &ranks->mpi;
    mpi->receive(bytes, (int)size, mpi->byte, from, TAG, mpi->world, mpi->no_status);
}

void fth_ranks_tell(struct fth_ranks *ranks, void *bytes, size_t size)
{
    if (ranks->rank)
        receive(ranks, bytes, size, 0);
    for (int to = 1; !ranks->rank && to < ranks->count; to++)
        send(ranks, bytes, size, to);
}

void fth_ranks_gather(struct fth_ranks *ranks, uint32_t (*part_of)(uint64_t item, uint32_t ranks),
                      void *items, size_t item_size, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        char *item = (char *)items + i * item_size;
        int from = (int)part_of(i, (uint32_t)ranks->count);
        if (from && from == ranks->rank)
            send(ranks, item, item_size, 0);
        else if (from && !ranks->rank)
            receive(ranks, item, item_size, from);
    }
}

void fth_ranks_end(struct fth_ranks *ranks)
{
    ranks->mpi.finalize();
    free(ranks);
}

int fth_gather_items(int rank, int count, const char *library,
                     uint32_t (*part_of)(uint64_t item, uint32_t ranks), void *items,
                     size_t item_size, uint64_t item_count, struct fth_error **error)
{
    struct fth_ranks *ranks = fth_ranks_begin(rank, count, library, error);
    if (!ranks)
        return -1;
    fth_ranks_gather(ranks, part_of, items, item_size, item_count);
    fth_ranks_end(ranks);
    return 0;
}

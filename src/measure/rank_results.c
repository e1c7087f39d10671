/* Brings items to rank 0: see the header. */
#include "measure/rank_results.h"

#include "measure/mpi_library.h"

enum { TAG = 1 };

int fth_gather_items(int rank, int ranks, const char *library,
                     uint32_t (*part_of)(uint64_t item, uint32_t ranks), void *items,
                     size_t item_size, uint64_t count, struct fth_error **error)
{
    struct fth_mpi mpi;
    if (fth_mpi_begin(&mpi, library, rank, ranks, error))
        return -1;
    for (uint64_t i = 0; i < count; i++) {
        char *item = (char *)items + i * item_size;
        int from = (int)part_of(i, (uint32_t)ranks);
        if (from && from == rank)
            mpi.send(item, (int)item_size, mpi.byte, 0, TAG, mpi.world);
        else if (from && !rank)
            mpi.receive(item, (int)item_size, mpi.byte, from, TAG, mpi.world, mpi.no_status);
    }
    mpi.finalize();
    return 0;
}

/* Brings items to rank 0: see the header. */
#include "measure/gather.h"

#include "measure/mpi_library.h"

enum { TAG = 1 };

int fth_gather_items(int rank, int ranks, const char *library, void *items, size_t item_size,
                     uint64_t count, struct fth_error **error)
{
    struct fth_mpi mpi;
    if (fth_mpi_begin(&mpi, library, rank, ranks, error))
        return -1;
    int from = rank ? rank : 1; /* those of rank 0 are there */
    for (; from < (rank ? rank + 1 : ranks); from++)
        for (uint64_t i = (uint64_t)from; i < count; i += (uint64_t)ranks) {
            char *item = (char *)items + i * item_size;
            if (rank)
                mpi.send(item, (int)item_size, mpi.byte, 0, TAG, mpi.world);
            else
                mpi.receive(item, (int)item_size, mpi.byte, from, TAG, mpi.world, mpi.no_status);
        }
    mpi.finalize();
    return 0;
}

/* Keeps settings in a store and reads them again. With MPI (-DWITH_MPI) each rank has a store of
 * its own. */
#include "kvstore.h"

#ifdef WITH_MPI
#include <mpi.h>
#endif
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank = 0, found = 0;
    char path[64], key[16], value[100] = "";
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
    (void)argc, (void)argv;
    snprintf(path, sizeof path, "settings.%d.kv", rank);
    kv_store *store = kv_open(path, KV_WRITE | KV_SYNC);
    if (!store) {
        perror(path);
        return 1;
    }
    for (int i = 0; i < 10; i++) {
        snprintf(key, sizeof key, "setting%d", i);
        kv_put(store, key, value, sizeof value);
    }
    for (int i = 0; i < 12; i++) {
        snprintf(key, sizeof key, "setting%d", i);
        found += kv_get(store, key, value, sizeof value) == (ssize_t)sizeof value;
    }
    printf("%zu keys, %d of 12 found\n", kv_count(store), found);
    kv_close(store);
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    return 0;
}

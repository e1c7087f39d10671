/* What only the communicator knows: how long lists are (counts of collective calls, dimensions),
 * and who the root is. It is asked if it is one that the program has. */
#include "calls.h"
#include "capture/mpi/profiling_interface.h"

static bool is_known(MPI_Comm comm)
{
    return fth_mpi_find(FTH_CLASS_comm, fth_mpi_value(FTH_CLASS_comm, (uintptr_t)comm)) >= 0;
}

int64_t fth_mpi_members(MPI_Comm comm)
{
    int size;
    return is_known(comm) && fth_pmpi.Comm_size(comm, &size) == 0 ? size : -1;
}

int64_t fth_mpi_senders(MPI_Comm comm)
{
    int has_two_sides, size;
    if (!is_known(comm) || !fth_pmpi.Comm_test_inter || !fth_pmpi.Comm_remote_size ||
        fth_pmpi.Comm_test_inter(comm, &has_two_sides) != 0)
        return -1;
    int failed =
        has_two_sides ? fth_pmpi.Comm_remote_size(comm, &size) : fth_pmpi.Comm_size(comm, &size);
    return failed ? -1 : size;
}

int64_t fth_mpi_root_parts(MPI_Comm comm, int root)
{
    int has_two_sides, rank;
    if (!is_known(comm) || !fth_pmpi.Comm_test_inter ||
        fth_pmpi.Comm_test_inter(comm, &has_two_sides) != 0 || fth_pmpi.Comm_rank(comm, &rank) != 0)
        return -1;
    bool is_root = has_two_sides ? root == fth_mpi_abi.root : root == rank;
    return is_root ? fth_mpi_senders(comm) : -1;
}

int64_t fth_mpi_receivers(MPI_Comm comm, const void *sent)
{
    /* MPI_IN_PLACE is one of these: then the counts may be no list at all */
    bool is_in_place = (uintptr_t)sent == 1 || (uintptr_t)sent == UINTPTR_MAX;
    return is_in_place ? -1 : fth_mpi_senders(comm);
}

/* Two in each dimension. */
static int64_t sources_in_grid(MPI_Comm comm)
{
    int dimensions;
    return fth_pmpi.Cartdim_get && fth_pmpi.Cartdim_get(comm, &dimensions) == 0
               ? 2 * (int64_t)dimensions
               : -1;
}

static int64_t sources_in_graph(MPI_Comm comm)
{
    int rank, count;
    return fth_pmpi.Graph_neighbors_count && fth_pmpi.Comm_rank(comm, &rank) == 0 &&
                   fth_pmpi.Graph_neighbors_count(comm, rank, &count) == 0
               ? count
               : -1;
}

static int64_t sources_in_dist_graph(MPI_Comm comm)
{
    int in, out, weighted;
    return fth_pmpi.Dist_graph_neighbors_count &&
                   fth_pmpi.Dist_graph_neighbors_count(comm, &in, &out, &weighted) == 0
               ? in
               : -1;
}

int64_t fth_mpi_sources(MPI_Comm comm)
{
    int topology;
    if (!is_known(comm) || fth_mpi_abi.cart == fth_mpi_abi.graph || !fth_pmpi.Topo_test ||
        fth_pmpi.Topo_test(comm, &topology) != 0)
        return -1;
    return topology == fth_mpi_abi.cart         ? sources_in_grid(comm)
           : topology == fth_mpi_abi.graph      ? sources_in_graph(comm)
           : topology == fth_mpi_abi.dist_graph ? sources_in_dist_graph(comm)
                                                : -1;
}

int64_t fth_mpi_dims(MPI_Comm comm)
{
    int topology, dimensions;
    if (!is_known(comm) || fth_mpi_abi.cart == fth_mpi_abi.graph || !fth_pmpi.Topo_test ||
        !fth_pmpi.Cartdim_get || fth_pmpi.Topo_test(comm, &topology) != 0 ||
        topology != fth_mpi_abi.cart)
        return -1;
    return fth_pmpi.Cartdim_get(comm, &dimensions) == 0 ? dimensions : -1;
}

bool fth_mpi_is_root(MPI_Comm comm, int root)
{
    int rank;
    return is_known(comm) && fth_pmpi.Comm_rank(comm, &rank) == 0 && rank == root;
}

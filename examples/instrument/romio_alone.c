/* What ROMIO asks of MPICH's inside. Built alone it has to be here. */
#include <mpi.h>

void MPIR_Datatype_iscontig(MPI_Datatype type, int *flag);
void MPIR_Datatype_iscontig(MPI_Datatype type, int *flag)
{
    int integers, addresses, types, combiner;
    MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    *flag = combiner == MPI_COMBINER_NAMED;
}

/* All processes on one node. */
int MPIR_Get_node_id(MPI_Comm comm, int rank, int *id);
int MPIR_Get_node_id(MPI_Comm comm, int rank, int *id)
{
    (void)comm;
    (void)rank;
    *id = 0;
    return MPI_SUCCESS;
}

/* A function of Fortran has another name with every compiler: with -DSTYLE=1 mpi_init_, 2
 * mpi_init__, 3 mpi_init, 4 MPI_INIT. This is what such a compiler makes of a small program; the
 * lengths of texts come behind all arguments. */
#include <mpi.h>
#include <stdio.h>

#if STYLE == 1
#define NAME(small, capital) small##_
#elif STYLE == 2
#define NAME(small, capital) small##__
#elif STYLE == 3
#define NAME(small, capital) small
#else
#define NAME(small, capital) capital
#endif

void NAME(mpi_init, MPI_INIT)(int *ierror);
void NAME(mpi_comm_rank, MPI_COMM_RANK)(int *comm, int *rank, int *ierror);
void NAME(mpi_info_create, MPI_INFO_CREATE)(int *info, int *ierror);
void NAME(mpi_info_set, MPI_INFO_SET)(int *info, char *key, char *value, int *ierror, size_t,
                                      size_t);
void NAME(mpi_info_free, MPI_INFO_FREE)(int *info, int *ierror);
void NAME(mpi_finalize, MPI_FINALIZE)(int *ierror);

int main(void)
{
    int ierror, rank = -1, info, world;
    NAME(mpi_init, MPI_INIT)(&ierror);
    world = MPI_Comm_c2f(MPI_COMM_WORLD);
    NAME(mpi_comm_rank, MPI_COMM_RANK)(&world, &rank, &ierror);
    NAME(mpi_info_create, MPI_INFO_CREATE)(&info, &ierror);
    NAME(mpi_info_set, MPI_INFO_SET)(&info, "cb_nodes  and more", "  12 ", &ierror, 10, 5);
    NAME(mpi_info_free, MPI_INFO_FREE)(&info, &ierror);
    printf("rank %d\n", rank);
    NAME(mpi_finalize, MPI_FINALIZE)(&ierror);
    return ierror;
}

/* Particles: each process has another number of them, one process may have none. They are
 * structures, written as they are, one process behind the other. */
#include <mpi.h>
#include <stdlib.h>

struct particle {
    double position[3];
    float mass;
    int number;
};

#begin_options
library: hdf5;
file: "particles.out";
processes: 4;
assume: own = 100 + 37 * rank, first = 100 * rank + 37 * rank * (rank - 1) / 2, all = 622;
#end_options
#begin_types
particle: double position[3], float mass, int number;
#end_types

static void fill(struct particle *some, int first, int own)
{
    for (int i = 0; i < own; i++) {
        for (int j = 0; j < 3; j++)
            some[i].position[j] = first + i + j * 0.25;
        some[i].mass = (float)(first + i) / 2;
        some[i].number = first + i;
    }
}

int main(int argc, char **argv)
{
    int rank, size, first = 0, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int own = rank == size - 1 && size > 1 ? 0 : 100 + 37 * rank;
    MPI_Exscan(&own, &first, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    struct particle *some = (struct particle *)calloc((size_t)own + 1, sizeof *some);
    struct particle *again = (struct particle *)calloc((size_t)own + 1, sizeof *again);
    if (!some || !again)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fill(some, first, own);
    #begin_dimensions
    particles: all;
    #end_dimensions
    #begin_variables
    swarm: particle, 1, particles;
    #end_variables
    #begin_attributes
    comment: *, char, "one process behind the other";
    #end_attributes
    #begin_write
    array: rank, swarm, first, own, some;
    #end_write
    #begin_read
    array: rank, swarm, first, own, again;
    #end_read
    for (int i = 0; i < own; i++)
        if (again[i].number != some[i].number || again[i].mass != some[i].mass ||
            again[i].position[2] != some[i].position[2])
            MPI_Abort(MPI_COMM_WORLD, 2);
    free(some);
    free(again);
    MPI_Finalize();
    return 0;
}

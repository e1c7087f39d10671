/* What BT-IO does: a cube of cells of five doubles, distributed to ranks in several blocks along a
 * diagonal, is written every few steps by one collective call, through a view of the blocks in the
 * file and a datatype that leaves out ghost cells in memory; at the end it is read back.
 *
 *     mpirun -n 4 btio FILE [STEPS [CELLS]] */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { FIELDS = 5, GHOST = 1, MOST_BLOCKS = 8 };

/* The block of cells that a rank has in slice `slice`. */
static MPI_Datatype file_block(int cells, int blocks, int rank, int slice)
{
    int size = cells / blocks, row = (rank / blocks + slice) % blocks,
        column = (rank + slice) % blocks;
    int whole[] = {cells, cells, cells * FIELDS}, part[] = {size, size, size * FIELDS};
    int start[] = {slice * size, row * size, column * size * FIELDS};
    MPI_Datatype type;
    MPI_Type_create_subarray(3, whole, part, start, MPI_ORDER_C, MPI_DOUBLE, &type);
    return type;
}

static MPI_Datatype memory_block(int size)
{
    int with = size + 2 * GHOST;
    int whole[] = {with, with, with * FIELDS}, part[] = {size, size, size * FIELDS};
    int start[] = {GHOST, GHOST, GHOST * FIELDS};
    MPI_Datatype type;
    MPI_Type_create_subarray(3, whole, part, start, MPI_ORDER_C, MPI_DOUBLE, &type);
    return type;
}

static void compute(double *values, size_t count, int milliseconds)
{
    for (size_t i = 0; i < count; i++)
        values[i] = sqrt(values[i] + 1.0);
    struct timespec time = {0, milliseconds * 1000000L};
    nanosleep(&time, NULL);
}

int main(int argc, char **argv)
{
    int rank, ranks, steps = argc > 2 ? atoi(argv[2]) : 4, cells = argc > 3 ? atoi(argv[3]) : 16;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int blocks = (int)(sqrt(ranks) + 0.5), size = cells / blocks, with = size + 2 * GHOST;
    if (blocks * blocks != ranks || blocks > MOST_BLOCKS || cells % blocks)
        MPI_Abort(MPI_COMM_WORLD, 1);

    int lengths[MOST_BLOCKS];
    MPI_Aint places[MOST_BLOCKS], memory_places[MOST_BLOCKS];
    MPI_Datatype files[MOST_BLOCKS], memories[MOST_BLOCKS], filetype, memory;
    size_t block = (size_t)with * with * with * FIELDS;
    for (int i = 0; i < blocks; i++) {
        lengths[i] = 1;
        places[i] = 0;
        memory_places[i] = (MPI_Aint)(i * block * sizeof(double));
        files[i] = file_block(cells, blocks, rank, i);
        memories[i] = memory_block(size);
    }
    MPI_Type_create_struct(blocks, lengths, places, files, &filetype);
    MPI_Type_create_struct(blocks, lengths, memory_places, memories, &memory);
    MPI_Type_commit(&filetype);
    MPI_Type_commit(&memory);

    double *values = calloc(block * blocks, sizeof *values), sum = 0, total;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_buffer_size", "1048576");
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);
    MPI_Info_free(&info);
    MPI_File_set_view(file, 0, MPI_DOUBLE, filetype, "native", MPI_INFO_NULL);
    MPI_Offset count = (MPI_Offset)size * size * size * FIELDS * blocks;
    for (int step = 0; step < steps; step++) {
        compute(values, block * blocks, 20);
        MPI_File_write_at_all(file, step * count, values, 1, memory, MPI_STATUS_IGNORE);
    }
    MPI_Request request;
    MPI_File_iread_at(file, 0, values, 1, memory, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_read_at_all(file, (steps - 1) * count, values, 1, memory, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    for (size_t i = 0; i < block * blocks; i++)
        sum += values[i];
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g\n", total);
    free(values);
    MPI_Type_free(&filetype);
    MPI_Type_free(&memory);
    MPI_Finalize();
    return 0;
}

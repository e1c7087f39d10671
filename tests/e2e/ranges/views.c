/* Writes ones through file views of random datatypes, each into a file of its own: views FOLDER
 * FILES SEED [resized]. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t state;
static int with_resized; /* ROMIO takes some of these for others */
static int draw(int limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)limit);
}

enum { MOST = 4 };

static MPI_Datatype draw_named(void)
{
    const MPI_Datatype named[] = {MPI_BYTE,        MPI_CHAR, MPI_SHORT,   MPI_INT,
                                  MPI_DOUBLE,      MPI_LONG, MPI_FLOAT,   MPI_INT16_T,
                                  MPI_LONG_DOUBLE, MPI_2INT, MPI_INTEGER, MPI_DOUBLE_PRECISION};
    return named[draw(sizeof named / sizeof *named)];
}

static MPI_Aint extent_of(MPI_Datatype type)
{
    MPI_Aint low, extent;
    MPI_Type_get_extent(type, &low, &extent);
    return extent;
}

/* Every constructor; places only grow, as a file view needs it. */
static MPI_Datatype draw_type(int depth)
{
    if (depth == 0 || draw(8) == 0)
        return draw_named();
    MPI_Datatype old = draw_type(depth - 1), made, types[MOST];
    MPI_Aint extent = extent_of(old), places[MOST], true_low, true_extent;
    MPI_Type_get_true_extent(old, &true_low, &true_extent);
    MPI_Aint room = extent > true_low + true_extent ? extent : true_low + true_extent;
    int lengths[MOST], indices[MOST], count = 1 + draw(MOST), length = 1 + draw(3);
    int sizes[3], subsizes[3], starts[3], dims = 1 + draw(3), distribs[3], dargs[3], psizes[3];
    MPI_Aint at = 0;
    int index = 0, ranks = 1;
    for (int i = 0; i < MOST; i++) {
        lengths[i] = 1 + draw(3);
        at += draw(3) * 5;
        places[i] = at;
        at += lengths[i] * room + room;
        index += draw(3);
        indices[i] = index;
        index += lengths[i] > length ? lengths[i] : length;
    }
    for (int i = 0; i < 3; i++) {
        sizes[i] = 1 + draw(6);
        subsizes[i] = 1 + draw(sizes[i]);
        starts[i] = draw(sizes[i] - subsizes[i] + 1);
        psizes[i] = 1 + draw(3);
        distribs[i] =
            (int[]){MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE}[draw(3)];
        if (distribs[i] == MPI_DISTRIBUTE_NONE)
            psizes[i] = 1;
        dargs[i] = MPI_DISTRIBUTE_DFLT_DARG;
        if (distribs[i] == MPI_DISTRIBUTE_CYCLIC && draw(2))
            dargs[i] = 1 + draw(3);
        if (distribs[i] == MPI_DISTRIBUTE_BLOCK && draw(2))
            dargs[i] = (sizes[i] + psizes[i] - 1) / psizes[i] + draw(2);
        if (i < dims)
            ranks *= psizes[i];
    }
    int order = draw(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    int kind = draw(12);
    if (kind == 10 && !with_resized)
        kind = 1;
    /* what overlaps itself or begins before 0 is only copied */
    if (true_low < 0 || room > extent)
        return old;
    switch (kind) {
    case 0:
        MPI_Type_contiguous(count, old, &made);
        break;
    case 1:
        MPI_Type_vector(count, length, length + draw(3), old, &made);
        break;
    case 2:
        MPI_Type_create_hvector(count, length, length * room + draw(9), old, &made);
        break;
    case 3:
        MPI_Type_indexed(MOST, lengths, indices, old, &made);
        break;
    case 4:
        MPI_Type_create_hindexed(MOST, lengths, places, old, &made);
        break;
    case 5:
        MPI_Type_create_indexed_block(count, length, indices, old, &made);
        break;
    case 6:
        for (int i = 0; i < MOST; i++)
            places[i] = (length * room + 7) * i;
        MPI_Type_create_hindexed_block(count, length, places, old, &made);
        break;
    case 7:
        types[0] = old;
        at = 0;
        for (int i = 0; i < MOST; i++) {
            if (i)
                types[i] = draw(3) ? draw_named() : old;
            places[i] = at;
            at += lengths[i] * extent_of(types[i]) + draw(9);
        }
        MPI_Type_create_struct(MOST, lengths, places, types, &made);
        break;
    case 8:
        MPI_Type_create_subarray(dims, sizes, subsizes, starts, order, old, &made);
        break;
    case 9:
        MPI_Type_create_darray(ranks, draw(ranks), dims, sizes, distribs, dargs, psizes, order, old,
                               &made);
        break;
    case 10:
        MPI_Type_create_resized(old, 0, room + draw(11), &made);
        break;
    default:
        MPI_Type_dup(old, &made);
        break;
    }
    MPI_Count size;
    MPI_Type_size_x(made, &size);
    return size ? made : draw_type(depth); /* ROMIO does not get along with empty ones */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const char *folder = argv[1];
    int count = atoi(argv[2]);
    with_resized = argc > 4;
    uint64_t seed = (uint64_t)atoll(argv[3]);
    for (int i = 0; i < count; i++) {
        state = seed * 1000003 + (uint64_t)i;
        draw(2);
        MPI_Datatype etype = draw_named(), filetype;
        MPI_Aint low, extent, elow, eextent, true_low, true_extent;
        MPI_Count size, esize;
        do {
            filetype = draw_type(3);
            MPI_Type_size_x(filetype, &size);
            MPI_Type_get_extent(filetype, &low, &extent);
            MPI_Type_get_true_extent(filetype, &true_low, &true_extent);
        } while (true_low < 0 || true_low + true_extent > low + extent || size == 0 ||
                 extent <= 0 || size > 100000 || extent > 1000000);
        etype = MPI_BYTE;
        if (draw(2)) { /* of whole elements */
            MPI_Type_size_x(etype, &esize);
            MPI_Datatype e = filetype;
            MPI_Type_get_extent(e, &elow, &eextent);
            if (elow == 0)
                etype = filetype;
        }
        MPI_Type_size_x(etype, &esize);
        MPI_Type_commit(&filetype);
        char name[4096];
        snprintf(name, sizeof name, "%s/%d", folder, i);
        /* data sieving writes what it read between the pieces: behind the end of a file anything */
        FILE *zeros = fopen(name, "w");
        if (!zeros || ftruncate(fileno(zeros), 64 << 20))
            MPI_Abort(MPI_COMM_WORLD, 1);
        fclose(zeros);
        MPI_File file;
        if (MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                          &file))
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Offset displacement = draw(40);
        int code = MPI_File_set_view(file, displacement, etype, filetype, "native", MPI_INFO_NULL);
        int pieces = 1 + draw(40);
        MPI_Offset skip = draw(30), bytes = (MPI_Offset)pieces * esize;
        char *ones = malloc((size_t)bytes + 1);
        memset(ones, 1, (size_t)bytes);
        MPI_Status status;
        if (!code)
            switch (draw(3)) {
            case 0:
                MPI_File_write_at(file, skip, ones, (int)bytes, MPI_BYTE, &status);
                break;
            case 1:
                MPI_File_seek(file, skip, MPI_SEEK_SET);
                MPI_File_write(file, ones, (int)bytes, MPI_BYTE, &status);
                MPI_File_seek(file, draw(3), MPI_SEEK_CUR);
                MPI_File_write(file, ones, (int)esize, MPI_BYTE, MPI_STATUS_IGNORE);
                break;
            default:
                MPI_File_seek_shared(file, skip, MPI_SEEK_SET);
                MPI_File_write_shared(file, ones, (int)bytes, MPI_BYTE, &status);
            }
        free(ones);
        int integers, addresses, types, combiner;
        MPI_Type_get_envelope(filetype, &integers, &addresses, &types, &combiner);
        if (combiner != MPI_COMBINER_NAMED)
            MPI_Type_free(&filetype);
        MPI_File_close(&file);
    }
    MPI_Finalize();
    return 0;
}

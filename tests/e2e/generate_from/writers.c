/* Programs whose accesses imply arrays, one after another: writers HOW..., each to a file of that
 * name. What a rank has of an array is filled by its rank and the place in its part, as the
 * proposed templates do. */
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

static void fill(void *part, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((char *)part)[i] = (char)('a' + ((size_t)rank * 7 + i) % 26);
}

static void must(int happened)
{
    if (!happened)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

/* A block of three dimensions, described to MPI. */
static void subarray(const char *path)
{
    static double block[8][6][8];
    const int all[] = {8, 12, 16}, part[] = {8, 6, 8}, start[] = {0, rank / 2 * 6, rank % 2 * 8};
    MPI_Datatype mine;
    MPI_File file;
    fill(block, sizeof block);
    MPI_Type_create_subarray(3, all, part, start, MPI_ORDER_C, MPI_DOUBLE, &mine);
    MPI_Type_commit(&mine);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_DOUBLE, mine, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, block, 8 * 6 * 8, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Type_free(&mine);
}

/* A block of two dimensions, row by row, at a position that is sought for each. */
static void seeks(const char *path)
{
    static char block[10][40];
    int fd = open(path, O_CREAT | O_WRONLY, 0644);
    fill(block, sizeof block);
    for (int row = 0; row < 10; row++) {
        lseek(fd, (rank / 2 * 10 + row) * 80 + rank % 2 * 40, SEEK_SET);
        must(write(fd, block[row], 40) == 40);
    }
    close(fd);
}

/* A header of one rank, an array in rows, a hole, and an array of blocks. */
static void several(const char *path)
{
    static int rows[3][50];
    static float block[4][5][6];
    char header[100];
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    fill(header, sizeof header);
    if (rank == 0)
        MPI_File_write_at(file, 0, header, sizeof header, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    fill(rows, sizeof rows);
    MPI_File_write_at_all(file, 100 + rank * (MPI_Offset)sizeof rows, rows, 150, MPI_INT, MPI_STATUS_IGNORE);
    fill(block, sizeof block);
    MPI_Offset at = 100 + 4 * (MPI_Offset)sizeof rows + 28;
    for (int z = 0; z < 4; z++)
        for (int y = 0; y < 5; y++)
            MPI_File_write_at(file, at + (((z * 10 + rank / 2 * 5 + y) * 12) + rank % 2 * 6) * 4, block[z][y], 6, MPI_FLOAT,
                              MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

/* Rows that do not divide evenly. */
static void shares(const char *path)
{
    int first = 11 * rank / size, rows = 11 * (rank + 1) / size - first;
    double *part = calloc((size_t)rows, 8 * 9);
    MPI_File file;
    fill(part, (size_t)rows * 8 * 9);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, first * 72, part, rows * 9, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    free(part);
}

/* Each rank has another number of elements, in no order. */
static void ragged(const char *path)
{
    const int counts[] = {5, 17, 3, 8}, firsts[] = {0, 8, 5, 25};
    int part[17];
    MPI_File file;
    fill(part, sizeof part);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, firsts[rank] * 4, part, counts[rank], MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

/* In each step a field of all ranks, and a number of one. */
static void records(const char *path)
{
    double part[30], number;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    for (int step = 0; step < 6; step++) {
        MPI_Offset at = step * (4 * (MPI_Offset)sizeof part + 8);
        fill(part, sizeof part);
        fill(&number, sizeof number);
        MPI_File_write_at_all(file, at + rank * (MPI_Offset)sizeof part, part, 30, MPI_DOUBLE, MPI_STATUS_IGNORE);
        if (rank == 0)
            MPI_File_write_at(file, at + 4 * (MPI_Offset)sizeof part, &number, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_File_close(&file);
}

/* Two cells of a diagonal of the cube for each rank (BT-IO), by runs. */
static void diagonal(const char *path)
{
    static double cells[2][6][6][6];
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    fill(cells[0], sizeof cells[0]);
    fill(cells[1], sizeof cells[1]);
    for (int cell = 0; cell < 2; cell++)
        for (int z = 0; z < 6; z++)
            for (int y = 0; y < 6; y++) {
                int row = (cell * 6 + z) * 12 + (rank / 2 + cell) % 2 * 6 + y;
                MPI_File_write_at(file, (row * 12 + (rank + cell) % 2 * 6) * 8, cells[cell][z][y], 6, MPI_DOUBLE,
                                  MPI_STATUS_IGNORE);
            }
    MPI_File_close(&file);
}

/* Places without any order. */
static void nowhere(const char *path)
{
    unsigned at = 17 + (unsigned)rank;
    int fd = open(path, O_CREAT | O_WRONLY, 0644);
    for (int i = 0; i < 400; i++) {
        at = at * 1103515245u + 12345u;
        must(pwrite(fd, "0123456789", 1 + at / 65536 % 9, (at / 4096 % 4096) * 40 + rank * 10) > 0);
    }
    close(fd);
}

/* All ranks write the same bytes. */
static void same(const char *path)
{
    int fd = open(path, O_CREAT | O_WRONLY, 0644);
    must(pwrite(fd, "all of them", 11, 0) == 11);
    close(fd);
}

/* All read shares that do not divide evenly. */
static void reads(const char *path)
{
    const int counts[] = {5, 17, 3, 8}, firsts[] = {0, 8, 5, 25};
    char part[68];
    int fd = open(path, O_RDONLY);
    must(pread(fd, part, 4 * (size_t)counts[rank], firsts[rank] * 4) == counts[rank] * 4);
    close(fd);
}

/* One writes what it has gathered, in order of the ranks. */
static void gathers(const char *path)
{
    char part[50], all[4 * 50];
    fill(part, sizeof part);
    MPI_Gather(part, 50, MPI_CHAR, all, 50, MPI_CHAR, 0, MPI_COMM_WORLD);
    int fd = rank ? -1 : open(path, O_CREAT | O_WRONLY, 0644);
    must(rank || write(fd, all, sizeof all) == sizeof all);
    must(rank || !close(fd));
}

/* One gathers, and writes as many bytes of its own. */
static void own(const char *path)
{
    char part[50], all[4 * 50];
    fill(part, sizeof part);
    MPI_Gather(part, 50, MPI_CHAR, all, 50, MPI_CHAR, 0, MPI_COMM_WORLD);
    memset(all, '-', sizeof all);
    int fd = rank ? -1 : open(path, O_CREAT | O_WRONLY, 0644);
    must(rank || write(fd, all, sizeof all) == sizeof all);
    must(rank || !close(fd));
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*write)(const char *path);
    } ways[] = {{"subarray", subarray}, {"seeks", seeks},       {"several", several}, {"shares", shares}, {"ragged", ragged},
                {"records", records},   {"diagonal", diagonal}, {"nowhere", nowhere}, {"same", same},     {"reads", reads},
                {"gathers", gathers}, {"own", own}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    must(size == 4);
    for (int at = 1; at < argc; at++)
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            if (!strcmp(argv[at], ways[i].name)) {
                ways[i].write(argv[at]);
                MPI_Barrier(MPI_COMM_WORLD);
            }
    MPI_Finalize();
    return 0;
}

/* watched FOLDER CALLS PHASES: what a call of fread takes on a rank that is only watched, ns of
 * processor time, the quickest of several loops in each phase. Rank 0 reads and writes much more
 * than the others, so it is the one that is recorded. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LOOPS = 5, MUCH = 600, LARGE = 1 << 20, FIRST = 2 /* phases before are not measured */ };
static char bytes[LARGE];
static size_t read_all;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double quickest(FILE *file, int calls)
{
    double best = 1e18;
    for (int loop = 0; loop < LOOPS; loop++) {
        rewind(file);
        double begin = now();
        for (int i = 0; i < calls; i++)
            read_all += fread(bytes, 1, 8, file);
        double each = (now() - begin) / calls;
        best = each < best ? each : best;
    }
    return best;
}

/* A file of this rank with bytes for one loop. */
static FILE *make(const char *folder, int rank, char name[512])
{
    snprintf(name, 512, "%s/watched.%d", folder, rank);
    FILE *file = fopen(name, "w+");
    for (int i = 0; file && i < 16; i++)
        fwrite(bytes, 1, LARGE, file);
    if (!file || fflush(file))
        MPI_Abort(MPI_COMM_WORLD, 1);
    return file;
}

int main(int count, char **arguments)
{
    int rank, calls = atoi(arguments[2]), phases = atoi(arguments[3]);
    double best = 1e18;
    char name[512];
    MPI_File shared;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *file = make(arguments[1], rank, name);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR, MPI_INFO_NULL, &shared);
    for (int phase = 0; phase < phases; phase++) {
        for (int i = 0; rank == 0 && i < MUCH; i++)
            rewind(file), read_all += fread(bytes, 1, LARGE, file);
        for (int i = 0; rank == 0 && i < MUCH; i++)
            MPI_File_write_at(shared, 0, bytes, LARGE, MPI_BYTE, MPI_STATUS_IGNORE);
        double each = rank == 1 ? quickest(file, calls) : 1e18;
        best = phase >= FIRST && each < best ? each : best;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_File_close(&shared);
    fclose(file);
    if (rank == 1 && read_all)
        printf("%.2f\n", best);
    MPI_Finalize();
    return 0;
}

/* A metadata storm: a program whose settings are in many small files.
 *
 *     settings_by_all make     makes the files
 *     settings_by_all bad      each rank looks for each file and reads it
 *     settings_by_all mended   rank 0 reads one file with all of them, and broadcasts it
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 2000, LENGTH = 32 };

static char settings[FILES][LENGTH];

static void name_of(int number, char *name, size_t room)
{
    snprintf(name, room, "setting.%d", number);
}

static int make_files(void)
{
    char name[32];
    int all = open("settings", O_CREAT | O_WRONLY, 0644);
    if (write(all, settings, sizeof settings) != sizeof settings || close(all))
        return 1;
    for (int i = 0; i < FILES; i++) {
        name_of(i, name, sizeof name);
        int fd = open(name, O_CREAT | O_WRONLY, 0644);
        if (write(fd, settings[i], LENGTH) != LENGTH || close(fd))
            return 1;
    }
    return 0;
}

static void read_files(void)
{
    char name[32];
    struct stat facts;
    for (int i = 0; i < FILES; i++) {
        name_of(i, name, sizeof name);
        if (stat(name, &facts))
            continue;
        int fd = open(name, O_RDONLY);
        if (read(fd, settings[i], LENGTH) != LENGTH)
            MPI_Abort(MPI_COMM_WORLD, 1);
        close(fd);
    }
}

static void read_one_file(void)
{
    int fd = open("settings", O_RDONLY);
    if (read(fd, settings, sizeof settings) != sizeof settings)
        MPI_Abort(MPI_COMM_WORLD, 1);
    close(fd);
}

int main(int argc, char **argv)
{
    int rank;
    if (argc > 1 && strcmp(argv[1], "make") == 0)
        return make_files();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int mended = argc > 1 && strcmp(argv[1], "mended") == 0;
    if (!mended)
        read_files();
    else if (rank == 0)
        read_one_file();
    if (mended)
        MPI_Bcast(settings, sizeof settings, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

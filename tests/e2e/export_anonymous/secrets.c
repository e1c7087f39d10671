/* Names wherever a program can have them: arguments, the environment, folders, files, links, texts
 * that it writes, regions, communicators, hints. Each has "q0x9z" in it. */
#include <fathom/mark.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

static void small_writes(void)
{
    int file = open("q0x9zfolder/q0x9zmany.dat", O_CREAT | O_WRONLY, 0600);
    for (int i = 0; i < 3000; i++)
        if (write(file, "x", 1) != 1 || fdatasync(file))
            exit(1);
    close(file);
}

int main(int argc, char **argv)
{
    char target[100];
#ifdef WITH_MPI
    MPI_Comm own;
    MPI_Info hints;
    MPI_File shared;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_set_name(own, "q0x9zcommunicator");
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "q0x9zkey", "q0x9zvalue");
    MPI_File_open(own, "q0x9zshared.h5", MPI_MODE_CREATE | MPI_MODE_RDWR, hints, &shared);
    MPI_File_write_at_all(shared, 0, "x", 1, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&shared);
    MPI_Barrier(own);
#endif
    mkdir("q0x9zfolder", 0700);
    fth_mark_begin("q0x9zregion");
    fth_mark_counter("q0x9zcounter", 1);
    small_writes();
    fth_mark_end("q0x9zregion");
    rename("q0x9zfolder/q0x9zmany.dat", "q0x9zfolder/q0x9zmoved.q0x9zsuffix");
    if (symlink("q0x9ztarget", "q0x9zlink") == 0)
        (void)!readlink("q0x9zlink", target, sizeof target);
    unlink("q0x9zlink");
    fprintf(stderr, "cannot open %s\n", argc > 1 ? argv[1] : "");
    perror("q0x9zmissing");
    puts("q0x9ztext");
    FILE *stream = fopen("q0x9zstream.txt", "w+e");
    fputs("q0x9zline\n", stream);
    fclose(stream);
    FILE *command = popen("echo q0x9zcommand >q0x9zmade", "r");
    pclose(command);
    open("/tmp/q0x9znowhere/q0x9zmissing", O_RDONLY);
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    execl("/bin/true", "q0x9zname", "--option=q0x9zoption", (char *)NULL);
}

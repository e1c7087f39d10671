/* phases COUNT CHANGE [MODE [MICROSECONDS]]: ranks meet COUNT times. In each phase one of them
 * waits in a read for 8 ms, or so long, another one after CHANGE phases. Files are opened in one
 * phase and used in the next one: their n-th write has n bytes, so its size says where it goes.
 * How long each phase took a rank, s, is in ../times-RANK.
 * MODE: threads (several write), fork (children write), killed (the last rank kills itself in the
 * last phase). */
#include <fathom/mark.h>
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, size, to_wait[2], waiting[2];
static const char bytes[64] = "0123456789012345678901234567890123456789";

static void check(int is_right, const char *what)
{
    if (is_right)
        return;
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

/* Another process lets go what reads, after so many microseconds. */
static void let_go(void)
{
    int microseconds;
    close(to_wait[1]);
    close(waiting[0]);
    while (read(to_wait[0], &microseconds, sizeof microseconds) == sizeof microseconds) {
        usleep((useconds_t)microseconds);
        if (write(waiting[1], "", 1) != 1)
            _exit(1);
    }
}

static void wait_for(int microseconds)
{
    char byte;
    check(write(to_wait[1], &microseconds, sizeof microseconds) == sizeof microseconds, "write");
    check(read(waiting[0], &byte, 1) == 1, "read");
}

static void *write_much(void *name)
{
    int file = open(name, O_CREAT | O_WRONLY, 0600);
    check(file >= 0, name);
    for (int i = 0; i < 500; i++)
        check(pwrite(file, bytes, 32, 32 * i) == 32, "pwrite");
    close(file);
    return NULL;
}

static void with_threads(int phase)
{
    pthread_t threads[3];
    char names[3][64];
    for (int i = 0; i < 3; i++) {
        snprintf(names[i], sizeof names[i], "thread-%d-%d-%d", rank, phase, i);
        pthread_create(&threads[i], NULL, write_much, names[i]);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}

static void with_child(int phase)
{
    char name[64];
    int status;
    pid_t child = fork();
    if (child == 0) {
        snprintf(name, sizeof name, "child-%d-%d", rank, phase);
        write_much(name);
        _exit(0);
    }
    check(waitpid(child, &status, 0) == child && status == 0, "the child");
}

/* The one of the phase before is written to again, and closed. */
static int go_on(int before, int phase)
{
    char name[64];
    for (int n = 4; before >= 0 && n <= 6; n++)
        check(write(before, bytes, (size_t)n) == n, "write");
    if (before >= 0)
        check(lseek(before, 0, SEEK_CUR) == 21 && close(before) == 0, "position");
    snprintf(name, sizeof name, "file-%d-%d", rank, phase);
    int file = open(name, O_CREAT | O_RDWR, 0600);
    check(file >= 0, name);
    for (int n = 1; n <= 3; n++)
        check(write(file, bytes, (size_t)n) == n, "write");
    return file;
}

static void tell_times(const double *times, int phases)
{
    char name[64];
    snprintf(name, sizeof name, "../times-%d", rank);
    FILE *file = fopen(name, "w");
    check(file != NULL, name);
    for (int phase = 0; phase < phases; phase++)
        fprintf(file, "%.9f\n", times[phase]);
    fclose(file);
}

int main(int count, char **arguments)
{
    const char *mode = count > 3 ? arguments[3] : "";
    int phases = atoi(arguments[1]), change = atoi(arguments[2]), file = -1;
    int long_wait = count > 4 ? atoi(arguments[4]) : 8000;
    struct stat facts;
    pid_t helper = pipe(to_wait) == 0 && pipe(waiting) == 0 ? fork() : -1;
    if (helper == 0) {
        let_go();
        _exit(0);
    }
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    check(helper > 0, "fork");
    double *times = calloc((size_t)phases + 1, sizeof *times);
    check(times != NULL, "calloc");
    for (int phase = 0; phase < phases; phase++) {
        fth_mark_begin("step");
        times[phase] = -MPI_Wtime();
        wait_for(phase / change % size == rank ? long_wait : 0);
        file = go_on(file, phase);
        for (int i = 0; i < 10; i++)
            check(stat("/", &facts) == 0, "stat");
        times[phase] += MPI_Wtime();
        if (strcmp(mode, "threads") == 0)
            with_threads(phase);
        if (strcmp(mode, "fork") == 0)
            with_child(phase);
        if (strcmp(mode, "killed") == 0 && phase == phases - 1 && rank == size - 1)
            raise(SIGKILL);
        fth_mark_end("step");
        MPI_Barrier(MPI_COMM_WORLD);
    }
    tell_times(times, phases);
    free(times);
    close(to_wait[1]);
    check(waitpid(helper, NULL, 0) == helper, "the helper");
    MPI_Finalize();
    return 0;
}

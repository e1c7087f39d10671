/* What bench/fs/run times: the same work by the primitives of the file system and by POSIX on files
 * in memory, by several processes at once.
 *
 *     does fs|posix WHAT PROCESSES OPERATIONS [WHERE]
 *
 * WHAT is own-reads, large-reads, small-writes, large-writes, attach or query; of POSIX also
 * byte-reads (a pread of 8 bytes), names (a file is made, looked at, and deleted) and outside (a
 * pread of no byte of /dev/zero by one process; prints the ns of a processor that a call takes, the
 * least of 40 turns). WHERE is a folder for POSIX, and what names of files begin with for the
 * primitives.
 *
 * Prints operations per second of all processes together, from the first that begins to the last
 * that ends. Recycled: all writes of a process go to one place of a file that is there. */
#include <fathom/fs.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SMALL = 4 << 10, READ = 8 << 10, LARGE = 8 << 20, FILE_BYTES = 32 << 20 };

static struct shared {
    pthread_barrier_t begin;
    double started[64], ended[64];
} *shared;

static bool by_posix;
static struct fth_fs_file *handle;
static int file;
static char *buffer;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void check(bool good, const char *what)
{
    if (good)
        return;
    perror(what);
    exit(1);
}

static void open_file(const char *where, int process)
{
    char path[4096];
    snprintf(path, sizeof path, by_posix ? "%s/file%d" : "%s%d", where, process);
    if (by_posix)
        check((file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600)) >= 0, path);
    else
        check((handle = fth_fs_open(path)) != NULL, path);
}

static void put(uint64_t offset, size_t size)
{
    if (by_posix)
        check(pwrite(file, buffer, size, (off_t)offset) == (ssize_t)size, "pwrite");
    else
        check(fth_fs_seek(handle, (int64_t)offset, SEEK_SET) >= 0 &&
                  fth_fs_write(handle, buffer, size) == (ssize_t)size,
              "write");
}

static void get(uint64_t offset, size_t size)
{
    if (by_posix)
        check(pread(file, buffer, size, (off_t)offset) == (ssize_t)size, "pread");
    else
        check(fth_fs_seek(handle, (int64_t)offset, SEEK_SET) >= 0 &&
                  fth_fs_read(handle, buffer, size) == (ssize_t)size,
              "read");
}

static void attach(uint64_t offset)
{
    put(offset, 8);
    check(!fth_fs_attach(handle, offset, 8), "attach");
}

static void query(uint64_t offset)
{
    struct fth_fs_interval *owners;
    int count;
    check(!fth_fs_query(handle, offset, 8, &owners, &count), "query");
    free(owners);
}

static void name(const char *folder, int process)
{
    char path[4096];
    struct stat facts;
    snprintf(path, sizeof path, "%s/name%d", folder, process);
    int made = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    check(made >= 0 && close(made) == 0 && stat(path, &facts) == 0 && unlink(path) == 0, path);
}

static void work(const char *what, int process, long operations, const char *folder)
{
    for (long i = 0; i < operations; i++) {
        uint64_t at = (uint64_t)i * 7919 % (FILE_BYTES / READ) * READ;
        if (strcmp(what, "names") == 0)
            name(folder, process);
        else if (strcmp(what, "own-reads") == 0)
            get(at, READ);
        else if (strcmp(what, "large-reads") == 0)
            get((uint64_t)(i % (FILE_BYTES / LARGE)) * LARGE, LARGE);
        else if (strcmp(what, "small-writes") == 0)
            put(at, SMALL);
        else if (strcmp(what, "large-writes") == 0)
            put((uint64_t)(i % (FILE_BYTES / LARGE)) * LARGE, LARGE);
        else if (strcmp(what, "attach") == 0)
            attach(at);
        else
            query(at);
    }
}

static void play(const char *what, int process, long operations, const char *folder)
{
    open_file(folder, process);
    for (uint64_t at = 0; at < FILE_BYTES; at += LARGE)
        put(at, LARGE);
    if (strcmp(what, "query") == 0)
        check(!fth_fs_attach_file(handle), "attach_file");
    pthread_barrier_wait(&shared->begin);
    shared->started[process] = now();
    work(what, process, operations, folder);
    shared->ended[process] = now();
    exit(0);
}

static double processor_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static int call_outside(long operations)
{
    enum { TURNS = 40 };
    char byte;
    double least = 0;
    check((file = open("/dev/zero", O_RDONLY)) >= 0, "/dev/zero");
    for (int turn = 0; turn < TURNS; turn++) {
        double begin = processor_time();
        for (long i = 0; i < operations / TURNS; i++)
            check(pread(file, &byte, 0, 0) == 0, "pread");
        double each = (processor_time() - begin) / (double)(operations / TURNS);
        least = !turn || each < least ? each : least;
    }
    printf("%.2f\n", least);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    if (strcmp(argv[2], "outside") == 0)
        return call_outside(atol(argv[4]));
    by_posix = strcmp(argv[1], "posix") == 0;
    int processes = atoi(argv[3]), status;
    long operations = atol(argv[4]);
    pthread_barrierattr_t attributes;
    check(processes > 0 && processes <= 64, "processes");
    buffer = malloc(LARGE);
    memset(buffer, 7, LARGE);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&shared->begin, &attributes, (unsigned)processes);
    for (int process = 0; process < processes; process++)
        if (fork() == 0)
            play(argv[2], process, operations, argc > 5 ? argv[5] : by_posix ? "." : "file");
    while (wait(&status) > 0)
        if (status)
            return 1;
    double first = shared->started[0], last = shared->ended[0];
    for (int process = 1; process < processes; process++) {
        first = shared->started[process] < first ? shared->started[process] : first;
        last = shared->ended[process] > last ? shared->ended[process] : last;
    }
    printf("%.0f\n", (double)(processes * operations) / (last - first));
    return 0;
}

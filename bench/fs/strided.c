/* What bench/fs/predicted times: one of several processes that write records of 4 KiB in turns to
 * one file.
 *
 *     strided calls|locks RANK RANKS RECORDS FILE START
 *
 * By calls of the system, or by primitives with a lock for each write. All begin at START, seconds
 * of the monotonic clock. Prints when it ended, and its processor time for the open, the writes and
 * the close, all in seconds. */
#include <fathom/fs.h>

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RECORD = 4 << 10 };

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void check(bool good, const char *what)
{
    if (good)
        return;
    perror(what);
    exit(1);
}

int main(int argc, char **argv)
{
    static char bytes[RECORD];
    if (argc != 7)
        return 2;
    bool by_locks = strcmp(argv[1], "locks") == 0;
    long rank = atol(argv[2]), ranks = atol(argv[3]), records = atol(argv[4]);
    double start = atof(argv[6]);
    memset(bytes, 7, sizeof bytes);
    while (now(CLOCK_MONOTONIC) < start)
        usleep(1000);
    double begin = now(CLOCK_PROCESS_CPUTIME_ID);
    struct fth_fs_file *handle = by_locks ? fth_fs_open(argv[5]) : NULL;
    int file = by_locks ? -1 : open(argv[5], O_WRONLY);
    check(by_locks ? handle != NULL : file >= 0, argv[5]);
    double opened = now(CLOCK_PROCESS_CPUTIME_ID);
    for (long i = 0; i < records; i++) {
        off_t at = (off_t)(i * ranks + rank) * RECORD;
        if (by_locks)
            check(!fth_fs_acquire_lock(handle, (uint64_t)at, RECORD, FTH_FS_LOCK_WRITE) &&
                      fth_fs_seek(handle, at, SEEK_SET) >= 0 &&
                      fth_fs_write(handle, bytes, RECORD) == RECORD,
                  "write");
        else
            check(pwrite(file, bytes, RECORD, at) == RECORD, "pwrite");
    }
    double written = now(CLOCK_PROCESS_CPUTIME_ID);
    check(by_locks ? !fth_fs_close(handle) : !close(file), "close");
    double closed = now(CLOCK_PROCESS_CPUTIME_ID);
    printf("%.9f %.9f %.9f %.9f\n", now(CLOCK_MONOTONIC), opened - begin, written - opened,
           closed - written);
    return 0;
}

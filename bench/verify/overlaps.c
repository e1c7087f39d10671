/* Processes that access one file, for bench/verify/run: overlaps HOW PROCESSES ACCESSES PLACES
 *
 *   random    4 KiB at places up to PLACES bytes, half of the processes read
 *   settled   the same, and each access is committed: no two of them are alike
 *   strided   half of every PLACES bytes, 100 at most: those of each process meet those of the next
 *             one in half of their bytes
 *   reopened  each writes and reads the first PLACES bytes (4 KiB at most) in an opening of its own
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[4096];

static unsigned long next_random(unsigned long *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void access_random(int file, int process, long count, unsigned long places, int settle)
{
    unsigned long state = 88172645463325252ul + (unsigned long)process;
    for (long i = 0; i < count; i++) {
        off_t at = (off_t)(next_random(&state) % places);
        ssize_t moved = process & 1 ? pread(file, bytes, sizeof bytes, at)
                                    : pwrite(file, bytes, sizeof bytes, at);
        if (moved < 0)
            _exit(1);
        if (settle)
            fdatasync(file);
    }
}

static void access_strided(int file, int process, long count, unsigned long stride)
{
    size_t length = stride / 2 < 100 ? stride / 2 : 100;
    for (long i = 0; i < count; i++)
        if (pwrite(file, bytes, length, (off_t)stride * i + (off_t)length / 2 * process) < 0)
            _exit(1);
}

static void access_reopened(long count, unsigned long length)
{
    length = length < sizeof bytes ? length : sizeof bytes;
    for (long i = 0; i < count; i++) {
        int file = open("overlaps.dat", O_RDWR);
        if (pwrite(file, bytes, length, 0) < 0 || pread(file, bytes, length, 0) < 0)
            _exit(1);
        close(file);
    }
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fputs("Usage: overlaps random|settled|strided|reopened PROCESSES ACCESSES PLACES\n",
              stderr);
        return 2;
    }
    int processes = atoi(argv[2]), status, failed = 0;
    for (int i = 0; i < processes; i++)
        if (fork() == 0) {
            int file = open("overlaps.dat", O_RDWR | O_CREAT, 0600);
            unsigned long places = strtoul(argv[4], NULL, 10);
            if (file < 0)
                _exit(1);
            if (strcmp(argv[1], "strided") == 0)
                access_strided(file, i, atol(argv[3]), places);
            else if (strcmp(argv[1], "reopened") == 0)
                access_reopened(atol(argv[3]), places);
            else
                access_random(file, i, atol(argv[3]), places, strcmp(argv[1], "settled") == 0);
            _exit(0);
        }
    while (wait(&status) > 0)
        failed |= status != 0;
    return failed;
}

/* Several streams of accesses on one descriptor, sizes that grow, positions that jump: streams WHAT
 * TURNS ACCOUNT. What it did is in ACCOUNT, one line for each call. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char bytes[1 << 16];
static int file;
static char account[64 << 20], *recorded = account;

static void write_at(size_t count, off_t offset)
{
    ssize_t result = pwrite(file, bytes, count, offset);
    recorded += sprintf(recorded, "pwrite %zu %jd %zd\n", count, (intmax_t)offset, result);
}

static void read_at(size_t count, off_t offset)
{
    ssize_t result = pread(file, bytes, count, offset);
    recorded += sprintf(recorded, "pread %zu %jd %zd\n", count, (intmax_t)offset, result);
}

static void write_here(size_t count)
{
    ssize_t result = write(file, bytes, count);
    recorded += sprintf(recorded, "write %zu %zd\n", count, result);
}

static void go_to(off_t distance, int whence)
{
    off_t result = lseek(file, distance, whence);
    recorded +=
        sprintf(recorded, "lseek %jd %d %jd\n", (intmax_t)distance, whence, (intmax_t)result);
}

static void header(long turn)
{
    write_at(64, 0);
    write_at(64, 64 + 64 * turn);
}

static void seldom_header(long turn)
{
    if (turn % 7 == 0)
        write_at(64, 0);
    write_at(64, 64 + 64 * turn);
}

static void two_regions(long turn)
{
    write_at(8, 8 * turn);
    write_at(8, (1 << 20) + 24 * turn);
}

static void three_reads(long turn)
{
    read_at(16, 16 * turn);
    read_at(100, 4096 + 160 * turn);
    read_at(8, 700000 + 8 * turn);
}

/* Columns, rows and planes, and a counter at the front. */
static void planes(long turn)
{
    long column = turn % 10, row = turn / 10 % 10, plane = turn / 100;
    write_at(8, 0);
    write_at(8, 64 + 8 * column + 1000 * row + 100000 * plane);
}

static void growing(long turn)
{
    write_at((size_t)(8 * turn) % sizeof bytes, 4096 * (off_t)turn);
}

static void seeking(long turn)
{
    go_to(0, SEEK_SET);
    write_here(8);
    go_to(100 + 24 * turn, SEEK_SET);
    write_here(8);
    go_to(-8 * (turn + 1), SEEK_CUR);
}

/* Each file has streams of its own, and its descriptor is that of the one before. */
static void files(long turn)
{
    if (turn % 100 == 0) {
        close(file);
        file = open("data", O_RDWR);
    }
    write_at(8, 8 * (turn % 100));
    write_at(8, 4096 + 3 * 8 * (turn % 100));
}

static const struct {
    const char *name;
    void (*turn)(long turn);
} all[] = {{"header", header},           {"seldom_header", seldom_header},
           {"two_regions", two_regions}, {"three_reads", three_reads},
           {"planes", planes},           {"growing", growing},
           {"seeking", seeking},         {"files", files}};

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    file = open("data", O_CREAT | O_RDWR | O_TRUNC, 0666);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, argv[1]) == 0)
            for (long turn = 0; turn < atol(argv[2]); turn++)
                all[i].turn(turn);
    FILE *kept = fopen(argv[3], "w");
    if (!kept || fwrite(account, (size_t)(recorded - account), 1, kept) != 1 || fclose(kept) != 0)
        return 1;
    return 0;
}

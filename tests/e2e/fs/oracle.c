/* Random operations of several processes on few files, in turns, against an oracle that knows of
 * each byte who wrote it, who attached it last, and what is in the folder below: every byte that
 * is read must be the one that the primitives promise.
 *
 *     oracle SEED STEPS      (on an instance of the file system)
 *
 * SMALL_BUFFERS in the environment: buffers are reclaimed at times that the oracle does not
 * know. NODES: numbers of processes, with blanks between: each process here works in the namespaces
 * of one of them. */
#define _GNU_SOURCE
#include <fathom/fs.h>

#include <fcntl.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 3, FILES = 2, UNIT = 50000, UNITS = 120, LONGEST = 30 };

/* A unit of a file: all its bytes were written together. Values are numbers of writes. */
struct unit {
    uint32_t own[PROCESSES];  /* what the process wrote last; 0: nothing */
    bool attached[PROCESSES]; /* that is attached, or was */
    bool clean[PROCESSES];    /* or it is in the folder below */
    uint32_t published;       /* attached last by anybody; 0: nobody */
    bool published_clean;
    int publisher;
    uint32_t below;
};

struct board {
    sem_t turn[PROCESSES];
    uint64_t seed;
    uint32_t writes;
    int steps;
    struct unit units[FILES][UNITS];
    struct fth_fs_address client[PROCESSES];
};

static struct board *board;
static int self;
static bool small_buffers; /* of fewer bytes than are written */
static struct fth_fs_file *files[FILES];

static uint32_t below(uint32_t limit)
{
    board->seed ^= board->seed << 13;
    board->seed ^= board->seed >> 7;
    board->seed ^= board->seed << 17;
    return (uint32_t)(board->seed % limit);
}

static void stop(const char *what, int file, int unit)
{
    fprintf(stderr, "process %d, file %d, unit %d, %d steps before the end: %s\n", self, file, unit,
            board->steps, what);
    exit(1);
}

static void check(bool good, const char *what)
{
    if (good)
        return;
    perror(what);
    stop(what, -1, -1);
}

static void fill(uint32_t *bytes, uint32_t value)
{
    for (int i = 0; i < UNIT / 4; i++)
        bytes[i] = value;
}

static bool holds(const uint32_t *bytes, uint32_t value)
{
    for (int i = 0; i < UNIT / 4; i++)
        if (bytes[i] != value)
            return false;
    return true;
}

static void do_write(int file, int first, int count)
{
    static uint32_t bytes[UNIT / 4];
    check(fth_fs_seek(files[file], (int64_t)first * UNIT, SEEK_SET) >= 0, "seek");
    for (int i = first; i < first + count; i++) {
        struct unit *unit = &board->units[file][i];
        unit->own[self] = ++board->writes;
        unit->attached[self] = unit->clean[self] = false;
        fill(bytes, unit->own[self]);
        check(fth_fs_write(files[file], bytes, UNIT) == UNIT, "write");
    }
}

static void do_attach(int file, int first, int count)
{
    if (count == UNITS)
        check(!fth_fs_attach_file(files[file]), "attach_file");
    else
        check(!fth_fs_attach(files[file], (uint64_t)first * UNIT, (uint64_t)count * UNIT),
              "attach");
    for (int i = first; i < first + count; i++) {
        struct unit *unit = &board->units[file][i];
        if (!unit->own[self] || unit->attached[self])
            continue;
        unit->attached[self] = true;
        unit->published = unit->own[self];
        unit->publisher = self;
        unit->published_clean = false;
    }
}

/* What was attached has been written to the folder below, because a buffer was full. */
static void read_reclaimed(int file, int i)
{
    static uint32_t bytes[UNIT / 4];
    struct unit *unit = &board->units[file][i];
    if (unit->own[self] && !unit->attached[self])
        return;
    check(fth_fs_seek(files[file], (int64_t)i * UNIT, SEEK_SET) >= 0, "seek");
    check(fth_fs_read(files[file], bytes, UNIT) == UNIT, "read");
    if (!holds(bytes, unit->published))
        stop("the folder below does not have what was attached", file, i);
}

/* Who attached last has the bytes. */
static void do_read_newest(int file, int first, int count)
{
    static uint32_t bytes[UNIT / 4];
    struct fth_fs_interval *owners;
    int owner_count, at = 0;
    check(!fth_fs_query(files[file], (uint64_t)first * UNIT, (uint64_t)count * UNIT, &owners,
                        &owner_count),
          "query");
    for (int i = first; i < first + count; i++) {
        struct unit *unit = &board->units[file][i];
        uint64_t begin = (uint64_t)i * UNIT;
        while (at < owner_count && owners[at].end <= begin)
            at++;
        bool owned = at < owner_count && owners[at].begin <= begin;
        if (!owned && unit->published && small_buffers)
            read_reclaimed(file, i);
        else if (!owned && unit->published)
            stop("nobody has what was attached", file, i);
        if (owned && !unit->published)
            stop("somebody has what nobody attached", file, i);
        if (!owned)
            continue;
        if (owners[at].owner.client != board->client[unit->publisher].client ||
            owners[at].owner.server != board->client[unit->publisher].server)
            stop("another one has it", file, i);
        check(fth_fs_read_peer(files[file], &owners[at].owner, begin, UNIT, bytes) == UNIT,
              "read_peer");
        if (!holds(bytes, unit->published))
            stop("a peer's bytes are not what was attached", file, i);
    }
    free(owners);
}

static void do_read(int file, int first, int count)
{
    static uint32_t bytes[UNIT / 4];
    for (int i = first; i < first + count; i++) {
        struct unit *unit = &board->units[file][i];
        uint32_t expected = unit->own[self] ? unit->own[self] : unit->below;
        check(fth_fs_seek(files[file], (int64_t)i * UNIT, SEEK_SET) >= 0, "seek");
        ssize_t got = fth_fs_read(files[file], bytes, UNIT);
        check(got >= 0, "read");
        if (small_buffers && (!unit->own[self] || unit->attached[self]))
            continue;
        if (expected ? got != UNIT || !holds(bytes, expected) : got == UNIT && !holds(bytes, 0))
            stop("the bytes are not what this process wrote, or what is below", file, i);
    }
}

static void do_flush(int file)
{
    check(!fth_fs_flush(files[file]), "flush");
    for (int i = 0; i < UNITS; i++) {
        struct unit *unit = &board->units[file][i];
        if (unit->own[self] && !unit->attached[self] && !unit->clean[self]) {
            unit->below = unit->own[self];
            unit->clean[self] = true;
        }
        if (unit->published && unit->publisher == self && !unit->published_clean) {
            unit->below = unit->published;
            unit->published_clean = true;
        }
    }
}

static void do_stat(int file)
{
    struct stat status;
    int end = 0;
    for (int i = 0; i < UNITS; i++) {
        struct unit *unit = &board->units[file][i];
        if (unit->published || unit->own[self] || unit->below)
            end = i + 1;
    }
    check(!fth_fs_stat(files[file], &status), "stat");
    if (status.st_size < (off_t)end * UNIT)
        stop("the file is too short", file, end);
}

static void do_one(void)
{
    int file = (int)below(FILES), first = (int)below(UNITS), count = 1 + (int)below(LONGEST);
    if (first + count > UNITS)
        count = UNITS - first;
    switch (below(12)) {
    case 0:
    case 1:
    case 2:
    case 3:
        do_write(file, first, count);
        break;
    case 4:
    case 5:
        do_attach(file, first, count);
        break;
    case 6:
        do_attach(file, 0, UNITS);
        break;
    case 7:
        do_read(file, first, count);
        break;
    case 8:
        if (!small_buffers)
            do_flush(file);
        break;
    case 9:
        do_stat(file);
        break;
    default:
        do_read_newest(file, first, count);
    }
}

/* Network, mounts and host name of a process. */
static void go_to(const char *process)
{
    static const char *const kinds[] = {"net", "uts", "mnt"};
    char path[64], here[4096];
    check(getcwd(here, sizeof here) != NULL, "getcwd");
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "/proc/%s/ns/%s", process, kinds[i]);
        int file = open(path, O_RDONLY);
        check(file >= 0 && !setns(file, 0), path);
        close(file);
    }
    check(!chdir(here), "chdir");
}

static void go_to_own_node(void)
{
    const char *nodes = getenv("NODES"), *all[PROCESSES];
    int count = 0;
    char *text = nodes ? strdup(nodes) : NULL;
    for (char *one = text ? strtok(text, " ") : NULL; one && count < PROCESSES;
         one = strtok(NULL, " "))
        all[count++] = one;
    if (count)
        go_to(all[self % count]);
    free(text);
}

static void play(void)
{
    char name[16];
    go_to_own_node();
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "file%d", i);
        files[i] = fth_fs_open(name);
        check(files[i] != NULL, "open");
    }
    while (!sem_wait(&board->turn[self]) && board->steps > 0) {
        struct stat status;
        board->steps--;
        check(!fth_fs_stat(files[0], &status), "stat"); /* it has a number from now on */
        board->client[self] = fth_fs_self();
        do_one();
        sem_post(&board->turn[below(PROCESSES)]);
    }
    for (int i = 0; i < PROCESSES; i++)
        sem_post(&board->turn[i]);
    for (int i = 0; i < FILES; i++)
        check(!fth_fs_close(files[i]), "close");
    exit(0);
}

/* What is attached is in the folder below when the instance has ended; where it was there before,
 * another process may have flushed over it. */
static void write_expected(void)
{
    for (int file = 0; file < FILES; file++)
        for (int i = 0; i < UNITS; i++) {
            const struct unit *unit = &board->units[file][i];
            if (unit->published)
                printf("%d %d %u\n", file, i,
                       unit->published_clean ? unit->below : unit->published);
        }
}

int main(int argc, char **argv)
{
    int failed = 0, status;
    if (argc != 3)
        return 2;
    small_buffers = getenv("SMALL_BUFFERS") != NULL;
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    board->seed = strtoull(argv[1], NULL, 10) * 2 + 88172645463325252u;
    board->steps = atoi(argv[2]);
    for (int i = 0; i < PROCESSES; i++)
        sem_init(&board->turn[i], 1, i == 0);
    for (self = 0; self < PROCESSES; self++)
        if (fork() == 0)
            play();
    while (wait(&status) > 0) {
        failed |= status;
        for (int i = 0; status && i < PROCESSES; i++) {
            board->steps = 0;
            sem_post(&board->turn[i]);
        }
    }
    write_expected();
    return failed ? 1 : 0;
}

/* The programs whose calls are measured: loops of cheap calls on files of a folder, which should be
 * a tmpfs.
 *
 *     calls MODE FOLDER CALLS [THREADS or KIND [KIND]]
 *
 * Each loop times itself, on a core of its own, so that the start of the process and what the
 * tracer does at its end are left out; the result is one line of "key=value" words on the standard
 * output. The files are made beforehand by the mode `prepare`, so that no loop makes the file
 * system allocate anything. `bench/run` runs each mode with and without the tracer. */
#include "peak.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum {
    FILES = 4,
    MOST_THREADS = 64,
    BRIEF_THREADS = 1000,
    FILE_BYTES = 1 << 27, /* of file 0 */
    SLOTS = 1 << 24, /* places for eight bytes in it: a random one has three bytes of entropy */
    STRIDE = 16,
    SKEWED = 4096,                      /* places that are drawn unevenly */
    MOST_STRIDED = FILE_BYTES / STRIDE, /* then from the start again */
    OTHER_BYTES = 1 << 25,              /* of files 1 to 3 and of those of threads */
    MOST_CALLS = 24000000, /* drawn ones move 4.5 bytes on average, on one of four files */
};

struct work {
    const char *folder;
    uint64_t calls;
    int thread, threads;
    const char *kind; /* of the calls whose pauses are measured */
    int fd[FILES];
    uint64_t random; /* state of xorshift64* */
    double ns_per_call;
    double processor_per_call; /* ns, without what other programs took */
};

static void die(const char *what)
{
    perror(what);
    exit(1);
}

/* The calls of the loops are checked by one addition each, and their sum once. */
static void expect(int64_t sum, int64_t expected)
{
    if (sum == expected)
        return;
    fprintf(stderr, "calls: a call did not do what it should: %lld, not %lld\n", (long long)sum,
            (long long)expected);
    exit(1);
}

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t now_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

static uint64_t draw(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * 0x2545F4914F6CDD1Du;
}

/* ---- where it runs, and on what ---- */

/* Takes the n-th of the cores that this process may use, if there are so many. */
static void stay_on_core(int n)
{
    cpu_set_t allowed, one;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return;
    n %= CPU_COUNT(&allowed);
    for (size_t core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &allowed) && n-- == 0) {
            CPU_ZERO(&one);
            CPU_SET(core, &one);
            sched_setaffinity(0, sizeof one, &one);
            return;
        }
}

static int open_file(const char *folder, int number, int flags)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%d", folder, number);
    int fd = open(path, flags, 0600);
    if (fd < 0)
        die(path);
    return fd;
}

static void fill(int fd, size_t bytes)
{
    static char block[1 << 20];
    for (size_t done = 0; done < bytes; done += sizeof block)
        if (write(fd, block, sizeof block) != sizeof block)
            die("write");
    close(fd);
}

static void prepare(struct work *work)
{
    for (int i = 0; i < FILES; i++)
        fill(open_file(work->folder, i, O_CREAT | O_TRUNC | O_WRONLY),
             i ? OTHER_BYTES : FILE_BYTES);
}

static void open_files(struct work *work)
{
    for (int i = 0; i < FILES; i++)
        work->fd[i] = open_file(work->folder, i, O_RDWR);
}

/* ---- the loops: each makes work->calls calls ---- */

/* pwrite, eight bytes, each 16 behind the one before. */
static void strided(struct work *work)
{
    char bytes[8] = "strided";
    int64_t sum = 0;
    int fd = work->fd[work->thread % FILES];
    uint64_t most = fd == work->fd[0] ? MOST_STRIDED : OTHER_BYTES / STRIDE;
    for (uint64_t i = 0; i < work->calls; i++)
        sum += pwrite(fd, bytes, 8, (off_t)(i % most * STRIDE));
    expect(sum, (int64_t)work->calls * 8);
}

/* Anywhere in 128 MiB. */
static off_t draw_offset(struct work *work)
{
    return (off_t)((draw(&work->random) % SLOTS) * 8);
}

/* One of 4,096 places, the first ones far more often than the last: what they say is less than
 * three bytes. */
static off_t draw_skewed(struct work *work)
{
    double drawn = (double)(draw(&work->random) >> 11) * 0x1p-53;
    return (off_t)(drawn * drawn * drawn * SKEWED) * STRIDE;
}

/* pwrite, eight bytes, wherever `place` says. */
static inline void scattered(struct work *work, off_t (*place)(struct work *work))
{
    char bytes[8] = "random";
    int64_t sum = 0;
    for (uint64_t i = 0; i < work->calls; i++)
        sum += pwrite(work->fd[0], bytes, 8, place(work));
    expect(sum, (int64_t)work->calls * 8);
}

static void random_offsets(struct work *work)
{
    scattered(work, draw_offset);
}

static void skewed(struct work *work)
{
    scattered(work, draw_skewed);
}

/* Twelve different calls, always in this order: four functions on each of three descriptors. */
static void twelve(struct work *work)
{
    char bytes[8] = "twelve";
    int64_t sum = 0, turns = (int64_t)(work->calls / 12);
    work->calls = (uint64_t)turns * 12;
    for (int64_t i = 0; i < turns; i++)
        for (int file = 0; file < 3; file++) {
            off_t place = (i % (OTHER_BYTES / STRIDE)) * STRIDE;
            sum += pwrite(work->fd[file], bytes, 8, place);
            sum += pread(work->fd[file], bytes, 8, place);
            sum += lseek(work->fd[file], place, SEEK_SET) == place;
            sum += write(work->fd[file], bytes, 8);
        }
    expect(sum, turns * 3 * (8 + 8 + 1 + 8));
}

/* One of 64 calls: read or write, 1 to 8 bytes, on one of 4 descriptors. Their parameters repeat
 * exactly. */
static bool drawn_call(struct work *work, char *bytes)
{
    unsigned drawn = (unsigned)(draw(&work->random) >> 58);
    int fd = work->fd[drawn & 3];
    size_t size = (drawn >> 2 & 7) + 1;
    return (drawn & 32 ? read(fd, bytes, size) : write(fd, bytes, size)) == (ssize_t)size;
}

/* No call is like another one: a file that is not there, or any bytes anywhere in one of four. */
static void lawless(struct work *work)
{
    char bytes[4096] = "", path[64];
    int64_t failed = 0;
    for (uint64_t i = 0; i < work->calls; i++) {
        uint64_t drawn = draw(&work->random);
        int fd = work->fd[drawn & 3];
        size_t size = drawn >> 4 & 4095;
        off_t place = (off_t)(drawn >> 16 & (OTHER_BYTES / 2 - 1));
        snprintf(path, sizeof path, "/none/%llx", (unsigned long long)drawn);
        if (drawn & 4)
            failed += access(path, R_OK) == 0;
        else
            failed += (drawn & 8 ? pread(fd, bytes, size, place)
                                 : pwrite(fd, bytes, size, place)) != (ssize_t)size;
    }
    expect(failed, 0);
}

static void sixtyfour(struct work *work)
{
    char bytes[8] = "64 call";
    int64_t sum = 0;
    for (uint64_t i = 0; i < work->calls; i++)
        sum += drawn_call(work, bytes);
    expect(sum, (int64_t)work->calls);
}

/* write, eight bytes, from the beginning on. */
static void in_a_row(struct work *work, int fd)
{
    char bytes[8] = "a row";
    int64_t sum = 0;
    for (uint64_t i = 0; i < work->calls; i++)
        sum += write(fd, bytes, 8);
    expect(sum, (int64_t)work->calls * 8);
}

static void alone(struct work *work)
{
    in_a_row(work, work->fd[0]);
}

/* The same on a descriptor that a child has had, too. */
static void shared(struct work *work)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    in_a_row(work, work->fd[0]);
}

/* The same at the end of a file of its own. */
static void at_the_end(struct work *work)
{
    int fd = open_file(work->folder, FILES, O_CREAT | O_TRUNC | O_WRONLY | O_APPEND);
    in_a_row(work, fd);
    close(fd);
}

/* ---- what is measured of them ---- */

typedef void loop(struct work *work);

static void time_loop(struct work *work, loop *calls)
{
    stay_on_core(work->thread);
    open_files(work);
    uint64_t processor = clock_ns(CLOCK_THREAD_CPUTIME_ID), start = now_ns();
    calls(work);
    work->ns_per_call = (double)(now_ns() - start) / (double)work->calls;
    processor = clock_ns(CLOCK_THREAD_CPUTIME_ID) - processor;
    work->processor_per_call = (double)processor / (double)work->calls;
}

static void one_loop(struct work *work, loop *calls)
{
    time_loop(work, calls);
    printf("ns=%.2f cpu=%.2f calls=%llu peak_kib=%ld\n", work->ns_per_call,
           work->processor_per_call, (unsigned long long)work->calls, peak_kib());
}

static struct {
    mtx_t lock;
    cnd_t all;
    int waiting;
} gate;

/* Threads start their loops together, each on its core and its file. */
static int thread_loop(void *argument)
{
    struct work *work = argument;
    work->random += (uint64_t)work->thread * 0xBF58476D1CE4E5B9u;
    mtx_lock(&gate.lock);
    if (++gate.waiting == work->threads)
        cnd_broadcast(&gate.all);
    while (gate.waiting < work->threads)
        cnd_wait(&gate.all, &gate.lock);
    mtx_unlock(&gate.lock);
    time_loop(work, strcmp(work->kind, "lawless") == 0 ? lawless : strided);
    return 0;
}

static int brief_thread(void *argument)
{
    strided(argument);
    return 0;
}

/* A thousand threads, so many of them at a time. */
static void brief_threads(struct work *model)
{
    static struct work works[MOST_THREADS];
    static thrd_t ids[MOST_THREADS];
    open_files(model);
    for (int made = 0, now; made < BRIEF_THREADS; made += now) {
        now = BRIEF_THREADS - made < model->threads ? BRIEF_THREADS - made : model->threads;
        for (int i = 0; i < now; i++) {
            works[i] = *model;
            works[i].thread = i;
            if (thrd_create(&ids[i], brief_thread, &works[i]) != thrd_success)
                die("thrd_create");
        }
        for (int i = 0; i < now; i++)
            thrd_join(ids[i], NULL);
    }
    printf("peak_kib=%ld\n", peak_kib());
}

static void threads(struct work *model)
{
    static struct work works[MOST_THREADS];
    static thrd_t ids[MOST_THREADS];
    double sum = 0, processor = 0;
    mtx_init(&gate.lock, mtx_plain);
    cnd_init(&gate.all);
    for (int i = 0; i < model->threads; i++) {
        works[i] = *model;
        works[i].thread = i;
        if (thrd_create(&ids[i], thread_loop, &works[i]) != thrd_success)
            die("thrd_create");
    }
    for (int i = 0; i < model->threads; i++) {
        thrd_join(ids[i], NULL);
        sum += works[i].ns_per_call;
        processor += works[i].processor_per_call;
    }
    printf("ns=%.2f cpu=%.2f peak_kib=%ld\n", sum / model->threads, processor / model->threads,
           peak_kib());
}

static int ascending(const void *one, const void *other)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

static long times_preempted(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
}

/* Calls of one kind, each timed. One that took 20 us or more while the scheduler gave the core to
 * somebody else is not counted, but said: with and without the tracer that tells about the
 * machine. */
static void pauses(struct work *work)
{
    char bytes[8] = "pauses";
    bool drawn = strcmp(work->kind, "sixtyfour") == 0, random = strcmp(work->kind, "random") == 0;
    uint32_t *took = malloc(work->calls * sizeof *took);
    if (!took)
        die("malloc");
    memset(took, 1, work->calls * sizeof *took); /* no page faults in the loop */
    stay_on_core(0);
    open_files(work);
    uint64_t count = 0, slow = 0, preempted_calls = 0, done = 0, before = now_ns();
    long preempted = times_preempted();
    for (uint64_t i = 0; i < work->calls; i++) {
        off_t place = random ? draw_offset(work) : (off_t)(i % MOST_STRIDED * STRIDE);
        done += drawn ? drawn_call(work, bytes) : pwrite(work->fd[0], bytes, 8, place) == 8;
        uint64_t after = now_ns();
        uint32_t ns = (uint32_t)(after - before);
        before = after;
        if (ns >= 20000) {
            long now = times_preempted();
            before = now_ns();
            if (now != preempted) {
                preempted = now;
                preempted_calls++;
                continue;
            }
            slow++;
        }
        took[count++] = ns;
    }
    expect((int64_t)done, (int64_t)work->calls);
    qsort(took, count, sizeof *took, ascending);
    printf("median=%u p99=%u p9999=%u worst=%u slow=%llu preempted=%llu\n", took[count / 2],
           took[count - 1 - count / 100], took[count - 1 - count / 10000], took[count - 1],
           (unsigned long long)slow, (unsigned long long)preempted_calls);
}

/* Starts `true` so many times; the median of how long one takes from spawn to wait. */
static void starts(struct work *work)
{
    uint64_t count = work->calls;
    extern char **environ;
    char *arguments[] = {"true", NULL};
    uint32_t *took = calloc(count, sizeof *took);
    stay_on_core(0); /* and so do the children */
    for (uint64_t i = 0; took && i < count; i++) {
        pid_t child;
        int status;
        uint64_t start = now_ns();
        if (posix_spawnp(&child, "true", NULL, NULL, arguments, environ) != 0)
            die("true");
        waitpid(child, &status, 0);
        took[i] = (uint32_t)(now_ns() - start);
    }
    if (!took || !count)
        die("calls: start");
    qsort(took, count, sizeof *took, ascending);
    printf("ns=%u least=%u\n", took[count / 2], took[0]);
}

/* So many calls, then no chance to clean up. */
static void killed(struct work *work)
{
    time_loop(work, strided);
    raise(SIGKILL);
}

/* Runs and times the loop of this name, if there is one. */
static bool is_loop(struct work *work, const char *name)
{
    static const struct {
        const char *name;
        loop *calls;
    } all[] = {{"strided", strided}, {"random", random_offsets}, {"skewed", skewed},
               {"lawless", lawless}, {"twelve", twelve},         {"sixtyfour", sixtyfour},
               {"alone", alone},     {"shared", shared},         {"append", at_the_end}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(name, all[i].name) == 0) {
            one_loop(work, all[i].calls);
            return true;
        }
    return false;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(struct work *work);
    } modes[] = {{"prepare", prepare}, {"threads", threads}, {"brief", brief_threads},
                 {"pauses", pauses},   {"starts", starts},   {"killed", killed}};
    if (argc < 4 || argc > 6) {
        fprintf(stderr, "usage: calls MODE FOLDER CALLS [THREADS or KIND [KIND]]\n");
        return 2;
    }
    struct work work = {.folder = argv[2],
                        .calls = strtoull(argv[3], NULL, 10),
                        .threads = argc > 4 ? atoi(argv[4]) : 1,
                        .kind = argc > 4 ? argv[argc - 1] : "strided",
                        .random = 0x9E3779B97F4A7C15u};
    if (work.threads > MOST_THREADS || work.calls < 12 || work.calls > MOST_CALLS) {
        fprintf(stderr, "calls: 12 to %d calls, and at most %d threads\n", MOST_CALLS,
                MOST_THREADS);
        return 2;
    }
    if (is_loop(&work, argv[1]))
        return 0;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strcmp(argv[1], modes[i].name) == 0) {
            modes[i].run(&work);
            return 0;
        }
    fprintf(stderr, "calls: no mode '%s'\n", argv[1]);
    return 2;
}

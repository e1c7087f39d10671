/* Before two calls of a program, FIRST and SECOND (linked with --wrap), a process may wait: HELD
 * and SEEN are "RANK FUNCTION NUMBER", the call with this number of the rank. Before the call HELD
 * it waits HELD_MS. When both begin and end is added to the file HELD_LOG. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void note(const char *what, double begin, double end)
{
    FILE *log = fopen(getenv("HELD_LOG"), "ae");
    if (!log)
        return;
    fprintf(log, "%s %.9f %.9f\n", what, begin, end);
    fclose(log);
}

static int is_call(const char *name, const char *function, int number)
{
    char asked[64];
    int asked_rank, asked_number;
    const char *wanted = getenv(name), *rank = getenv("OMPI_COMM_WORLD_RANK");
    rank = rank ? rank : getenv("PMI_RANK");
    return wanted && sscanf(wanted, "%d %63s %d", &asked_rank, asked, &asked_number) == 3 &&
           asked_rank == (rank ? atoi(rank) : 0) && asked_number == number &&
           strcmp(asked, function) == 0;
}

/* All parameters of these functions are integers or pointers. */
typedef long call(long, long, long, long, long, long);

static long held(const char *function, int number, call *real, const long *with)
{
    int is_held = is_call("HELD", function, number), is_seen = is_call("SEEN", function, number);
    if (is_held) {
        long wait = atol(getenv("HELD_MS"));
        const struct timespec pause = {wait / 1000, wait % 1000 * 1000000};
        nanosleep(&pause, NULL);
    }
    double begin = now();
    long result = real(with[0], with[1], with[2], with[3], with[4], with[5]);
    if (is_held || is_seen)
        note(is_held ? "held" : "seen", begin, now());
    return result;
}

#define TEXT(name) #name
#define HOLD(name)                                                                                 \
    call __real_##name, __wrap_##name;                                                             \
    long __wrap_##name(long a, long b, long c, long d, long e, long f)                             \
    {                                                                                              \
        static int count;                                                                          \
        const long with[] = {a, b, c, d, e, f};                                                    \
        return held(TEXT(name), __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST), __real_##name,    \
                    with);                                                                         \
    }
#define HOLD_NAMED(name) HOLD(name)

HOLD_NAMED(FIRST)
#if defined SECOND
HOLD_NAMED(SECOND)
#endif

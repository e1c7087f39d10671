/* Reads all calls of a trace through <fathom/trace.h> and says how many a second one core gives:
 * "ns=NS calls=N". With --middle it reads the first call in the middle of each process's time, and
 * says how long that took after the trace was opened. */
#include <fathom/trace.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int fail(struct fth_error *error)
{
    fprintf(stderr, "read: %s\n", fth_error_text(error));
    fth_error_free(error);
    return 1;
}

static uint64_t processor_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Counts the calls of one process; what is kept of each one stands for a reader that looks at
 * it. */
static int read_process(struct fth_trace *trace, size_t proc, uint64_t *count, uint64_t *bytes,
                        struct fth_error **error)
{
    struct fth_calls *calls = fth_calls_open(trace, proc, error);
    struct fth_call call;
    int more = -1;
    while (calls && (more = fth_calls_next(calls, &call, error)) == 1) {
        ++*count;
        *bytes += call.bytes;
    }
    fth_calls_close(calls);
    return more;
}

static int read_middle(struct fth_trace *trace, size_t proc, uint64_t *count,
                       struct fth_error **error)
{
    const struct fth_process *process = fth_trace_process(trace, proc);
    int64_t middle = process->start + (process->end - process->start) / 2;
    struct fth_calls *calls = fth_calls_from(trace, proc, middle, error);
    struct fth_call call;
    int more = calls ? fth_calls_next(calls, &call, error) : -1;
    *count += more > 0;
    fth_calls_close(calls);
    return more < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
    struct fth_error *error = NULL;
    bool middle = argc == 3 && strcmp(argv[1], "--middle") == 0;
    uint64_t count = 0, bytes = 0, start = processor_ns();
    struct fth_trace *trace = argc == 2 + middle ? fth_trace_open(argv[argc - 1], &error) : NULL;
    if (!trace)
        return fail(error);
    if (middle)
        start = processor_ns();
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++)
        if (middle ? read_middle(trace, proc, &count, &error)
                   : read_process(trace, proc, &count, &bytes, &error))
            return fail(error);
    fth_trace_close(trace);
    printf("ns=%" PRIu64 " calls=%" PRIu64 " bytes=%" PRIu64 "\n", processor_ns() - start, count,
           bytes);
    return 0;
}

/* Reads all calls of a trace through <fathom/trace.h> and says how many a second one core gives: "ns=NS calls=N". */
#include <fathom/trace.h>

#include <inttypes.h>
#include <stdio.h>
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

/* Counts the calls of one process; what is kept of each one stands for a reader that looks at it. */
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

int main(int argc, char **argv)
{
    struct fth_error *error = NULL;
    uint64_t count = 0, bytes = 0, start = processor_ns();
    struct fth_trace *trace = argc == 2 ? fth_trace_open(argv[1], &error) : NULL;
    if (!trace)
        return fail(error);
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++)
        if (read_process(trace, proc, &count, &bytes, &error) != 0)
            return fail(error);
    fth_trace_close(trace);
    printf("ns=%" PRIu64 " calls=%" PRIu64 " bytes=%" PRIu64 "\n", processor_ns() - start, count,
           bytes);
    return 0;
}

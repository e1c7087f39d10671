/* Counts the calls of a trace with nothing but what Fathom installs. */
#include <fathom/trace.h>
#include <inttypes.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct fth_error *error = NULL;
    struct fth_trace *trace = fth_trace_open(argc == 2 ? argv[1] : "", &error);
    uint64_t count = 0;
    for (size_t proc = 0; trace && !error && proc < fth_trace_process_count(trace); proc++) {
        struct fth_calls *calls = fth_calls_open(trace, proc, &error);
        struct fth_call call;
        while (calls && fth_calls_next(calls, &call, &error) == 1)
            count++;
        fth_calls_close(calls);
    }
    if (error)
        fprintf(stderr, "%s\n", fth_error_text(error));
    else
        printf("%" PRIu64 "\n", count);
    fth_trace_close(trace);
    int failed = error != NULL;
    fth_error_free(error);
    return failed;
}

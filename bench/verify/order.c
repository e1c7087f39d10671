/* How long it takes to order a run, and how much memory, for bench/verify/run: order TRACE CALLS
 *
 * Feeds the calls of each process again and again, until there are CALLS calls of MPI in all, as if
 * the program had gone on so. Prints, in JSON, calls of MPI, seconds (of the processor) of reading
 * and feeding, of that the seconds of reading alone, seconds of settling, and the most memory, in
 * KiB. */
#include "order/order.h"
#include "peak.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void must(bool done, struct fth_error *error)
{
    if (done)
        return;
    fprintf(stderr, "order: %s\n", error ? fth_error_text(error) : "failed");
    exit(1);
}

/* Returns how many of the calls of a process are of MPI. Without a builder they are only read. */
static uint64_t feed(struct fth_trace *trace, size_t proc, struct fth_order_builder *builder)
{
    struct fth_error *error = NULL;
    struct fth_calls *calls = fth_calls_with_handles(trace, proc, &error);
    struct fth_call call;
    uint64_t count = 0;
    int status;
    must(calls, error);
    while ((status = fth_calls_next(calls, &call, &error)) == 1) {
        count += strcmp(call.function->layer, "mpi") == 0;
        if (!builder)
            continue;
        must(fth_order_call(builder, &call, &error), error);
        fth_order_here(builder); /* at worst there is an access in each */
    }
    must(status == 0, error);
    fth_calls_close(calls);
    return count;
}

int main(int argc, char **argv)
{
    struct fth_error *error = NULL;
    if (argc != 3) {
        fputs("Usage: order TRACE CALLS\n", stderr);
        return 2;
    }
    struct fth_trace *trace = fth_trace_open(argv[1], &error);
    must(trace, error);
    size_t processes = fth_trace_process_count(trace);
    uint64_t wanted = strtoull(argv[2], NULL, 10), once = 0, fed = 0;
    double start = now();
    for (size_t proc = 0; proc < processes; proc++)
        once += feed(trace, proc, NULL);
    double reading = now() - start;
    must(once > 0, NULL);
    uint64_t times = (wanted + once - 1) / once;
    struct fth_order *order = fth_order_new(trace);
    start = now();
    for (size_t proc = 0; proc < processes; proc++) {
        struct fth_order_builder *builder = fth_order_feed(order, proc);
        for (uint64_t i = 0; i < times; i++)
            fed += feed(trace, proc, builder);
        fth_order_feed_end(builder);
    }
    double feeding = now() - start;
    start = now();
    must(fth_order_settle(order, (struct fth_order_options){0}, &error), error);
    printf("{\"calls\": %llu, \"feeding\": %.3f, \"reading\": %.3f, \"settling\": %.3f, \"kib\": "
           "%ld}\n",
           (unsigned long long)fed, feeding, reading * (double)times, now() - start, peak_kib());
    fth_order_free(order);
    fth_trace_close(trace);
    return 0;
}

/* <fathom/samples.h>: counters of the machine during the run, in a trace of `fathom record
 * --sample`.
 *
 * Each node of the run has counters (CPU, memory, disks, network ...), and so has each process that
 * was alive when a sample was taken. The samples of a counter are in order of time, without gaps.
 * Names of counters are listed in fathom-samples(1).
 *
 * Thread-safety and lifetime as in <fathom/trace.h>; a `struct fth_samples_reader` belongs to one
 * thread. */
#ifndef FATHOM_SAMPLES_H
#define FATHOM_SAMPLES_H

#include <fathom/trace.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The sampling of one node. */
struct fth_sampling_info {
    const char *host;
    int64_t interval;   /* ns, as requested */
    int64_t start, end; /* ns since the start of the run */
    /* 1, or 2, 4 ... in a long run: number of samples merged into one */
    uint64_t samples_per_value;
    size_t sample_count; /* values of its longest counters */
    size_t note_count;
    const char *const *notes; /* what was unavailable, a sentence each */
};
/* One for each node, from 0 to count - 1; none without `fathom record --sample`. */
size_t fth_trace_sampling_count(const struct fth_trace *trace);
const struct fth_sampling_info *fth_trace_sampling(const struct fth_trace *trace, size_t sampling);

enum fth_counter_kind {
    FTH_GAUGE, /* an amount: of memory, of threads */
    FTH_RATE,  /* counts what happens: bytes, faults, time in which a CPU was busy */
};
enum fth_counter_unit {
    FTH_COUNTER_COUNT,
    FTH_COUNTER_BYTES,
    /* of a rate: seconds per second, a share of time (of one CPU, one disk) */
    FTH_COUNTER_SECONDS,
    FTH_COUNTER_JOULES, /* of a rate: Watts */
};
/* One counter of a node or a process. */
struct fth_counter {
    const char *name; /* "cpu.user" */
    /* which CPU, disk, interface ...: "0", "sda"; "" for all of them, or if there is only one */
    const char *instance;
    enum fth_counter_kind kind;
    enum fth_counter_unit unit;
    size_t sampling;     /* of this node */
    int64_t proc;        /* the process that it is about; FTH_NO_PROCESS: the node */
    size_t sample_count; /* 1 or more */
};
/* The counters of all nodes and processes, from 0 to count - 1. */
size_t fth_trace_counter_count(const struct fth_trace *trace);
const struct fth_counter *fth_trace_counter(const struct fth_trace *trace, size_t counter);

/* One value: of a gauge the amount; of a rate the growth per second. Mean, least and most differ
 * only if several samples were merged. */
struct fth_sample {
    int64_t start, end; /* ns since the start of the run */
    double mean, least, most;
    double amount; /* of a rate: growth from start to end */
};

struct fth_samples_reader;
/* The values of a counter, from the first one on; never NULL. Close it before the trace. Memory and
 * time to open: O(1). */
struct fth_samples_reader *fth_samples_open(const struct fth_trace *trace, size_t counter);
/* Fills *sample with the next value. False: there are no more; *sample does not change. */
bool fth_samples_next(struct fth_samples_reader *reader, struct fth_sample *sample);
void fth_samples_close(struct fth_samples_reader *reader); /* NULL is allowed */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif

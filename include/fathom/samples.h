/* <fathom/samples.h>: what the machine did beside the program, in a trace that `fathom record
 * --sample` has written.
 *
 * Each node of the run has counters (CPU, memory, disks, network ...), and so has each process that
 * was alive when a sample was taken. A counter's samples follow one another without gaps, in order
 * of time. Names of counters are listed in fathom-samples(1).
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
    int64_t interval;           /* ns, as it was asked for */
    int64_t start, end;         /* ns since the start of the run */
    uint64_t samples_per_value; /* 1, or 2, 4 ... in a long run: so many samples became one */
    size_t sample_count;        /* values that its longest counters have */
    size_t note_count;
    const char *const *notes; /* what could not be had, a sentence each */
};
size_t fth_trace_sampling_count(const struct fth_trace *trace);
const struct fth_sampling_info *fth_trace_sampling(const struct fth_trace *trace, size_t sampling);

enum fth_counter_kind {
    FTH_GAUGE, /* says how much there is: of memory, of threads */
    FTH_RATE,  /* counts what happens: bytes, faults, time in which a CPU was busy */
};
enum fth_counter_unit {
    FTH_COUNTER_COUNT,
    FTH_COUNTER_BYTES,
    /* of a rate: seconds per second, which is a share (of one CPU, one disk) */
    FTH_COUNTER_SECONDS,
    FTH_COUNTER_JOULES, /* of a rate: Watts */
};
struct fth_counter {
    const char *name; /* "cpu.user" */
    /* which CPU, disk, interface ...: "0", "sda"; "" for all of them, or where there is one */
    const char *instance;
    enum fth_counter_kind kind;
    enum fth_counter_unit unit;
    size_t sampling;     /* of this node */
    int64_t proc;        /* the process that it is about; FTH_NO_PROCESS: the node */
    size_t sample_count; /* 1 or more */
};
size_t fth_trace_counter_count(const struct fth_trace *trace);
const struct fth_counter *fth_trace_counter(const struct fth_trace *trace, size_t counter);

/* One value: of a gauge what it said; of a rate how much it counted per second. Mean, least and
 * most differ only where several samples became one. */
struct fth_sample {
    int64_t start, end; /* ns since the start of the run */
    double mean, least, most;
    double amount; /* of a rate: what it counted from start to end */
};

struct fth_samples_reader;
/* The values of a counter, from the first one on. Memory and time to open: O(1). */
struct fth_samples_reader *fth_samples_open(const struct fth_trace *trace, size_t counter);
/* False: there are no more. */
bool fth_samples_next(struct fth_samples_reader *reader, struct fth_sample *sample);
void fth_samples_close(struct fth_samples_reader *reader);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif

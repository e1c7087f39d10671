/* Samples of a trace in memory. Inner header of the model room. */
#ifndef FTH_MODEL_READING_TRACE_SAMPLES_H
#define FTH_MODEL_READING_TRACE_SAMPLES_H

#include "fathom/samples.h"
#include "trace/file/sample_section.h"

struct fth_model_sampling {
    uint8_t *bytes; /* of the section, which stay */
    struct fth_read_samples read;
    struct fth_sampling_info info;
};

struct fth_model_counter {
    struct fth_counter facts;
    const struct fth_read_series *series;
};

struct fth_model_samples {
    struct fth_model_sampling *samplings;
    size_t sampling_count;
    struct fth_model_counter *counters;
    size_t counter_count;
};

/* One section; keeps `bytes`, also when it fails. */
int fth_model_read_samples(struct fth_model_samples *samples, uint8_t *bytes, size_t length,
                           struct fth_error **error);
/* When processes have their numbers. */
void fth_model_make_counters(struct fth_trace *trace);
void fth_model_free_samples(struct fth_model_samples *samples);

#endif

/* What the counters of a node said while a run went on: a table with a row for each sample and a
 * series for each counter. The sampler fills it (src/machine), its bytes are the section SAMP of a
 * trace (docs/format.md) and, in a spill folder, a file of their own.
 *
 * It never grows beyond a limit: then each two neighbouring rows become one, and from there on each
 * row stands for twice as many samples. What is kept of them is the mean, the smallest and the
 * largest. */
#ifndef FTH_TRACE_FILE_SAMPLE_SECTION_H
#define FTH_TRACE_FILE_SAMPLE_SECTION_H

#include "base/bytes.h"
#include "base/error.h"
#include "trace/columns/columns.h"

enum {
    FTH_SAMPLES_MOST_ROWS = 8192,      /* of a table that is being filled; even */
    FTH_SAMPLES_MOST_VALUES = 2 << 20, /* of all its series together, about */
    FTH_SAMPLES_MOST_SERIES = 1 << 16,
};

enum fth_series_kind {
    FTH_SERIES_GAUGE, /* values are what the counter said at the end of the row */
    FTH_SERIES_RATE,  /* values are how much it grew in the time of the row */
};
enum fth_series_unit {
    FTH_SERIES_COUNT,
    FTH_SERIES_BYTES,
    FTH_SERIES_NANOSECONDS,
    FTH_SERIES_MICROJOULES,
    FTH_SERIES_THOUSANDTHS,
    FTH_SERIES_UNITS
};

/* `least` and `most` are those of the samples of a row; of a rate, how much it grew in one
 * interval. NULL as long as a row is one sample. */
struct fth_sample_series {
    char *name, *instance; /* "disk.read", "sda"; instance "" where there is only one */
    enum fth_series_kind kind;
    enum fth_series_unit unit;
    uint64_t image;        /* of the process that it is about; 0: the node */
    uint32_t first, count; /* rows */
    int64_t *values, *least, *most;
    struct fth_held { /* samples of the row that is being filled */
        uint32_t count;
        int64_t sum, least, most;
    } held;
};

struct fth_samples {
    char *host;
    int64_t interval;    /* ns, as it was asked for */
    unsigned halvings;   /* a row stands for 2^halvings samples, but perhaps the last one */
    uint32_t held;       /* samples of the row that is being filled */
    int64_t before, now; /* between these two is the sample that is being taken */
    char **notes;        /* what could not be had, a sentence each */
    size_t note_count;
    int64_t start;  /* of the first row, ns */
    int64_t *times; /* ends of rows */
    uint32_t rows;
    struct fth_sample_series *series;
    size_t series_count;
    uint64_t values; /* of all series */
};

void fth_samples_init(struct fth_samples *samples, const char *host, int64_t interval,
                      int64_t start);
void fth_samples_free(struct fth_samples *samples);
void fth_samples_note(struct fth_samples *samples, const char *sentence);
/* A new series; its number, or SIZE_MAX: there are too many. */
size_t fth_samples_series(struct fth_samples *samples, const struct fth_sample_series *like);
/* A sample is taken at this time: then come its values, each of another series, then its end. A
 * series that has no value in some row gets none in later ones either. */
void fth_samples_begin(struct fth_samples *samples, int64_t time);
void fth_samples_value(struct fth_samples *samples, size_t series, int64_t value);
void fth_samples_end(struct fth_samples *samples);
/* Nothing more comes: the row that is being filled is the last one. */
void fth_samples_finish(struct fth_samples *samples);

/* As bytes: first the head (host, interval, notes, times), then the series. */
void fth_samples_write(const struct fth_samples *samples, struct fth_bytes *to);

/* Reading: what the head says, and the series with their columns still packed. The bytes must
 * outlive it. */
struct fth_read_series {
    const char *name, *instance; /* in `texts` */
    enum fth_series_kind kind;
    enum fth_series_unit unit;
    uint64_t image;
    uint32_t first, count;
    /* values, least, most; the last two only where rows have been merged */
    struct fth_packed_column columns[3];
};
struct fth_read_samples {
    char **texts; /* host, notes, names and instances */
    size_t text_count;
    const char *host;
    int64_t interval;
    unsigned halvings;
    size_t note_count; /* texts[1 .. note_count] */
    int64_t start, *times;
    uint32_t rows;
    struct fth_read_series *series;
    size_t series_count;
    const uint8_t *packed; /* the bytes of the series, as they stand behind the head */
    size_t packed_length;
};
int fth_samples_read(struct fth_read_samples *samples, const void *bytes, size_t length,
                     struct fth_error **error);
void fth_read_samples_free(struct fth_read_samples *samples);
/* The next value of a column of a series; at most `count` of them. */
int64_t fth_series_next(struct fth_packed_column *column);
/* The same bytes with other times. */
void fth_samples_rewrite(const struct fth_read_samples *samples, struct fth_bytes *to);

#endif

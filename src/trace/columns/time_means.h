/* Means of times: what is kept of the calls of a thread that have the same signature, where times
 * are not kept call by call. */
#ifndef FTH_TRACE_COLUMNS_TIME_MEANS_H
#define FTH_TRACE_COLUMNS_TIME_MEANS_H

#include "base/bytes.h"
#include "trace/columns/columns.h"
#include "trace/record/traced_process.h"
#include "trace/record/time_mode.h"

/* How a call stands to those before it. */
enum fth_time_form {
    FTH_FORM_PLAIN, /* gap: to its entry; length: its duration */
    /* it has calls inside; gap: to its exit; length: from its entry to that of the first one
     * inside */
    FTH_FORM_AROUND,
    /* deeper calls came before it that are not known to be inside; gap: to its exit; length: its
     * duration */
    FTH_FORM_BEHIND,
    FTH_TIME_FORMS
};
enum { FTH_HISTOGRAM = 65 }; /* bin k: durations of k bits, in units */

struct fth_mean_form {
    uint64_t calls, gap, length; /* sums, in units */
};
/* Of one signature. */
struct fth_mean {
    uint32_t signature;
    struct fth_mean_form forms[FTH_TIME_FORMS];
    uint64_t around; /* durations of the calls of this form */
    uint64_t shortest, longest;
    uint64_t *histogram; /* NULL while there is one call */
};
uint64_t fth_mean_calls(const struct fth_mean *mean);
uint64_t fth_mean_time(const struct fth_mean *mean);
/* Adds its calls to FTH_HISTOGRAM bins. */
void fth_mean_add_to(const struct fth_mean *mean, uint64_t *bins);

/* A mean as a number of 256ths of a unit. */
uint64_t fth_mean_weight(uint64_t sum, uint64_t calls);

/* Of a track. */
struct fth_means {
    struct fth_mean *items;
    uint32_t count;
    uint64_t end; /* units: exit of the last call, behind the base of the last block */
    /* numbers within the track of the calls of form FTH_FORM_BEHIND that have calls before them in
     * it which are deeper */
    uint64_t *behinds;
    size_t behind_count;
};
void fth_means_free(struct fth_means *means);

/* ---- writing ---- */

struct fth_mean_writer {
    struct fth_means means;
    uint32_t *places; /* by signature: index into items, + 1 */
    uint32_t place_limit;
    /* what stands in which block */
    struct fth_mean_share {
        uint32_t item, calls[FTH_TIME_FORMS];
    } * shares;
    size_t share_count, block_first; /* first share of the block that is being filled */
    uint32_t *in_block;              /* by item: its share of this block, + 1 */
    uint32_t in_block_limit;
    size_t *block_ends; /* of shares */
    size_t block_count;
    uint64_t calls, last_exit; /* of the track */
};
/* A call of the track; `listed`: its form has to be written down. */
void fth_means_add(struct fth_mean_writer *writer, uint32_t signature, enum fth_time_form form,
                   bool listed, uint64_t gap, uint64_t length, uint64_t duration);
void fth_means_end_block(struct fth_mean_writer *writer);
/* The track is over, its last call ended at `end` (units): weighs its blocks, appends the table's
 * frame to `to`, describes it in *track, and starts anew. */
void fth_means_end_track(struct fth_mean_writer *writer, uint64_t end, struct fth_track *track,
                         struct fth_bytes *to);
void fth_mean_writer_free(struct fth_mean_writer *writer);

/* ---- reading ---- */

/* The frame of a track of a process with so many signatures. */
int fth_means_read(struct fth_means *means, const uint8_t *frame, const struct fth_track *track,
                   uint32_t signatures, struct fth_error **error);

#endif

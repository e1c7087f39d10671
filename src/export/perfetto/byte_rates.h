/* Bytes that the calls of each layer move over time, in bins of equal length over the whole run. */
#ifndef FTH_EXPORT_PERFETTO_BYTE_RATES_H
#define FTH_EXPORT_PERFETTO_BYTE_RATES_H

#include <fathom/trace.h>

enum { FTH_RATE_BINS = 2048 };
enum { FTH_RATE_READ, FTH_RATE_WRITTEN, FTH_RATE_KINDS };

struct fth_byte_rates {
    int64_t begin, width; /* of a bin, ns */
    size_t layer_count;
    double (*bytes)[FTH_RATE_KINDS][FTH_RATE_BINS]; /* by layer */
};
void fth_byte_rates_begin(struct fth_byte_rates *rates, size_t layer_count, int64_t begin,
                          int64_t end);
void fth_byte_rates_end(struct fth_byte_rates *rates);
/* The bytes of a call are spread evenly over its time. */
void fth_byte_rates_add(struct fth_byte_rates *rates, size_t layer, int kind, int64_t start,
                        int64_t end, uint64_t bytes);
/* Both have the same bins and layers. */
void fth_byte_rates_join(struct fth_byte_rates *to, const struct fth_byte_rates *from);

#endif

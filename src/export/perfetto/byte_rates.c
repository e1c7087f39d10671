/* Bins of bytes. */
#include "export/perfetto/byte_rates.h"

#include "base/memory.h"

void fth_byte_rates_begin(struct fth_byte_rates *rates, size_t layer_count, int64_t begin,
                          int64_t end)
{
    int64_t length = end > begin ? end - begin : 1;
    *rates = (struct fth_byte_rates){
        .begin = begin,
        .width = (length + FTH_RATE_BINS - 1) / FTH_RATE_BINS,
        .layer_count = layer_count,
        .bytes = fth_new(layer_count + 1, sizeof *rates->bytes),
    };
}

void fth_byte_rates_end(struct fth_byte_rates *rates)
{
    free(rates->bytes);
}

static int64_t bin_of(const struct fth_byte_rates *rates, int64_t time)
{
    int64_t bin = time > rates->begin ? (time - rates->begin) / rates->width : 0;
    return bin < FTH_RATE_BINS ? bin : FTH_RATE_BINS - 1;
}

void fth_byte_rates_add(struct fth_byte_rates *rates, size_t layer, int kind, int64_t start,
                        int64_t end, uint64_t bytes)
{
    double *bins = rates->bytes[layer][kind];
    int64_t first = bin_of(rates, start), last = bin_of(rates, end);
    if (first == last) {
        bins[first] += (double)bytes;
        return;
    }
    double each = (double)bytes / (double)(end - start);
    for (int64_t bin = first; bin <= last; bin++) {
        int64_t from = rates->begin + bin * rates->width, to = from + rates->width;
        if (from < start)
            from = start;
        if (to > end || bin == last)
            to = end;
        bins[bin] += each * (double)(to - from);
    }
}

void fth_byte_rates_join(struct fth_byte_rates *to, const struct fth_byte_rates *from)
{
    for (size_t layer = 0; layer < to->layer_count; layer++)
        for (int kind = 0; kind < FTH_RATE_KINDS; kind++)
            for (int bin = 0; bin < FTH_RATE_BINS; bin++)
                to->bytes[layer][kind][bin] += from->bytes[layer][kind][bin];
}

/* How Parquet packs values (https://parquet.apache.org/docs/file-format/data-pages/encodings). */
#ifndef FTH_EXPORT_PARQUET_ENCODINGS_H
#define FTH_EXPORT_PARQUET_ENCODINGS_H

#include "base/bytes.h"

/* DELTA_BINARY_PACKED: differences of integers, of 32 or 64 bits. */
void fth_parquet_put_deltas(struct fth_bytes *to, const int64_t *values, size_t count,
                            unsigned bits);
/* The RLE and bit-packing hybrid, of values below 2^width; width 1 to 32. */
void fth_parquet_put_hybrid(struct fth_bytes *to, const int64_t *values, size_t count,
                            unsigned width);
/* Bits one by one, the lowest first: PLAIN for booleans. */
void fth_parquet_put_bits(struct fth_bytes *to, const int64_t *values, size_t count);
/* Bits that a number needs; 0 for 0. */
unsigned fth_parquet_width(uint64_t number);

#endif

/* Bytes of columns, compressed (Zstandard). */
#ifndef FTH_TRACE_COLUMNS_COMPRESS_H
#define FTH_TRACE_COLUMNS_COMPRESS_H

#include "base/bytes.h"
#include "base/error.h"

/* zstd with this project's settings. */
void fth_compress(const void *bytes, size_t length, struct fth_bytes *to);
/* The same, with more care: of a section, which is written once. */
void fth_compress_section(const void *bytes, size_t length, struct fth_bytes *to);
/* The same as one frame, in which each stretch of bytes that ends at one of `ends` has statistics
 * of its own. */
void fth_compress_stretches(const void *bytes, const size_t *ends, size_t count,
                            struct fth_bytes *to);
/* The frame must hold exactly raw_length bytes. */
int fth_decompress(const void *bytes, size_t length, void *raw, size_t raw_length,
                   struct fth_error **error);

#endif

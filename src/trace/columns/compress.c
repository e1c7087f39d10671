/* Bytes of columns compressed by Zstandard, with one context for each thread. */
#include "trace/columns/compress.h"

#include "base/error.h"

#include <pthread.h>
#include <stdlib.h>
#include <zstd.h>

enum {
    LEVEL = 3,
    /* of what a run has once: 3 % less of a small trace, for half a millisecond */
    LEVEL_OF_SECTIONS = 6,
    MOST_OF_SECTION = 1 << 18, /* longer ones would take the end of a program too long */
    LEVEL_OF_STRETCHES = 1     /* codes and rare values: no search finds anything in them */
};

static ZSTD_CCtx *compressor(void)
{
    static __thread ZSTD_CCtx *context;
    if (!context)
        context = ZSTD_createCCtx();
    return context;
}

static void compress(const void *bytes, size_t length, int level, struct fth_bytes *to)
{
    size_t bound = ZSTD_compressBound(length);
    size_t size =
        ZSTD_compressCCtx(compressor(), fth_bytes_room(to, bound), bound, bytes, length, level);
    if (ZSTD_isError(size))
        abort(); /* only out of memory, with a bound that fits */
    to->length += size;
}

void fth_compress(const void *bytes, size_t length, struct fth_bytes *to)
{
    compress(bytes, length, LEVEL, to);
}

void fth_compress_section(const void *bytes, size_t length, struct fth_bytes *to)
{
    compress(bytes, length, length > MOST_OF_SECTION ? LEVEL : LEVEL_OF_SECTIONS, to);
}

void fth_compress_stretches(const void *bytes, const size_t *ends, size_t count,
                            struct fth_bytes *to)
{
    ZSTD_CCtx *context = compressor();
    ZSTD_inBuffer in = {bytes, 0, 0};
    size_t all = ends[count - 1], bound = ZSTD_compressBound(all) + 16 * count;
    ZSTD_outBuffer out = {fth_bytes_room(to, bound), bound, 0};
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL_OF_STRETCHES);
    ZSTD_CCtx_setPledgedSrcSize(context, all);
    for (size_t i = 0; i < count; i++) {
        in.size = ends[i];
        size_t left =
            ZSTD_compressStream2(context, &out, &in, i + 1 < count ? ZSTD_e_flush : ZSTD_e_end);
        if (left)
            abort(); /* only out of memory: there is room for all */
    }
    to->length += out.pos;
}

static pthread_key_t decompressors;

static void free_decompressor(void *context)
{
    ZSTD_freeDCtx(context);
}

static void make_decompressors(void)
{
    pthread_key_create(&decompressors, free_decompressor);
}

/* One for each thread that reads, as long as it lives. */
static ZSTD_DCtx *decompressor(void)
{
    static pthread_once_t made = PTHREAD_ONCE_INIT;
    static __thread ZSTD_DCtx *context;
    if (!context) {
        context = ZSTD_createDCtx();
        pthread_once(&made, make_decompressors);
        pthread_setspecific(decompressors, context);
    }
    return context;
}

int fth_decompress(const void *bytes, size_t length, void *raw, size_t raw_length,
                   struct fth_error **error)
{
    size_t size = ZSTD_decompressDCtx(decompressor(), raw, raw_length, bytes, length);
    if (ZSTD_isError(size))
        return fth_fail(error, "%s", ZSTD_getErrorName(size));
    return size == raw_length ? 0 : fth_fail(error, "%zu bytes instead of %zu", size, raw_length);
}

/* Bytes into a page: deflated in the gzip format, which browsers inflate by themselves, and as text
 * in base64 (RFC 4648). */
#include "base/memory.h"
#include "views/browser/pack.h"

#include <zlib.h>

void fth_views_deflate(struct fth_sink *to, const char *bytes, size_t count)
{
    enum { GZIP = 15 + 16, STEP = 1 << 30 };
    char out[1 << 14];
    z_stream stream = {0};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        fth_out_of_memory();
    int result = Z_OK;
    do {
        if (!stream.avail_in && count) {
            stream.avail_in = (uInt)(count < STEP ? count : STEP);
            stream.next_in = (z_const Bytef *)bytes;
            bytes += stream.avail_in;
            count -= stream.avail_in;
        }
        stream.next_out = (Bytef *)out;
        stream.avail_out = sizeof out;
        result = deflate(&stream, count ? Z_NO_FLUSH : Z_FINISH);
        fth_sink_bytes(to, out, sizeof out - stream.avail_out);
    } while (result != Z_STREAM_END);
    deflateEnd(&stream);
}

void fth_views_base64(struct fth_sink *to, const char *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        uint32_t three = 0;
        for (size_t j = 0; j < 3; j++)
            three = three << 8 | (i + j < count ? (uint8_t)bytes[i + j] : 0);
        char four[4];
        for (unsigned j = 0; j < 4; j++)
            four[j] = i + j > count ? '=' : digits[three >> (18 - 6 * j) & 63];
        fth_sink_bytes(to, four, sizeof four);
    }
}

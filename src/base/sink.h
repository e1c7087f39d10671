/* A sink: text on its way out. Bytes gather in a buffer; when it is full, `drain` takes them (to a
 * file, to a bigger buffer). Formatting of integers and times is done here, by hand, because it is
 * the inner loop of every view that prints calls. Nothing here allocates, locks or touches errno,
 * but for the drain: the capture library may use it with its own buffer.
 *
 * A failure sticks: `failed` is set once, later text is dropped, and the caller looks at the end.
 */
#ifndef FTH_BASE_SINK_H
#define FTH_BASE_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The smallest capacity that a sink with a drain may have; the longest piece that is written in one
 * go. */
#define FTH_SINK_LEAST ((size_t)64)

struct fth_sink {
    char *bytes;
    size_t used, capacity;
    /* Makes at least FTH_SINK_LEAST bytes free: takes bytes[0..used) and sets used, or grows.
     * false: it cannot. NULL: the buffer is all there is. */
    bool (*drain)(struct fth_sink *sink);
    void *context; /* of the drain */
    bool failed;
};

/* A sink that ends in the caller's buffer. */
void fth_sink_open(struct fth_sink *sink, char *bytes, size_t capacity);

/* A sink that grows in memory; `bytes` and `used` are the text (not terminated). Close frees it. */
void fth_sink_open_memory(struct fth_sink *sink);
void fth_sink_close_memory(struct fth_sink *sink);

/* Hands what has gathered to the drain. false: this or anything before failed. */
bool fth_sink_flush(struct fth_sink *sink);

/* At least `count` <= FTH_SINK_LEAST free bytes; the caller fills them and adds to `used`. Never
 * NULL for a sink whose capacity is FTH_SINK_LEAST or more; NULL when a smaller one is full. */
char *fth_sink_make_room(struct fth_sink *sink, size_t count);
static inline char *fth_sink_room(struct fth_sink *sink, size_t count)
{
    if (sink->capacity - sink->used >= count)
        return sink->bytes + sink->used;
    return fth_sink_make_room(sink, count);
}

void fth_sink_bytes(struct fth_sink *sink, const char *bytes, size_t count);
void fth_sink_fill(struct fth_sink *sink, char byte, size_t count);
void fth_sink_integer(struct fth_sink *sink, int64_t value);
void fth_sink_unsigned(struct fth_sink *sink, uint64_t value);
void fth_sink_octal(struct fth_sink *sink, uint64_t value);
/* value / 10^decimals, exactly; decimals <= 18. Nanoseconds as seconds: decimals 9. */
void fth_sink_decimal(struct fth_sink *sink, int64_t value, unsigned decimals);

static inline void fth_sink_text(struct fth_sink *sink, const char *text)
{
    fth_sink_bytes(sink, text, strlen(text));
}

static inline void fth_sink_char(struct fth_sink *sink, char byte)
{
    char *room = fth_sink_room(sink, 1);
    if (room) {
        *room = byte;
        sink->used++;
    }
}

/* Length of the UTF-8 sequence that starts at text[0..left), 1 to 4; 0 when it is not valid there.
 */
size_t fth_utf8_length(const char *text, size_t left);

#endif

/* A growable run of bytes, and reading from one with a sticky failure instead of a check per
 * field. */
#ifndef FTH_BASE_BYTES_H
#define FTH_BASE_BYTES_H

#include "base/varint.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct fth_bytes {
    uint8_t *data;
    size_t length, capacity;
};

/* Makes room for `more` bytes and returns where they go; the caller adds to `length`. Ends the
 * program when memory is out: the merger and the readers have no use for half a trace. */
uint8_t *fth_bytes_grow(struct fth_bytes *bytes, size_t more); /* where there is none */
static inline uint8_t *fth_bytes_room(struct fth_bytes *bytes, size_t more)
{
    if (bytes->capacity - bytes->length < more)
        return fth_bytes_grow(bytes, more);
    return bytes->data ? bytes->data + bytes->length : bytes->data; /* no room was asked for */
}
void fth_bytes_free(struct fth_bytes *bytes);

static inline void fth_bytes_put(struct fth_bytes *bytes, const void *data, size_t length)
{
    if (length)
        memcpy(fth_bytes_room(bytes, length), data, length);
    bytes->length += length;
}

static inline void fth_bytes_varint(struct fth_bytes *bytes, uint64_t value)
{
    uint8_t *to = fth_bytes_room(bytes, FTH_VARINT_MAX);
    bytes->length += (size_t)(fth_put_varint(to, value) - to);
}

static inline void fth_bytes_signed(struct fth_bytes *bytes, int64_t value)
{
    fth_bytes_varint(bytes, fth_zigzag(value));
}

/* Length and bytes. */
static inline void fth_bytes_text(struct fth_bytes *bytes, const void *text, size_t length)
{
    fth_bytes_varint(bytes, length);
    fth_bytes_put(bytes, text, length);
}

/* What is left to read; `failed` sticks, and everything read after it is 0. */
struct fth_view {
    const uint8_t *at, *end;
    bool failed;
};

/* data may be NULL where there are no bytes. */
static inline struct fth_view fth_view_of(const void *data, size_t length)
{
    const uint8_t *at = data ? data : (const uint8_t *)"";
    return (struct fth_view){at, at + length, false};
}

static inline size_t fth_view_left(const struct fth_view *view)
{
    return (size_t)(view->end - view->at);
}

static inline uint64_t fth_view_varint(struct fth_view *view)
{
    uint64_t value = 0;
    const uint8_t *next = fth_get_varint(view->at, view->end, &value);
    if (!next || view->failed) {
        view->failed = true;
        return 0;
    }
    view->at = next;
    return value;
}

static inline int64_t fth_view_signed(struct fth_view *view)
{
    return fth_unzigzag(fth_view_varint(view));
}

/* `length` bytes, or NULL. */
static inline const uint8_t *fth_view_bytes(struct fth_view *view, uint64_t length)
{
    if (view->failed || length > fth_view_left(view)) {
        view->failed = true;
        return NULL;
    }
    const uint8_t *bytes = view->at;
    view->at += length;
    return bytes;
}

/* A count of things of at least `least` bytes each: more than could be there is a failure, before
 * anything is allocated for them. */
static inline uint64_t fth_view_count(struct fth_view *view, size_t least)
{
    uint64_t count = fth_view_varint(view);
    if (count > fth_view_left(view) / (least ? least : 1)) {
        view->failed = true;
        return 0;
    }
    return count;
}

#endif

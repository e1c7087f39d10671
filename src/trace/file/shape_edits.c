/* Edits: varint how many there are; each: varints bytes taken over, bytes left out, and a text that
 * comes in their place. What is left is taken over behind them. */
#include "trace/file/shape_edits.h"

#include "base/memory.h"

enum {
    SAME = 6,        /* bytes that are the same again: the difference is over */
    REACH = 512,     /* how far it is looked for them */
    MOST_TIMES = 128 /* longer than its edits: readers would not believe more */
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many bytes are the same from here on. */
static size_t same_from(const uint8_t *one, size_t one_left, const uint8_t *other,
                        size_t other_left)
{
    size_t most = least(one_left, other_left), same = 0;
    while (same < most && one[same] == other[same])
        same++;
    return same;
}

static bool goes_on(const uint8_t *one, size_t one_left, const uint8_t *other, size_t other_left)
{
    size_t same = same_from(one, least(one_left, SAME), other, least(other_left, SAME));
    return same == SAME || (same == one_left && same == other_left);
}

/* The shortest difference: so many bytes are left out, so many come in. */
static void find_end(const uint8_t *before, size_t before_left, const uint8_t *bytes, size_t left,
                     size_t *out, size_t *in)
{
    for (size_t both = 1; both <= REACH; both++)
        for (*out = both > left ? both - left : 0; *out <= least(both, before_left); ++*out) {
            *in = both - *out;
            if (goes_on(before + *out, before_left - *out, bytes + *in, left - *in))
                return;
        }
    *out = before_left;
    *in = left;
}

static void put_edits(struct fth_bytes *to, const uint8_t *before, size_t before_left,
                      const uint8_t *bytes, size_t left)
{
    struct fth_bytes edits = {0};
    uint64_t count = 0;
    before = fth_view_of(before, before_left).at; /* which may be NULL */
    bytes = fth_view_of(bytes, left).at;
    for (;;) {
        size_t same = same_from(before, before_left, bytes, left), out, in;
        if (same == before_left && same == left)
            break;
        before_left -= same;
        left -= same;
        before += same;
        bytes += same;
        find_end(before, before_left, bytes, left, &out, &in);
        fth_bytes_varint(&edits, same);
        fth_bytes_varint(&edits, out);
        fth_bytes_text(&edits, bytes, in);
        before_left -= out;
        left -= in;
        before += out;
        bytes += in;
        count++;
    }
    fth_bytes_varint(to, count);
    fth_bytes_put(to, edits.data, edits.length);
    fth_bytes_free(&edits);
}

void fth_edits_put(struct fth_bytes *to, const uint8_t *before, size_t length_before,
                   const uint8_t *bytes, size_t length)
{
    size_t place = to->length;
    put_edits(to, before, length_before, bytes, length);
    if (length / MOST_TIMES <= to->length - place)
        return;
    to->length = place;
    fth_bytes_varint(to, 1);
    fth_bytes_varint(to, 0);
    fth_bytes_varint(to, length_before);
    fth_bytes_text(to, bytes, length);
}

bool fth_edits_read(struct fth_view *view, const uint8_t *before, size_t length_before,
                    uint64_t most, struct fth_bytes *made)
{
    struct fth_view from = fth_view_of(before, length_before);
    for (uint64_t left = fth_view_count(view, 3); left; left--) {
        uint64_t same = fth_view_varint(view), out = fth_view_varint(view);
        uint64_t in = fth_view_varint(view);
        const uint8_t *kept = fth_view_bytes(&from, same), *text = fth_view_bytes(view, in);
        fth_view_bytes(&from, out);
        if (view->failed || from.failed || made->length + same + in > most)
            return false;
        fth_bytes_put(made, kept, same);
        fth_bytes_put(made, text, in);
    }
    if (view->failed || made->length + fth_view_left(&from) > most)
        return false;
    fth_bytes_put(made, from.at, fth_view_left(&from));
    return true;
}

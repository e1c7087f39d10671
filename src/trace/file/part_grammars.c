/* Grammars of a part. In `grammars` each has a byte that says how it is kept: packed; or as a frame
 * of zstd, with its length and all, as it will stand in GRAM. Equal grammars are kept alike. */
#include "trace/file/part_grammars.h"

#include "base/memory.h"
#include "trace/columns/compress.h"
#include "trace/grammar/packed_rules.h"

enum { PACKED = 0, FRAME = 1 };
enum {
    /* Bytes of a packed grammar that is compressed by itself: that of an irregular process, in
     * which there is little to find of others. */
    LEAST_OF_FRAME = 1 << 19,
    MOST_RATIO = 8, /* of such a frame, so that the section is not too long for its bytes */
};

static void keep_packed(struct fth_bytes *kept, const struct fth_bytes *packed)
{
    kept->length = 0;
    fth_bytes_put(kept, &(uint8_t){PACKED}, 1);
    fth_bytes_put(kept, packed->data, packed->length);
}

static void keep_frame(struct fth_bytes *kept, const struct fth_bytes *packed)
{
    struct fth_bytes entry = {0};
    fth_bytes_text(&entry, packed->data, packed->length);
    kept->length = 0;
    fth_bytes_put(kept, &(uint8_t){FRAME}, 1);
    fth_bytes_varint(kept, entry.length);
    fth_compress(entry.data, entry.length, kept);
    fth_bytes_free(&entry);
}

uint32_t fth_part_grammar(struct fth_part *part, const void *text, size_t length)
{
    struct fth_bytes packed = {0}, kept = {0};
    fth_rules_pack(text, length, &packed);
    if (packed.length >= LEAST_OF_FRAME)
        keep_frame(&kept, &packed);
    if (kept.length * MOST_RATIO < packed.length)
        keep_packed(&kept, &packed);
    uint32_t number = fth_intern(&part->grammars, kept.data, kept.length);
    fth_bytes_free(&packed);
    fth_bytes_free(&kept);
    return number;
}

/* Frames as they come, and what is between them in frames of its own. */
struct writing {
    struct fth_bytes *frames, between;
    size_t raw;
};

static void end_between(struct writing *writing)
{
    writing->raw += writing->between.length;
    if (writing->between.length)
        fth_compress_section(writing->between.data, writing->between.length, writing->frames);
    writing->between.length = 0;
}

static void put_grammar(struct writing *writing, const uint8_t *kept, size_t length)
{
    struct fth_view view = fth_view_of(kept + 1, length - 1);
    if (*kept == PACKED) {
        fth_bytes_text(&writing->between, view.at, fth_view_left(&view));
        return;
    }
    end_between(writing);
    writing->raw += fth_view_varint(&view);
    fth_bytes_put(writing->frames, view.at, fth_view_left(&view));
}

size_t fth_part_grammars_write(const struct fth_part *part, struct fth_bytes *to)
{
    struct writing writing = {.frames = to};
    fth_bytes_varint(&writing.between, part->grammars.count);
    for (uint32_t i = 0; i < part->grammars.count; i++) {
        size_t length;
        const uint8_t *kept = fth_interned(&part->grammars, i, &length);
        put_grammar(&writing, kept, length);
    }
    if (writing.raw)
        end_between(&writing);
    else
        fth_bytes_put(to, writing.between.data, writing.between.length);
    fth_bytes_free(&writing.between);
    return writing.raw;
}

/* Blind spots: a list of them, and their bytes in a trace. */
#include "trace/file/blind_spots.h"

#include "base/memory.h"

#include <string.h>

static const char *const words[FTH_UNSEEN_KINDS] = {
    [FTH_UNSEEN_OTHER] = "other",     [FTH_UNSEEN_PROGRAM] = "program",
    [FTH_UNSEEN_LIBRARY] = "library", [FTH_UNSEEN_QUEUE] = "queue",
    [FTH_UNSEEN_DIRECT] = "direct",   [FTH_UNSEEN_BYTES] = "bytes",
    [FTH_UNSEEN_MAP] = "map",         [FTH_UNSEEN_CODE] = "code",
    [FTH_UNSEEN_CALL] = "call",
};

const char *fth_unseen_word(enum fth_unseen_kind kind)
{
    return (unsigned)kind < FTH_UNSEEN_KINDS ? words[kind] : NULL;
}

bool fth_unseen_accesses_files(enum fth_unseen_kind kind)
{
    switch (kind) {
    case FTH_UNSEEN_PROGRAM:
    case FTH_UNSEEN_QUEUE:
    case FTH_UNSEEN_DIRECT:
    case FTH_UNSEEN_BYTES:
    case FTH_UNSEEN_MAP:
        return true;
    default:
        return false;
    }
}

struct fth_blind_spot *fth_blind_spots_add(struct fth_blind_spots *spots, enum fth_unseen_kind kind,
                                           char *sentence)
{
    if (!sentence)
        return NULL;
    for (size_t i = 0; i < spots->count; i++)
        if (strcmp(spots->list[i].sentence, sentence) == 0) {
            free(sentence);
            return &spots->list[i];
        }
    FTH_GROW(spots->list, spots->count);
    struct fth_blind_spot *spot = &spots->list[spots->count++];
    *spot = (struct fth_blind_spot){.kind = kind,
                                    .sentence = sentence,
                                    .bytes_read = FTH_UNSEEN_UNKNOWN,
                                    .bytes_written = FTH_UNSEEN_UNKNOWN};
    return spot;
}

void fth_blind_spots_free(struct fth_blind_spots *spots)
{
    for (size_t i = 0; i < spots->count; i++) {
        free(spots->list[i].sentence);
        free(spots->list[i].program);
        free(spots->list[i].path);
    }
    free(spots->list);
    *spots = (struct fth_blind_spots){0};
}

/* ---- bytes ---- */

static void put_text(struct fth_bytes *to, const char *text)
{
    fth_bytes_text(to, text ? text : "", text ? strlen(text) : 0);
}

void fth_blind_spots_write(const struct fth_blind_spots *spots, struct fth_bytes *to)
{
    fth_bytes_varint(to, spots->count);
    for (size_t i = 0; i < spots->count; i++) {
        const struct fth_blind_spot *spot = &spots->list[i];
        fth_bytes_varint(to, spot->kind);
        put_text(to, spot->program);
        put_text(to, spot->path);
        fth_bytes_varint(to, spot->image);
        fth_bytes_signed(to, spot->since);
        fth_bytes_signed(to, spot->bytes_read);
        fth_bytes_signed(to, spot->bytes_written);
    }
}

/* NULL: an empty one. */
static char *take_text(struct fth_view *view)
{
    uint64_t length = fth_view_varint(view);
    const uint8_t *bytes = fth_view_bytes(view, length);
    return bytes && length ? fth_text_part((const char *)bytes, length) : NULL;
}

/* What a newer writer may call a kind that is not known here is of no known kind. */
static enum fth_unseen_kind take_kind(struct fth_view *view)
{
    uint64_t kind = fth_view_varint(view);
    return kind < FTH_UNSEEN_KINDS ? (enum fth_unseen_kind)kind : FTH_UNSEEN_OTHER;
}

static int64_t take_bytes(struct fth_view *view)
{
    int64_t bytes = fth_view_signed(view);
    return bytes < 0 ? FTH_UNSEEN_UNKNOWN : bytes;
}

int fth_blind_spots_read(struct fth_blind_spots *spots, const void *bytes, size_t length,
                         struct fth_error **error)
{
    struct fth_view view = fth_view_of(bytes, length);
    if (fth_view_varint(&view) != spots->count)
        return fth_fail(error, "it is not about as many blind spots as META has");
    for (size_t i = 0; i < spots->count; i++) {
        struct fth_blind_spot *spot = &spots->list[i];
        spot->kind = take_kind(&view);
        spot->program = take_text(&view);
        spot->path = take_text(&view);
        spot->image = fth_view_varint(&view);
        spot->since = fth_view_signed(&view);
        spot->bytes_read = take_bytes(&view);
        spot->bytes_written = take_bytes(&view);
    }
    return view.failed || view.at != view.end ? fth_fail(error, "it is truncated or too long") : 0;
}

/* Counts of a process in its facts: the lists that grammars leave to it, as other processes have
 * the same grammar and went around their loops more or less often. */
#include "trace/columns/compress.h"
#include "trace/file/part.h"

#include "base/memory.h"
#include "trace/record/format.h"

#include <inttypes.h>

/* Compressed where that pays; a reader takes memory for the promise of so many bytes, so that it
 * must not be too much. */
void fth_counts_put_facts(const struct fth_bytes *counts, struct fth_bytes *facts)
{
    struct fth_bytes packed = {0};
    if (!counts->length)
        return;
    fth_compress(counts->data, counts->length, &packed);
    bool pays =
        packed.length < counts->length && counts->length <= FTH_SECTION_MOST_RAW(packed.length);
    fth_bytes_varint(facts, counts->length);
    fth_bytes_varint(facts, pays ? packed.length : 0);
    if (pays)
        fth_bytes_put(facts, packed.data, packed.length);
    else
        fth_bytes_put(facts, counts->data, counts->length);
    fth_bytes_free(&packed);
}

/* ---- reading ---- */

struct fth_rules *fth_piece_rules(const struct fth_stored_part *part, const struct fth_piece *piece,
                                  uint32_t terminals, struct fth_error **error)
{
    struct fth_rules *rules = fth_grammar_rules(part, piece->grammar, terminals, error);
    if (!rules || !piece->list_count || fth_rules_give(rules, piece->lists, error) == 0)
        return rules;
    fth_rules_free(rules);
    fth_fail_in(error, "grammar %" PRIu32, piece->grammar);
    return NULL;
}

/* The lists of all pieces, as bytes. */
static bool unpack(struct fth_bytes *counts, struct fth_view *facts)
{
    uint64_t raw = fth_view_varint(facts), stored = fth_view_varint(facts);
    const uint8_t *bytes = fth_view_bytes(facts, stored ? stored : raw);
    struct fth_error *why = NULL;
    if (!bytes || raw == 0 || (stored && raw > FTH_SECTION_MOST_RAW(stored)))
        return false;
    uint8_t *to = fth_bytes_room(counts, raw);
    counts->length = raw;
    if (!stored)
        memcpy(to, bytes, raw);
    else if (fth_decompress(bytes, stored, to, raw, &why)) {
        fth_error_free(why);
        return false;
    }
    return true;
}

static bool read_piece(const struct fth_stored_part *part, uint32_t terminals,
                       struct fth_piece *piece, struct fth_view *view)
{
    uint32_t lists = part->grammar_lists[piece->grammar];
    struct fth_error *why = NULL;
    if (lists > fth_view_left(view) / 3)
        return false;
    piece->lists = fth_new(lists, sizeof *piece->lists);
    while (piece->list_count < lists)
        if (!fth_count_column_read(&piece->lists[piece->list_count++], view))
            return false;
    struct fth_rules *rules = fth_piece_rules(part, piece, terminals, &why);
    piece->calls = rules ? fth_rules_length(rules) : 0;
    fth_error_free(why);
    fth_rules_free(rules);
    return rules != NULL;
}

static bool has_lists(const struct fth_stored_part *part, const struct fth_part_process *process)
{
    for (size_t i = 0; i < process->track_count; i++)
        for (size_t k = 0; k < process->tracks[i].piece_count; k++)
            if (part->grammar_lists[process->tracks[i].pieces[k].grammar])
                return true;
    return false;
}

bool fth_counts_read(const struct fth_stored_part *part, struct fth_part_process *process,
                     struct fth_view *facts)
{
    const uint8_t *start = facts->at;
    if (!has_lists(part, process))
        return true;
    if (!unpack(&process->counts, facts))
        return false;
    process->counts_stored = (uint64_t)(facts->at - start);
    struct fth_view view = fth_view_of(process->counts.data, process->counts.length);
    for (size_t i = 0; i < process->track_count; i++)
        for (size_t k = 0; k < process->tracks[i].piece_count; k++) {
            struct fth_piece *piece = &process->tracks[i].pieces[k];
            if (part->grammar_lists[piece->grammar] &&
                !read_piece(part, process->signature_count, piece, &view))
                return false;
        }
    return view.at == view.end;
}

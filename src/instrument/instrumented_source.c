/* Finds the places of all probes of a file, and writes the file with them. The result is read once
 * more: a jump into the scope of a probe, or a value that is not known at its place, is found here,
 * not by whoever builds it. */
#include "instrument/instrumented_source.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* A piece of text for an offset. */
struct piece {
    uint32_t at, reach; /* reach: the other end of what it is around */
    bool closes;
    size_t order;
    char *text;
    uint32_t line;
    const struct fth_probe_entry *entry;
};
struct pieces {
    struct piece *list;
    size_t count;
};

static void add_piece(struct pieces *pieces, struct piece piece, struct fth_sink *text)
{
    fth_sink_char(text, 0);
    piece.text = fth_text_copy(text->bytes);
    piece.order = pieces->count;
    text->used = 0;
    FTH_GROW(pieces->list, pieces->count);
    pieces->list[pieces->count++] = piece;
}

/* At one offset: what ends there, the inner first; then what begins there, the outer first. */
static int by_offset(const void *one, const void *other)
{
    const struct piece *a = one, *b = other;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->closes != b->closes)
        return a->closes ? -1 : 1;
    if (a->reach != b->reach)
        return a->reach > b->reach ? -1 : 1;
    bool before = a->closes ? a->order > b->order : a->order < b->order;
    return before ? -1 : 1;
}

/* ---- the places of an entry ---- */

static bool says_name(const struct fth_probe_entry *entry)
{
    return entry->name || entry->anchor == FTH_ANCHOR_FUNCTION || entry->anchor == FTH_ANCHOR_CALL;
}

/* What stands behind the last "::", and is a word. */
static const char *name_of(const struct fth_probe_entry *entry)
{
    const char *at = entry->text;
    if (!says_name(entry))
        return NULL;
    for (const char *next; (next = strstr(at, "::"));)
        at = next + 2;
    return at;
}

struct work {
    const struct fth_instrumented_source *source;
    const struct fth_probe_list *probes;
    struct fth_syntax *syntax;
    struct fth_probe_rows *rows;
    struct pieces pieces;
    bool *used; /* rows of this file, by number */
    size_t used_limit;
    struct fth_error **error;
};

static void note_used(struct work *work, size_t number)
{
    if (number >= work->used_limit) {
        work->used = fth_resize(work->used, number + 64, 1);
        memset(work->used + work->used_limit, 0, number + 64 - work->used_limit);
        work->used_limit = number + 64;
    }
    work->used[number] = true;
}

/* The code before the place or behind it; around it, and in braces, something on both sides. */
static void put_pieces(struct work *work, const struct fth_probe_entry *entry,
                       const struct fth_probe_code *code, const struct fth_probe_row *row,
                       const struct fth_anchor_place *place,
                       const struct fth_probe_setting *setting)
{
    bool both = place->around || place->needs_braces;
    struct piece piece = {
        .at = place->begin, .reach = place->end, .line = setting->line, .entry = entry};
    struct fth_sink text;
    fth_sink_open_memory(&text);
    if (both || !place->after) {
        fth_sink_text(&text, place->is_expression ? "__extension__({ " : both ? "{ " : "");
        if (!place->after)
            fth_probe_code_put(code, row, entry, place, setting, &text);
        add_piece(&work->pieces, piece, &text);
    }
    if (both || place->after) {
        piece = (struct piece){place->end, place->begin, true, 0, NULL, setting->line, entry};
        if (place->after)
            fth_probe_code_put(code, row, entry, place, setting, &text);
        fth_sink_text(&text, place->is_expression ? "; })" : both ? " }" : "");
        add_piece(&work->pieces, piece, &text);
    }
    fth_sink_close_memory(&text);
}

static int add_place(struct work *work, const struct fth_probe_target *target,
                     const struct fth_probe_code *code, const struct fth_anchor_place *place)
{
    const struct fth_probe_entry *entry = target->entry;
    struct fth_probe_row nothing = {.layer = "", .name = (char *)""}, *row = &nothing;
    struct fth_probe_setting setting = {
        .file = work->source->shown,
        .line = fth_syntax_line(work->syntax, place->begin),
        .first = target->first,
        .last = target->last,
        .log = work->source->log,
        .number = work->pieces.count,
    };
    if (fth_probe_code_check(code, work->probes, entry, place, &setting, work->error))
        return -1;
    if (code->kind != FTH_CODE_TEMPLATE) {
        row = fth_probe_row_of(work->rows, work->probes, entry, target->layer, name_of(entry),
                               work->error);
        if (!row)
            return -1;
        note_used(work, (size_t)(row - work->rows->list));
        row->begun |= code->kind == FTH_CODE_BEGIN;
        row->ended |= code->kind == FTH_CODE_END;
    }
    put_pieces(work, entry, code, row, place, &setting);
    return 0;
}

static int add_target(struct work *work, const struct fth_probe_target *target)
{
    const struct fth_probe_entry *entry = target->entry;
    struct fth_probe_code code;
    struct fth_anchor_places places = {0};
    bool all_lines = entry->anchor == FTH_ANCHOR_LINE && !entry->number;
    int result =
        fth_probe_code_find(&code, work->source->library, work->probes, entry, work->error);
    if (!result)
        result = fth_anchors_find(work->syntax, work->probes, entry, all_lines ? 0 : target->first,
                                  target->last, &places, work->error);
    for (size_t i = 0; i < places.count && !result; i++)
        result = add_place(work, target, &code, &places.list[i]);
    *target->found += places.count;
    free(places.list);
    fth_probe_code_free(&code);
    return result;
}

/* ---- the text ---- */

static char *put_together(struct work *work)
{
    struct fth_sink sink;
    const struct fth_syntax *syntax = work->syntax;
    uint32_t at = 0;
    fth_sink_open_memory(&sink);
    fth_sink_text(&sink, "#include \"");
    fth_sink_text(&sink, work->source->header);
    fth_sink_text(&sink, "\"\n");
    for (size_t i = 0; i < work->rows->count && i < work->used_limit; i++)
        if (work->used[i])
            fth_probe_code_site(&work->rows->list[i], &sink);
    fth_sink_text(&sink, "\n#line 1 \"");
    fth_sink_text(&sink, work->source->spelled);
    fth_sink_text(&sink, "\"\n");
    if (work->pieces.count)
        qsort(work->pieces.list, work->pieces.count, sizeof *work->pieces.list, by_offset);
    for (size_t i = 0; i < work->pieces.count; i++) {
        const struct piece *piece = &work->pieces.list[i];
        fth_sink_bytes(&sink, syntax->text + at, piece->at - at);
        fth_sink_text(&sink, piece->text);
        at = piece->at;
    }
    fth_sink_bytes(&sink, syntax->text + at, syntax->length - at);
    fth_sink_char(&sink, 0);
    return sink.bytes;
}

/* Which entry is to blame: that of the line in the message. A jump goes forward into the scope of
 * the first probe behind it. NULL: nobody knows. */
static const struct fth_probe_entry *to_blame(const struct work *work, const char *message)
{
    const char *colon = strchr(message, ':');
    unsigned long line = colon ? strtoul(colon + 1, NULL, 10) : 0;
    bool jump = strstr(message, "cannot jump") != NULL;
    for (size_t i = 0; i < work->pieces.count; i++)
        if (work->pieces.list[i].line == line || (jump && work->pieces.list[i].line > line))
            return work->pieces.list[i].entry;
    return NULL;
}

static int check(struct work *work, const char *text)
{
    struct fth_syntax again;
    struct fth_error *cause = NULL;
    int result = fth_syntax_read(&again, work->source->path, text, work->source->arguments,
                                 work->source->argument_count, &cause);
    fth_syntax_free(&again);
    if (!result)
        return 0;
    const struct fth_probe_entry *entry = to_blame(work, fth_error_text(cause));
    if (entry)
        fth_probe_entry_fail(work->probes, entry, work->error,
                             "with this probe the source does not compile: %s",
                             fth_error_text(cause));
    else
        fth_fail(work->error, "with its probes the source does not compile: %s",
                 fth_error_text(cause));
    fth_error_free(cause);
    return -1;
}

char *fth_instrument_source(const struct fth_instrumented_source *source,
                            const struct fth_probe_list *probes,
                            const struct fth_probe_target *targets, size_t count,
                            struct fth_probe_rows *rows, bool *unchanged, struct fth_error **error)
{
    struct fth_syntax syntax;
    struct work work = {
        .source = source, .probes = probes, .syntax = &syntax, .rows = rows, .error = error};
    char *text = NULL;
    int result = fth_syntax_read(&syntax, source->path, NULL, source->arguments,
                                 source->argument_count, error);
    if (result)
        fth_fail_in(error, "the sources do not compile");
    for (size_t i = 0; i < count && !result; i++)
        result = add_target(&work, &targets[i]);
    *unchanged = !work.pieces.count;
    if (!result) {
        text = put_together(&work);
        if (check(&work, text)) {
            free(text);
            text = NULL;
        }
    }
    for (size_t i = 0; i < work.pieces.count; i++)
        free(work.pieces.list[i].text);
    free(work.pieces.list);
    free(work.used);
    fth_syntax_free(&syntax);
    return text;
}

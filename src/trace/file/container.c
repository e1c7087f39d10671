/* Sections. */
#include "trace/columns/compress.h"
#include "trace/file/container.h"

#include "base/memory.h"
#include "catalog/consistency_meaning.h"
#include "catalog/packed.h"
#include "trace/columns/columns.h"
#include "trace/file/part_grammars.h"

#define XXH_INLINE_ALL
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>
#include <xxhash.h>

void fth_header_make(struct fth_header *header)
{
    *header = (struct fth_header){.version = FTH_TRACE_VERSION};
    memcpy(header->magic, FTH_TRACE_MAGIC, sizeof header->magic);
    header->checksum = XXH64(header, FTH_HEADER_BYTES - 8, 0);
}

uint64_t fth_section_unseal(const struct fth_section *section)
{
    return section->checksum ^ XXH64(section, offsetof(struct fth_section, checksum), 0);
}

void fth_section_seal(struct fth_section *section, uint64_t stored)
{
    section->checksum = stored;
    section->checksum = fth_section_unseal(section);
}

bool fth_section_is_alone(uint32_t kind)
{
    return kind == FTH_SECTION_META || kind == FTH_SECTION_CATALOG || kind == FTH_SECTION_LINES ||
           kind == FTH_SECTION_SAMPLES || kind == FTH_SECTION_MOUNTS ||
           kind == FTH_SECTION_UNSEEN || kind == FTH_SECTION_UNKEPT || kind == FTH_SECTION_SUMMED ||
           kind == FTH_SECTION_WATCHED;
}

bool fth_section_has_processes(uint32_t kind)
{
    return kind == FTH_SECTION_PROCESS || kind == FTH_SECTION_PROCESSES;
}

bool fth_section_is_sound(const struct fth_section *section)
{
    bool alone = fth_section_is_alone(section->kind);
    bool processes = fth_section_has_processes(section->kind);
    if (section->reserved || (alone && section->part) || (!processes && section->process))
        return false;
    if (processes)
        return section->codec == FTH_CODEC_NONE && section->raw <= section->stored;
    if (section->codec == FTH_CODEC_NONE)
        return section->raw == section->stored;
    return section->codec == FTH_CODEC_ZSTD &&
           section->raw <= FTH_SECTION_MOST_RAW(section->stored);
}

/* The section, whose bytes stand behind the place of its head. */
static void seal_at(struct fth_bytes *to, size_t place, struct fth_section *section)
{
    const uint8_t *stored = to->data + place + sizeof *section;
    section->stored = to->length - place - sizeof *section;
    fth_section_seal(section, XXH64(stored, section->stored, section->kind));
    memcpy(to->data + place, section, sizeof *section);
}

void fth_section_append(struct fth_bytes *to, enum fth_section_kind kind, uint32_t part,
                        const void *bytes, size_t length)
{
    struct fth_section section = {.kind = kind, .part = part, .raw = length};
    size_t place = to->length;
    fth_bytes_put(to, &section, sizeof section);
    fth_compress_section(bytes, length, to);
    section.codec = FTH_CODEC_ZSTD;
    size_t compressed = to->length - place - sizeof section;
    if (compressed >= length || length > FTH_SECTION_MOST_RAW(compressed)) {
        to->length = place + sizeof section;
        fth_bytes_put(to, bytes, length);
        section.codec = FTH_CODEC_NONE;
    }
    seal_at(to, place, &section);
}

/* The same of frames of zstd, one behind the other, of `length` bytes. */
static void append_frames(struct fth_bytes *to, enum fth_section_kind kind, uint32_t part,
                          const struct fth_bytes *frames, size_t length)
{
    struct fth_section section = {.kind = kind, .part = part, .raw = length};
    bool fits = length <= FTH_SECTION_MOST_RAW(frames->length);
    size_t place = to->length;
    section.codec = fits ? FTH_CODEC_ZSTD : FTH_CODEC_NONE;
    fth_bytes_put(to, &section, sizeof section);
    if (fits) {
        fth_bytes_put(to, frames->data, frames->length);
    } else {
        fth_decompress(frames->data, frames->length, fth_bytes_room(to, length), length, NULL);
        to->length += length;
    }
    seal_at(to, place, &section);
}

static void append_interned(struct fth_bytes *to, enum fth_section_kind kind, uint32_t number,
                            const struct fth_intern *intern)
{
    struct fth_bytes raw = {0};
    fth_intern_write(intern, &raw);
    fth_section_append(to, kind, number, raw.data, raw.length);
    fth_bytes_free(&raw);
}

void fth_part_append(struct fth_bytes *to, const struct fth_part *part, uint32_t number)
{
    struct fth_bytes raw = {0};
    append_interned(to, FTH_SECTION_STRINGS, number, &part->strings);
    append_interned(to, FTH_SECTION_SIGNATURES, number, &part->signatures);
    size_t packed = fth_part_grammars_write(part, &raw);
    if (packed)
        append_frames(to, FTH_SECTION_GRAMMARS, number, &raw, packed);
    else
        fth_section_append(to, FTH_SECTION_GRAMMARS, number, raw.data, raw.length);
    raw.length = 0;
    const struct fth_shape_terms terms = {part->catalog, &part->strings, &part->signatures};
    fth_shapes_write(&part->shapes, &terms, &raw);
    fth_section_append(to, FTH_SECTION_SHAPES, number, raw.data, raw.length);
    fth_bytes_free(&raw);
}

void fth_part_mark_used(const struct fth_part *part, bool *used)
{
    for (uint32_t i = 0; i < part->signatures.count; i++) {
        size_t length;
        struct fth_signature signature;
        const uint8_t *bytes = fth_interned(&part->signatures, i, &length);
        if (fth_signature_read(part->catalog, bytes, length, &signature))
            used[signature.function] = true;
    }
}

/* ---- the catalogue ---- */

static void put_line(struct fth_bytes *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void put_line(struct fth_bytes *to, const char *format, ...)
{
    char *line;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&line, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    fth_bytes_put(to, line, (size_t)length);
    fth_bytes_put(to, "\n", 1);
    free(line);
}

static bool uses_flags(const struct fth_row *row, size_t flags)
{
    for (size_t i = 0; i < row->field_count; i++)
        if (row->fields[i].flags_index == (int)flags)
            return true;
    return false;
}

static void put_flags(struct fth_bytes *to, const struct fth_catalog *catalog, const bool *used)
{
    for (size_t i = 0; i < catalog->flags_count; i++) {
        bool needed = false;
        for (size_t k = 0; k < catalog->row_count && !needed; k++)
            needed = used[k] && uses_flags(&catalog->rows[k], i);
        if (!needed)
            continue;
        put_line(to, "flags %s", catalog->flags[i].name);
        for (size_t k = 0; k < catalog->flags[i].count; k++)
            put_line(to, "  %lld=%s", (long long)catalog->flags[i].entries[k].value,
                     catalog->flags[i].entries[k].name);
    }
}

/* Of the layers of plug-ins all that they say, before their first row. */
static void put_layer(struct fth_bytes *to, const struct fth_catalog *catalog, const char *name)
{
    const struct fth_layer *layer = fth_catalog_layer(catalog, name);
    if (layer && layer->text)
        put_line(to, "layer %s %s", name, layer->text);
    else
        put_line(to, "layer %s", name);
}

void fth_catalog_append(struct fth_bytes *to, const struct fth_catalog *catalog, const bool *used)
{
    static const char *const forms[] = {"file", "object", "anonymous"};
    struct fth_bytes text = {0};
    for (size_t i = 0; i < catalog->class_count; i++)
        put_line(&text, "class %s %s%s", catalog->classes[i].name, forms[catalog->classes[i].form],
                 catalog->classes[i].buffered ? " buffered" : "");
    put_flags(&text, catalog, used);
    const char *layer = "", *library = "";
    for (size_t i = 0; i < catalog->row_count; i++) {
        const struct fth_row *row = &catalog->rows[i];
        if (!used[i])
            continue;
        if (strcmp(library, row->library) != 0)
            put_line(&text, "library %s", library = row->library);
        if (strcmp(layer, row->layer) != 0)
            put_layer(&text, catalog, layer = row->layer);
        put_line(&text, "%zu %s", i, row->text);
    }
    fth_section_append(to, FTH_SECTION_CATALOG, 0, text.data, text.length);
    fth_bytes_free(&text);
}

int fth_write_at(int file, const void *bytes, size_t length, uint64_t at, const char *path,
                 struct fth_error **error)
{
    while (length) {
        ssize_t written = pwrite(file, bytes, length, (off_t)at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return fth_fail_errno(error, "cannot write '%s'", path);
        bytes = (const char *)bytes + written;
        length -= (size_t)written;
        at += (uint64_t)written;
    }
    return 0;
}

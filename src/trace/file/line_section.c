/* Source lines: which places signatures name, and section LINE. */
#include "trace/file/line_section.h"

#include "base/memory.h"
#include "trace/file/container.h"
#include "trace/record/spill.h"

/* ---- places ---- */

static struct fth_place place_of(struct fth_places *places, const void *module, size_t length,
                                 uint64_t offset)
{
    return (struct fth_place){fth_intern(&places->modules, module, length), offset};
}

void fth_places_add(struct fth_places *places, const struct fth_part *part)
{
    for (uint32_t i = 0; i < part->signatures.count; i++) {
        size_t length;
        struct fth_signature signature;
        const uint8_t *bytes = fth_interned(&part->signatures, i, &length);
        if (!fth_signature_read(part->catalog, bytes, length, &signature) || !signature.source ||
            signature.source >> FTH_SOURCE_BITS >= part->strings.count)
            continue;
        const char *module = fth_module_text(&part->strings, &signature, &length);
        struct fth_place place =
            place_of(places, module, length, signature.source & FTH_SOURCE_OFFSET);
        fth_intern(&places->places, &place, sizeof place);
    }
}

void fth_places_free(struct fth_places *places)
{
    fth_intern_free(&places->modules);
    fth_intern_free(&places->places);
}

static struct fth_place place_at(const struct fth_places *places, uint32_t i)
{
    size_t length;
    struct fth_place place;
    memcpy(&place, fth_interned(&places->places, i, &length), sizeof place);
    return place;
}

/* ---- writing ---- */

/* A text of a module as two: the path, and what is behind its zero. */
static char *split(const uint8_t *text, size_t length, const char **build_id)
{
    char *both = fth_new(length + 2, 1);
    memcpy(both, text, length);
    *build_id = both + strlen(both) + 1;
    return both;
}

static void append_module(struct fth_bytes *to, const struct fth_places *places, uint32_t module,
                          fth_line_finder *find, void *context)
{
    struct fth_bytes lines = {0};
    uint64_t count = 0;
    size_t length;
    const uint8_t *text = fth_interned(&places->modules, module, &length);
    const char *build_id;
    char *path = split(text, length, &build_id);
    for (uint32_t i = 0; i < places->places.count; i++) {
        struct fth_place place = place_at(places, i);
        char *line = place.module == module ? find(context, path, build_id, place.offset) : NULL;
        if (!line)
            continue;
        count++;
        fth_bytes_varint(&lines, place.offset);
        fth_bytes_text(&lines, line, strlen(line));
        free(line);
    }
    free(path);
    fth_bytes_text(to, text, length);
    fth_bytes_varint(to, count);
    fth_bytes_put(to, lines.data, lines.length);
    fth_bytes_free(&lines);
}

void fth_code_lines_append(struct fth_bytes *to, const struct fth_places *places,
                           fth_line_finder *find, void *context)
{
    struct fth_bytes raw = {0};
    if (!places->places.count || !find)
        return;
    fth_bytes_varint(&raw, places->modules.count);
    for (uint32_t i = 0; i < places->modules.count; i++)
        append_module(&raw, places, i, find, context);
    fth_section_append(to, FTH_SECTION_LINES, 0, raw.data, raw.length);
    fth_bytes_free(&raw);
}

/* ---- reading ---- */

static char *read_text(struct fth_view *view)
{
    uint64_t length = fth_view_varint(view);
    const uint8_t *bytes = fth_view_bytes(view, length);
    char *text = fth_new(bytes ? length + 1 : 1, 1);
    if (bytes)
        memcpy(text, bytes, length);
    return text;
}

/* The lines of one module. False: damaged. */
static bool read_module(struct fth_code_lines *lines, struct fth_view *view)
{
    uint32_t known = lines->places.modules.count;
    uint64_t length = fth_view_varint(view);
    const uint8_t *module = fth_view_bytes(view, length);
    if (!module || fth_intern(&lines->places.modules, module, length) != known)
        return false;
    for (uint64_t count = fth_view_count(view, 2); count && !view->failed; count--) {
        struct fth_place place = {known, fth_view_varint(view)};
        uint32_t number = lines->places.places.count;
        if (fth_intern(&lines->places.places, &place, sizeof place) != number)
            return false;
        FTH_GROW(lines->texts, number);
        lines->texts[number] = read_text(view);
    }
    return !view->failed;
}

int fth_code_lines_read(struct fth_code_lines *lines, const void *bytes, size_t length,
                        struct fth_error **error)
{
    struct fth_view view = fth_view_of(bytes, length);
    bool good = true;
    for (uint64_t count = fth_view_count(&view, 2); count && good; count--)
        good = read_module(lines, &view);
    return good && !view.failed && view.at == view.end
               ? 0
               : fth_fail(error, "the lines of module %u are damaged", lines->places.modules.count);
}

void fth_code_lines_free(struct fth_code_lines *lines)
{
    for (uint32_t i = 0; i < lines->places.places.count; i++)
        free(lines->texts[i]);
    free(lines->texts);
    fth_places_free(&lines->places);
    *lines = (struct fth_code_lines){0};
}

const char *fth_code_lines_find(const struct fth_code_lines *lines, const void *module,
                                size_t length, uint64_t offset)
{
    uint32_t number;
    if (!fth_intern_find(&lines->places.modules, module, length, &number))
        return NULL;
    struct fth_place place = {number, offset};
    if (!fth_intern_find(&lines->places.places, &place, sizeof place, &number))
        return NULL;
    return lines->texts[number];
}

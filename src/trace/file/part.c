/* Parts as a whole: joined into one, and sent from rank to rank; and their lists of strings and
 * signatures, which may be damaged or malicious where they are read.
 * Their bytes: docs/format.md. */
#include "trace/file/part.h"

#include "base/memory.h"
#include "trace/record/spill.h"

#include <inttypes.h>

void fth_part_init(struct fth_part *part, const struct fth_catalog *catalog)
{
    static const uint8_t null = FTH_TEMPLATE_NULL;
    *part = (struct fth_part){.catalog = catalog};
    fth_intern(&part->strings, &null, 1);
}

void fth_part_free(struct fth_part *part)
{
    fth_intern_free(&part->strings);
    fth_intern_free(&part->signatures);
    fth_intern_free(&part->grammars);
    fth_shapes_free(&part->shapes);
}

static void free_track(struct fth_track *track)
{
    for (size_t i = 0; i < track->piece_count; i++) {
        for (uint32_t k = 0; k < track->pieces[i].list_count; k++)
            fth_count_column_free(&track->pieces[i].lists[k]);
        free(track->pieces[i].lists);
    }
    free(track->pieces);
    free(track->blocks);
}

void fth_part_process_free(struct fth_part_process *process)
{
    struct fth_facts *facts = &process->facts;
    free(facts->host);
    free(facts->exe);
    free(facts->directory);
    free(facts->mpi);
    for (size_t i = 0; i < facts->arguments.count; i++)
        free(facts->arguments.items[i]);
    free(facts->arguments.items);
    for (size_t k = 0; k < process->track_count; k++)
        free_track(&process->tracks[k]);
    free(process->tracks);
    free(process->sums);
    free(process->paths);
    free(process->signatures);
    free(process->terminals);
    free(process->values);
    free(process->name_numbers);
    fth_intern_free(&process->texts);
    fth_bytes_free(&process->counts);
    *process = (struct fth_part_process){0};
}

void fth_signature_of(const struct fth_part_process *process, uint32_t terminal,
                      struct fth_signature *signature)
{
    const struct fth_stored_signature *stored = &process->terminals[terminal];
    *signature = *stored->common;
    signature->numbers = stored->numbers;
    memcpy(signature->values, fth_stored_values(process, stored),
           signature->count * sizeof *signature->values);
}

uint64_t fth_track_block_bytes(const struct fth_track *track)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < track->block_count; i++)
        bytes += track->blocks[i].time_stored + track->blocks[i].literal_stored;
    return bytes;
}

uint32_t fth_part_template(struct fth_part *part, const void *bytes, size_t length, bool list,
                           struct fth_name *name)
{
    static __thread struct fth_bytes template;
    template.length = 0;
    fth_name_split(bytes, length, list, &template, name);
    return fth_intern(&part->strings, template.data, template.length);
}

uint32_t fth_part_module(struct fth_part *part, const void *bytes, size_t length)
{
    static __thread struct fth_bytes text;
    text.length = 0;
    fth_bytes_put(&text, &(uint8_t){FTH_TEMPLATE_BYTES}, 1);
    fth_bytes_put(&text, bytes, length);
    return fth_intern(&part->strings, text.data, text.length);
}

/* ---- absorbing ---- */

static uint32_t *absorb_interned(struct fth_intern *into, const struct fth_intern *from)
{
    uint32_t *map = fth_new(from->count, sizeof *map);
    for (uint32_t i = 0; i < from->count; i++) {
        size_t length;
        const uint8_t *bytes = fth_interned(from, i, &length);
        map[i] = fth_intern(into, bytes, length);
    }
    return map;
}

static void copy_number(struct fth_view *from, struct fth_bytes *to, uint64_t *number)
{
    *number = fth_view_varint(from);
    fth_bytes_varint(to, *number);
}

static void map_number(struct fth_view *from, struct fth_bytes *to, const uint32_t *map)
{
    fth_bytes_varint(to, map[fth_view_varint(from)]);
}

/* Maps of an absorbed part: its numbers to those that they become. Strings go along as they are
 * met: those that nobody uses stay behind. */
struct maps {
    struct fth_intern *into;
    const struct fth_intern *from;
    uint32_t *strings; /* + 1 */
    uint32_t *signatures, *grammars;
};

static void map_string(struct fth_view *from, struct fth_bytes *to, const struct maps *maps)
{
    uint64_t string = fth_view_varint(from);
    uint32_t *place = &maps->strings[string];
    size_t length;
    if (!*place) {
        const uint8_t *bytes = fth_interned(maps->from, (uint32_t)string, &length);
        *place = fth_intern(maps->into, bytes, length) + 1;
    }
    fth_bytes_varint(to, *place - 1);
}

/* Signatures name a string where the source of their calls is kept. */
static uint32_t *absorb_signatures(struct fth_intern *into, const struct fth_intern *from,
                                   const struct maps *maps)
{
    uint32_t *map = fth_new(from->count, sizeof *map);
    struct fth_bytes mapped = {0};
    for (uint32_t i = 0; i < from->count; i++) {
        size_t length;
        const uint8_t *bytes = fth_interned(from, i, &length);
        struct fth_view view = fth_view_of(bytes, length);
        uint64_t fields[6];
        mapped.length = 0;
        for (unsigned k = 0; k < 6; k++)
            copy_number(&view, &mapped, &fields[k]);
        if (fields[2] & FTH_HAS_SOURCE) {
            map_string(&view, &mapped, maps);
            copy_number(&view, &mapped, &fields[0]);
        }
        map[i] = fth_intern(into, mapped.data, mapped.length);
    }
    fth_bytes_free(&mapped);
    return map;
}

/* Each path group: its template, and how many lines each of its columns has. */
static void map_paths(const struct fth_part *part, struct fth_view *from, struct fth_bytes *to,
                      const struct maps *maps)
{
    uint64_t groups, lines;
    for (copy_number(from, to, &groups); groups; groups--) {
        struct fth_view peek = *from;
        uint32_t template = (uint32_t)fth_view_varint(&peek);
        map_string(from, to, maps);
        for (unsigned columns = fth_part_numbers_of(part, template) + 4; columns; columns--)
            copy_number(from, to, &lines);
    }
}

static void map_shape(const struct fth_part *part, const uint8_t *bytes, size_t length,
                      const struct maps *maps, struct fth_bytes *to)
{
    struct fth_view from = fth_view_of(bytes, length);
    uint64_t count, more;
    for (copy_number(&from, to, &count); count; count--)
        map_string(&from, to, maps);
    for (copy_number(&from, to, &count); count; count--) {
        map_number(&from, to, maps->signatures);
        for (copy_number(&from, to, &more); more; more--)
            map_string(&from, to, maps);
    }
    for (copy_number(&from, to, &count); count; count--)
        for (copy_number(&from, to, &more); more; more--)
            map_number(&from, to, maps->grammars);
    for (copy_number(&from, to, &count); count; count--) {
        copy_number(&from, to, &more);
        copy_number(&from, to, &more);
    }
    map_paths(part, &from, to, maps);
}

void fth_part_absorb(struct fth_part *into, struct fth_part *from)
{
    struct maps maps = {.into = &into->strings,
                        .from = &from->strings,
                        .strings = fth_new(from->strings.count, sizeof *maps.strings),
                        .grammars = absorb_interned(&into->grammars, &from->grammars)};
    maps.signatures = absorb_signatures(&into->signatures, &from->signatures, &maps);
    uint32_t count = from->shapes.names.count, *shapes = fth_new(count, sizeof *shapes);
    struct fth_bytes mapped = {0};
    for (uint32_t i = 0; i < count; i++) {
        size_t length;
        const uint8_t *bytes = fth_interned(&from->shapes.names, i, &length);
        mapped.length = 0;
        map_shape(from, bytes, length, &maps, &mapped);
        shapes[i] = fth_shapes_name(&into->shapes, mapped.data, mapped.length);
    }
    fth_shapes_absorb(&into->shapes, &from->shapes, shapes);
    fth_bytes_free(&mapped);
    free(maps.strings);
    free(maps.signatures);
    free(maps.grammars);
    free(shapes);
    fth_part_free(from);
}

/* ---- messages ---- */

void fth_intern_write(const struct fth_intern *intern, struct fth_bytes *to)
{
    fth_bytes_varint(to, intern->count);
    for (uint32_t i = 0; i < intern->count; i++) {
        size_t length;
        const uint8_t *bytes = fth_interned(intern, i, &length);
        fth_bytes_text(to, bytes, length);
    }
}

int fth_intern_read(struct fth_intern *intern, const void *bytes, size_t length, const char *what,
                    struct fth_error **error)
{
    struct fth_view view = fth_view_of(bytes, length);
    uint64_t count = fth_view_count(&view, 1);
    for (uint64_t i = 0; i < count && !view.failed; i++) {
        uint64_t size = fth_view_varint(&view);
        const uint8_t *entry = fth_view_bytes(&view, size);
        if (entry && fth_intern(intern, entry, size) != i)
            return fth_fail(error, "%s %" PRIu64 " occurs twice", what, i);
    }
    if (view.failed || view.at != view.end)
        return fth_fail(error, "the list of %ss is truncated or too long", what);
    return 0;
}

static bool receive_interned(struct fth_intern *intern, struct fth_view *from)
{
    for (uint64_t count = fth_view_count(from, 1), i = 0; i < count; i++) {
        uint64_t length = fth_view_varint(from);
        const uint8_t *bytes = fth_view_bytes(from, length);
        if (!bytes || fth_intern(intern, bytes, length) != i)
            return false;
    }
    return !from->failed;
}

void fth_part_send(const struct fth_part *part, struct fth_bytes *to)
{
    fth_intern_write(&part->strings, to);
    fth_intern_write(&part->signatures, to);
    fth_intern_write(&part->grammars, to);
    fth_shapes_send(&part->shapes, to);
}

bool fth_part_receive(struct fth_part *part, const struct fth_catalog *catalog, const void *bytes,
                      size_t length)
{
    struct fth_view view = fth_view_of(bytes, length);
    *part = (struct fth_part){.catalog = catalog};
    return receive_interned(&part->strings, &view) && receive_interned(&part->signatures, &view) &&
           receive_interned(&part->grammars, &view) && fth_shapes_receive(&part->shapes, &view) &&
           view.at == view.end;
}

unsigned fth_part_numbers_of(const struct fth_part *part, uint32_t string)
{
    struct fth_template template;
    size_t length;
    const uint8_t *bytes = fth_interned(&part->strings, string, &length);
    fth_template_read(&template, bytes, length, NULL);
    return template.count;
}

/* ---- what stands in it ---- */

const char *fth_module_text(const struct fth_intern *strings, const struct fth_signature *signature,
                            size_t *length)
{
    uint32_t string = (uint32_t)(signature->source >> FTH_SOURCE_BITS);
    const uint8_t *bytes = fth_interned(strings, string, length);
    *length -= 1;
    return (const char *)bytes + 1;
}

bool fth_signature_read(const struct fth_catalog *catalog, const uint8_t *bytes, size_t length,
                        struct fth_signature *signature)
{
    struct fth_view view = fth_view_of(bytes, length);
    uint64_t function = fth_view_varint(&view), depth = fth_view_varint(&view);
    uint64_t flags = fth_view_varint(&view), mask = fth_view_varint(&view);
    uint64_t apart = fth_view_varint(&view), steps = fth_view_varint(&view), source = 0;
    if (flags & FTH_HAS_SOURCE) {
        uint64_t module = fth_view_varint(&view), offset = fth_view_varint(&view);
        if (!module || module >> (64 - FTH_SOURCE_BITS) || offset > FTH_SOURCE_OFFSET)
            return false;
        source = module << FTH_SOURCE_BITS | offset;
    }
    if (view.failed || view.at != view.end || function >= catalog->row_count ||
        !catalog->rows[function].name || depth > 255 || flags > 255 || mask >> 31)
        return false;
    struct fth_value_plan plan[FTH_MOST_VALUES];
    int count = fth_plan_values(catalog, &catalog->rows[function], plan);
    if (count < 0 || mask >> count || apart >> count || mask & apart || mask & steps ||
        (steps &&
         steps & ~(uint64_t)fth_plan_steps(catalog, &catalog->rows[function], plan, count)))
        return false;
    *signature = (struct fth_signature){.function = (uint32_t)function,
                                        .depth = (uint32_t)depth,
                                        .flags = (uint32_t)flags,
                                        .mask = (uint32_t)mask,
                                        .apart = (uint32_t)apart,
                                        .steps = (uint32_t)steps,
                                        .count = (unsigned)count,
                                        .source = source};
    return true;
}

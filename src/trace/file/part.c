/* Building parts: a process becomes a shape and a row of numbers, and facts; parts become one. What
 * they look like as bytes: docs/format.md. */
#include "trace/file/part.h"

#include "base/memory.h"
#include "trace/file/apart.h"
#include "trace/record/spill.h"

enum { MOST_LINES = 16 }; /* of a column of a process's paths; others are facts */

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
    free(process->name_numbers);
    fth_intern_free(&process->texts);
    fth_bytes_free(&process->counts);
    *process = (struct fth_part_process){0};
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

/* ---- a process as shape, numbers and facts ---- */

struct adding {
    struct fth_part *part;
    const struct fth_part_process *process;
    struct fth_apart_places apart;
    struct fth_bytes shape, *facts, packed;
    int64_t *numbers;
    uint32_t number_count;
};

static void add_number(struct adding *adding, int64_t number)
{
    FTH_GROW(adding->numbers, adding->number_count);
    adding->numbers[adding->number_count++] = number;
}

static void add_text(struct adding *adding, const char *text)
{
    struct fth_name name;
    uint32_t template =
        fth_part_template(adding->part, text ? text : "", text ? strlen(text) : 0, false, &name);
    fth_name_settle(&name, FTH_TEMPLATE_NUMBERS);
    fth_bytes_varint(&adding->shape, template);
    for (unsigned i = 0; i < name.count; i++)
        add_number(adding, name.numbers[i]);
}

static void add_identity(struct adding *adding)
{
    const struct fth_facts *facts = &adding->process->facts;
    const int64_t shared[] = {(int64_t)facts->previous,
                              facts->parent_pid,
                              (int64_t)facts->world,
                              facts->rank,
                              facts->size,
                              (int64_t)facts->ended,
                              facts->status,
                              (int64_t)facts->stopped,
                              facts->alive,
                              facts->clock_is_monotonic,
                              facts->clock_error,
                              (int64_t)facts->excluded,
                              (int64_t)facts->lost};
    uint64_t lasted = facts->last_ticks - facts->start_ticks;
    fth_bytes_put(adding->facts, &facts->image, sizeof facts->image);
    fth_bytes_signed(adding->facts,
                     (int64_t)((uint64_t)facts->pid - (facts->image & FTH_IMAGE_PID)));
    fth_bytes_varint(adding->facts, facts->start_ticks);
    fth_bytes_signed(adding->facts, (int64_t)lasted);
    fth_bytes_signed(adding->facts, (int64_t)(facts->rate_ticks - lasted));
    fth_bytes_varint(adding->facts, facts->rate_ns);
    fth_bytes_varint(adding->facts, facts->quantum);
    fth_bytes_varint(adding->facts, facts->times);
    fth_bytes_signed(adding->facts, facts->start_realtime);
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        add_number(adding, shared[i]);
    fth_bytes_varint(&adding->shape, 4 + facts->arguments.count);
    add_text(adding, facts->host);
    add_text(adding, facts->exe);
    add_text(adding, facts->directory);
    add_text(adding, facts->mpi);
    for (size_t i = 0; i < facts->arguments.count; i++)
        add_text(adding, facts->arguments.items[i]);
}

static void add_blocks(struct adding *adding)
{
    struct fth_bytes *facts = adding->facts;
    const struct fth_facts *own = &adding->process->facts;
    bool means = own->times == FTH_TIMES_OF_MEANS;
    fth_bytes_varint(facts, adding->process->track_count);
    for (size_t i = 0; i < adding->process->track_count; i++) {
        const struct fth_track *track = &adding->process->tracks[i];
        uint64_t base = fth_first_base(own);
        fth_bytes_varint(facts, track->thread);
        fth_bytes_signed(facts, (int64_t)((uint64_t)track->tid - (uint64_t)own->pid));
        fth_bytes_varint(facts, track->block_count);
        if (means) {
            fth_bytes_varint(facts, track->means_stored);
            fth_bytes_varint(facts, track->means_raw);
        }
        for (size_t k = 0; k < track->block_count; k++) {
            const struct fth_block *block = &track->blocks[k];
            const uint64_t numbers[] = {block->calls,
                                        means ? block->gap_weight : block->time_stored,
                                        means ? block->duration_weight : block->time_raw,
                                        block->literal_stored, block->literal_raw};
            fth_bytes_signed(facts, (int64_t)(block->base - base));
            base = block->base;
            for (size_t j = 0; j < sizeof numbers / sizeof *numbers; j++)
                fth_bytes_varint(facts, numbers[j]);
        }
    }
}

static unsigned template_numbers(const struct fth_part *part, uint32_t string)
{
    struct fth_template template;
    size_t length;
    const uint8_t *bytes = fth_interned(&part->strings, string, &length);
    fth_template_read(&template, bytes, length, NULL);
    return template.count;
}

static void add_number_of(struct adding *adding, bool apart, int64_t number)
{
    if (apart)
        fth_bytes_signed(adding->facts, number);
    else
        add_number(adding, number);
}

static void add_signature(struct adding *adding, const struct fth_signature *signature)
{
    struct fth_value_plan plan[FTH_MOST_VALUES];
    struct fth_part *part = adding->part;
    const int64_t *numbers = fth_name_numbers(adding->process, signature);
    uint8_t head[8 * FTH_VARINT_MAX], *to = head;
    unsigned names = 0;
    fth_plan_values(part->catalog, &part->catalog->rows[signature->function], plan);
    uint32_t apart = fth_apart_values(&adding->apart, plan, signature);
    to = fth_put_varint(to, signature->function);
    to = fth_put_varint(to, signature->depth);
    to = fth_put_varint(to, signature->flags);
    to = fth_put_varint(to, signature->mask);
    to = fth_put_varint(to, apart);
    to = fth_put_varint(to, signature->steps);
    if (signature->flags & FTH_HAS_SOURCE) {
        to = fth_put_varint(to, signature->source >> FTH_SOURCE_BITS);
        to = fth_put_varint(to, signature->source & FTH_SOURCE_OFFSET);
    }
    fth_bytes_varint(&adding->shape, fth_intern(&part->signatures, head, (size_t)(to - head)));
    for (unsigned i = 0; i < signature->count; i++)
        names += fth_is_name(plan[i].part);
    fth_bytes_varint(&adding->shape, names);
    for (unsigned i = 0; i < signature->count; i++) {
        bool literal = signature->mask >> i & 1;
        if (!fth_is_name(plan[i].part)) {
            if (!literal)
                add_number_of(adding, apart >> i & 1, signature->values[i]);
            continue;
        }
        fth_bytes_varint(&adding->shape, (uint64_t)signature->values[i]);
        for (unsigned k = literal ? 0 : template_numbers(part, (uint32_t)signature->values[i]); k;
             k--)
            add_number_of(adding, apart >> i & 1, *numbers++);
    }
}

static void add_tracks(struct adding *adding)
{
    for (size_t i = 0; i < adding->process->track_count; i++) {
        const struct fth_track *track = &adding->process->tracks[i];
        fth_bytes_varint(&adding->shape, track->piece_count);
        for (size_t k = 0; k < track->piece_count; k++)
            fth_bytes_varint(&adding->shape, track->pieces[k].grammar);
    }
}

static void add_sums(struct adding *adding)
{
    const struct fth_part_process *process = adding->process;
    fth_bytes_varint(&adding->shape, process->sum_count);
    for (size_t i = 0; i < process->sum_count; i++) {
        const struct fth_sum *sum = &process->sums[i];
        fth_bytes_varint(&adding->shape, sum->function);
        fth_bytes_varint(&adding->shape, sum->flags);
        if (fth_row_polls(&adding->part->catalog->rows[sum->function]))
            fth_bytes_varint(adding->facts, sum->calls);
        else
            add_number(adding, (int64_t)sum->calls);
        add_number(adding, (int64_t)sum->errors);
        add_number(adding, (int64_t)sum->bytes_read);
        add_number(adding, (int64_t)sum->bytes_written);
        fth_bytes_varint(adding->facts, sum->time);
        fth_bytes_varint(adding->facts, sum->shortest);
        fth_bytes_varint(adding->facts, sum->longest - sum->shortest);
    }
}

/* ---- sums by path: those of one template together, column by column ---- */

struct path_row {
    uint32_t template, group; /* the group is the first row with this template */
    const struct fth_path_sum *sum;
    struct fth_name name;
};

static int64_t path_number(const struct path_row *row, unsigned column)
{
    const struct fth_path_sum *sum = row->sum;
    if (column < row->name.count)
        return row->name.numbers[column];
    const uint64_t sums[] = {sum->opens, sum->calls, sum->bytes_read, sum->bytes_written};
    return (int64_t)sums[column - row->name.count];
}

static void add_path_column(struct adding *adding, struct path_row *const *rows, uint32_t count,
                            unsigned column)
{
    struct fth_lines lines = {0};
    for (uint32_t i = 0; i < count; i++)
        fth_lines_add(&lines, (struct fth_line){1, i, path_number(rows[i], column), 0});
    bool packed = lines.count > MOST_LINES;
    fth_bytes_varint(&adding->shape, packed ? 0 : lines.count);
    for (uint32_t i = 0; i < lines.count && !packed; i++) {
        add_number(adding, lines.lines[i].count);
        add_number(adding, lines.lines[i].first);
        add_number(adding, lines.lines[i].step);
    }
    free(lines.lines);
    if (!packed)
        return;
    int64_t *numbers = fth_new(count, sizeof *numbers);
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = path_number(rows[i], column);
    fth_plain_put(adding->facts, numbers, count);
    free(numbers);
}

static int by_group(const void *one, const void *other)
{
    const struct path_row *a = *(struct path_row *const *)one,
                          *b = *(struct path_row *const *)other;
    return a->group != b->group ? (a->group < b->group ? -1 : 1) : a < b ? -1 : a > b;
}

/* Groups stand in the order in which the process came to them. */
static void number_groups(const struct fth_part *part, struct path_row *rows, uint32_t count)
{
    uint32_t *first = fth_new(part->strings.count, sizeof *first); /* row + 1 */
    for (uint32_t i = 0; i < count; i++) {
        if (!first[rows[i].template])
            first[rows[i].template] = i + 1;
        rows[i].group = first[rows[i].template];
    }
    free(first);
}

static void add_paths(struct adding *adding)
{
    const struct fth_part_process *process = adding->process;
    uint32_t count = (uint32_t)process->path_count, groups = 0;
    struct path_row *rows = fth_new(count, sizeof *rows), **order = fth_new(count, sizeof *order);
    for (uint32_t i = 0; i < count; i++) {
        size_t length;
        const uint8_t *path = fth_interned(&process->texts, process->paths[i].path, &length);
        order[i] = &rows[i];
        rows[i].sum = &process->paths[i];
        rows[i].template = fth_part_template(adding->part, path, length, false, &rows[i].name);
        size_t template_length;
        fth_name_settle(&rows[i].name,
                        *fth_interned(&adding->part->strings, rows[i].template, &template_length));
    }
    number_groups(adding->part, rows, count);
    if (count)
        qsort(order, count, sizeof(struct path_row *), by_group);
    for (uint32_t i = 0; i < count; i++)
        groups += i == 0 || order[i]->group != order[i - 1]->group;
    fth_bytes_varint(&adding->shape, groups);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && order[end]->group == order[i]->group;)
            fth_bytes_varint(adding->facts, order[end++]->sum->time);
        fth_bytes_varint(&adding->shape, order[i]->template);
        add_number(adding, end - i);
        for (unsigned column = 0; column < order[i]->name.count + 4; column++)
            add_path_column(adding, order + i, end - i, column);
    }
    free(rows);
    free(order);
}

void fth_part_add(struct fth_part *part, const struct fth_part_process *process,
                  struct fth_bytes *facts)
{
    struct fth_bytes plain = {0};
    struct adding adding = {.part = part, .process = process, .facts = &plain};
    fth_apart_find(&adding.apart, part->catalog, process);
    add_identity(&adding);
    add_blocks(&adding);
    fth_bytes_varint(&adding.shape, process->signature_count);
    for (uint32_t i = 0; i < process->signature_count; i++)
        add_signature(&adding, &process->signatures[i]);
    fth_bytes_varint(&adding.shape, process->track_count);
    add_tracks(&adding);
    add_sums(&adding);
    add_paths(&adding);
    fth_counts_put_facts(&process->counts, &plain);
    fth_shapes_add(&part->shapes, adding.shape.data, adding.shape.length, adding.numbers,
                   adding.number_count);
    fth_bytes_put(facts, plain.data, plain.length);
    fth_bytes_free(&plain);
    fth_bytes_free(&adding.shape);
    fth_apart_free(&adding.apart);
    free(adding.numbers);
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
        for (unsigned columns = template_numbers(part, template) + 4; columns; columns--)
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

/* Adding a process to a part: it becomes a shape, a row of numbers, and facts (docs/format.md, SHAP
 * and PROC). */
#include "trace/file/part.h"

#include "base/memory.h"
#include "trace/file/numbers_apart.h"
#include "trace/record/spill.h"

enum { MOST_LINES = 16 }; /* of a column of a process's paths; others are facts */

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
    const int64_t *numbers = fth_name_numbers(adding->process, signature->numbers);
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
        for (unsigned k = literal ? 0 : fth_part_numbers_of(part, (uint32_t)signature->values[i]);
             k; k--)
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
    fth_bytes_varint(adding->facts,
                     process->derives_times + 2u * (unsigned)process->derives_path_times);
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
        if (process->derives_times)
            continue;
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
    fth_lines_free(&lines);
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
        for (end = i; end < count && order[end]->group == order[i]->group; end++)
            if (!process->derives_path_times)
                fth_bytes_varint(adding->facts, order[end]->sum->time);
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

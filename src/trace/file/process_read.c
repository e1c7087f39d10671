/* Reading processes of a part: each is put together again from its shape, its numbers and its
 * facts. What is read may be damaged or malicious: every number is checked against what it counts,
 * before memory is taken for it. */
#include "trace/file/part.h"
#include "trace/file/previous_images.h"
#include "trace/file/unkept_section.h"

#include "base/memory.h"
#include "trace/grammar/rules.h"
#include "trace/record/format.h"
#include "trace/record/spill.h"

#include <inttypes.h>

/* What is kept of a process beside its facts and tracks. There may be as many signatures, and as
 * many paths, as calls. What is not kept is checked all the same, signatures once. */
enum kept { KEEPS_NEITHER, KEEPS_SIGNATURES, KEEPS_PATHS };

struct reading {
    const struct fth_stored_part *part;
    const struct fth_stored_process *stored;
    struct fth_part_process *process;
    const uint8_t *begin; /* of the shape */
    struct fth_view shape, facts;
    struct fth_signatures_end end;
    const int64_t *numbers;
    uint32_t number_count, next;
    enum kept kept;
    size_t value_limit; /* room for values of signatures */
    bool failed;
};

static int64_t next_number(struct reading *reading)
{
    if (reading->next < reading->number_count)
        return reading->numbers[reading->next++];
    reading->failed = true;
    return 0;
}

static int64_t next_number_of(struct reading *reading, bool apart)
{
    return apart ? fth_view_signed(&reading->facts) : next_number(reading);
}

/* The template that the shape names, and its numbers. */
static const int64_t *next_template(struct reading *reading, struct fth_template *template,
                                    uint32_t *string, bool with_numbers)
{
    static const int64_t none;
    uint64_t number = fth_view_varint(&reading->shape);
    *template = (struct fth_template){0};
    if (reading->shape.failed || number >= reading->part->strings.count) {
        reading->failed = true;
        return &none;
    }
    size_t length;
    const uint8_t *bytes = fth_interned(&reading->part->strings, (uint32_t)number, &length);
    fth_template_read(template, bytes, length, NULL);
    *string = (uint32_t)number;
    const int64_t *numbers = reading->numbers + reading->next;
    if (!with_numbers)
        return numbers;
    if (template->count > reading->number_count - reading->next) {
        reading->failed = true;
        template->count = 0;
    }
    reading->next += template->count;
    return numbers;
}

static char *next_text(struct reading *reading)
{
    struct fth_template template;
    struct fth_bytes text = {0};
    uint32_t string;
    const int64_t *numbers = next_template(reading, &template, &string, true);
    if (!reading->failed && template.bytes[0] != FTH_TEMPLATE_NULL)
        fth_name_join(&template, numbers, &text);
    *fth_bytes_room(&text, 1) = 0;
    return (char *)text.data;
}

static void read_shared(struct reading *reading)
{
    struct fth_facts *facts = &reading->process->facts;
    facts->previous = fth_previous_image(reading->part, next_number(reading));
    facts->parent_pid = next_number(reading);
    facts->world = (uint64_t)next_number(reading);
    facts->rank = next_number(reading);
    facts->size = next_number(reading);
    facts->ended = (uint64_t)next_number(reading);
    facts->status = next_number(reading);
    facts->stopped = (uint64_t)next_number(reading);
    facts->alive = next_number(reading) != 0;
    facts->clock_is_monotonic = next_number(reading) != 0;
    facts->clock_error = next_number(reading);
    facts->excluded = (uint64_t)next_number(reading);
    facts->lost = (uint64_t)next_number(reading);
    reading->failed |= facts->clock_error < -1;
    uint64_t texts = fth_view_count(&reading->shape, 1);
    if (texts < 4) {
        reading->failed = true;
        return;
    }
    facts->host = next_text(reading);
    facts->exe = next_text(reading);
    facts->directory = next_text(reading);
    facts->mpi = next_text(reading);
    facts->arguments.items = fth_new(texts - 4, sizeof(char *));
    while (facts->arguments.count < texts - 4)
        facts->arguments.items[facts->arguments.count++] = next_text(reading);
}

static void add_name_number(struct fth_part_process *process, int64_t number)
{
    FTH_GROW(process->name_numbers, process->name_number_count);
    process->name_numbers[process->name_number_count++] = number;
}

/* Room for the values of one more signature. */
static int64_t *more_values(struct fth_part_process *process, size_t *limit)
{
    if (process->value_count + FTH_MOST_VALUES + FTH_VALUES_AT_ONCE > *limit) {
        *limit = 2 * *limit + 16 * FTH_MOST_VALUES;
        process->values = fth_resize(process->values, *limit, sizeof *process->values);
    }
    return process->values + process->value_count;
}

static void read_name(struct reading *reading, bool literal, bool apart, int64_t *value)
{
    struct fth_template template;
    uint32_t string = 0;
    next_template(reading, &template, &string, false);
    *value = string;
    for (unsigned k = 0; k < template.count && !literal && !reading->failed; k++)
        add_name_number(reading->process, next_number_of(reading, apart));
}

static void read_signature(struct reading *reading, struct fth_stored_signature *stored)
{
    struct fth_part_process *process = reading->process;
    uint64_t number = fth_view_varint(&reading->shape), names = fth_view_varint(&reading->shape);
    if (reading->shape.failed || number >= reading->part->signatures.count ||
        process->value_count > UINT32_MAX - FTH_MOST_VALUES) {
        reading->failed = true;
        return;
    }
    const struct fth_known_signature *known = &reading->part->known[number];
    const struct fth_signature *common = &known->signature;
    int64_t *values = more_values(process, &reading->value_limit);
    *stored = (struct fth_stored_signature){common, (uint32_t)process->name_number_count,
                                            (uint32_t)process->value_count};
    for (unsigned i = 0; i < common->count && !reading->failed; i++) {
        bool literal = common->mask >> i & 1, apart = common->apart >> i & 1;
        if (known->names >> i & 1)
            read_name(reading, literal, apart, &values[i]);
        else
            values[i] = literal ? 0 : next_number_of(reading, apart);
    }
    process->value_count += common->count;
    reading->failed |= names != known->name_count;
}

/* One whose numbers all stand in the row is passed at once. NULL: it is not one. */
static const struct fth_known_signature *pass_numbers(struct reading *reading)
{
    struct fth_view ahead = reading->shape;
    uint64_t number = fth_view_varint(&ahead), names = fth_view_varint(&ahead);
    if (ahead.failed || number >= reading->part->signatures.count)
        return NULL;
    const struct fth_known_signature *known = &reading->part->known[number];
    if (known->name_count || names || known->signature.apart ||
        known->own_count > reading->number_count - reading->next)
        return NULL;
    reading->next += known->own_count;
    reading->shape = ahead;
    return known;
}

static void pass_signature(struct reading *reading)
{
    struct fth_stored_signature dropped;
    if (pass_numbers(reading))
        return;
    read_signature(reading, &dropped);
    reading->process->name_number_count = reading->process->value_count = 0;
}

/* One without literal values stays in the row. */
static void keep_signature(struct reading *reading, struct fth_stored_signature *stored)
{
    struct fth_view before = reading->shape;
    uint32_t first = reading->next;
    const struct fth_known_signature *known = reading->process->row ? pass_numbers(reading) : NULL;
    if (known && known->own_count == known->signature.count) {
        *stored = (struct fth_stored_signature){&known->signature, FTH_VALUES_IN_ROW, first};
        return;
    }
    reading->shape = before;
    reading->next = first;
    read_signature(reading, stored);
}

/* To where they end, as who passed them before noted it. */
static void skip_signatures(struct reading *reading, const struct fth_signatures_end *end)
{
    fth_view_bytes(&reading->shape, end->shape - (size_t)(reading->shape.at - reading->begin));
    fth_view_bytes(&reading->facts, fth_view_left(&reading->facts) - end->facts_left);
    reading->next = end->numbers;
}

static void read_signatures(struct reading *reading)
{
    struct fth_part_process *process = reading->process;
    uint64_t count = fth_view_count(&reading->shape, 2);
    const struct fth_signatures_end *end = &reading->stored->signatures_end;
    process->signature_count = (uint32_t)count;
    if (reading->kept != KEEPS_SIGNATURES && end->shape) {
        skip_signatures(reading, end);
        return;
    }
    if (reading->kept == KEEPS_SIGNATURES)
        process->terminals = fth_new_rows(count, sizeof *process->terminals);
    for (uint64_t i = 0; i < count && !reading->failed; i++)
        if (reading->kept == KEEPS_SIGNATURES)
            keep_signature(reading, &process->terminals[i]);
        else
            pass_signature(reading);
    reading->end = (struct fth_signatures_end){(size_t)(reading->shape.at - reading->begin),
                                               fth_view_left(&reading->facts), reading->next};
}

static void read_blocks(struct fth_view *facts, struct fth_part_process *process)
{
    const struct fth_facts *own = &process->facts;
    process->track_count = fth_view_count(facts, 3);
    process->tracks = fth_new(process->track_count, sizeof *process->tracks);
    for (size_t i = 0; i < process->track_count; i++) {
        struct fth_track *track = &process->tracks[i];
        uint64_t base = fth_first_base(own);
        track->thread = fth_view_varint(facts);
        track->tid = (int64_t)((uint64_t)own->pid + (uint64_t)fth_view_signed(facts));
        track->block_count = fth_view_count(facts, 6);
        if (process->facts.times == FTH_TIMES_OF_MEANS) {
            track->means_stored = fth_view_varint(facts);
            track->means_raw = fth_view_varint(facts);
        }
        track->blocks = fth_new(track->block_count, sizeof *track->blocks);
        for (size_t k = 0; k < track->block_count; k++) {
            struct fth_block *block = &track->blocks[k];
            block->base = base += (uint64_t)fth_view_signed(facts);
            block->calls = fth_view_varint(facts);
            uint64_t stored = fth_view_varint(facts), raw = fth_view_varint(facts);
            if (process->facts.times == FTH_TIMES_OF_MEANS) {
                block->gap_weight = stored;
                block->duration_weight = raw;
            } else {
                block->time_stored = stored;
                block->time_raw = raw;
            }
            block->literal_stored = fth_view_varint(facts);
            block->literal_raw = fth_view_varint(facts);
        }
    }
}

static void read_own(struct fth_view *view, struct fth_part_process *process)
{
    struct fth_facts *facts = &process->facts;
    const uint8_t *image = fth_view_bytes(view, sizeof facts->image);
    if (image)
        memcpy(&facts->image, image, sizeof facts->image);
    facts->pid = (int64_t)((facts->image & FTH_IMAGE_PID) + (uint64_t)fth_view_signed(view));
    facts->start_ticks = fth_view_varint(view);
    uint64_t lasted = (uint64_t)fth_view_signed(view);
    facts->last_ticks = facts->start_ticks + lasted;
    facts->rate_ticks = lasted + (uint64_t)fth_view_signed(view);
    facts->rate_ns = fth_view_varint(view);
    facts->quantum = fth_view_varint(view);
    facts->times = fth_view_varint(view);
    if (fth_time_percent(facts->times) > FTH_TIMES_MOST_PERCENT)
        view->failed = true;
    facts->start_realtime = fth_view_signed(view);
    read_blocks(view, process);
}

int fth_facts_read(struct fth_part_process *process, const struct fth_stored_process *stored,
                   struct fth_error **error)
{
    struct fth_view view = fth_view_of(stored->facts, stored->facts_bytes);
    *process = (struct fth_part_process){.frame_bytes = stored->frame_bytes};
    read_own(&view, process);
    return view.failed ? fth_fail(error, "its facts are truncated") : 0;
}

static void read_tracks(struct reading *reading)
{
    struct fth_part_process *process = reading->process;
    if (fth_view_varint(&reading->shape) != process->track_count) {
        reading->failed = true;
        return;
    }
    for (size_t i = 0; i < process->track_count; i++) {
        struct fth_track *track = &process->tracks[i];
        track->piece_count = fth_view_count(&reading->shape, 1);
        track->pieces = fth_new(track->piece_count, sizeof *track->pieces);
        for (size_t k = 0; k < track->piece_count; k++) {
            uint64_t grammar = fth_view_varint(&reading->shape);
            if (grammar >= reading->part->grammars.count ||
                reading->part->grammar_terminals[grammar] > process->signature_count) {
                reading->failed = true;
                return;
            }
            track->pieces[k] = (struct fth_piece){.grammar = (uint32_t)grammar,
                                                  .calls = reading->part->grammar_calls[grammar]};
        }
    }
}

static void read_sum_times(struct reading *reading, struct fth_sum *sum)
{
    sum->time = fth_view_varint(&reading->facts);
    sum->shortest = fth_view_varint(&reading->facts);
    uint64_t more = fth_view_varint(&reading->facts);
    if (more > UINT64_MAX - sum->shortest)
        reading->failed = true;
    sum->longest = sum->shortest + more;
}

static void read_sums(struct reading *reading)
{
    struct fth_part_process *process = reading->process;
    process->sum_count = fth_view_count(&reading->shape, 2);
    uint64_t derives = reading->part->stores_all_times ? 0 : fth_view_varint(&reading->facts);
    process->derives_times = derives & 1;
    process->derives_path_times = derives >> 1 & 1;
    reading->failed |= derives > 3 || (derives && process->facts.times != FTH_TIMES_EXACT) ||
                       (derives > 1 && (!process->derives_times || reading->part->stores_previous));
    process->sums = fth_new(process->sum_count, sizeof *process->sums);
    for (size_t i = 0; i < process->sum_count; i++) {
        struct fth_sum *sum = &process->sums[i];
        uint64_t function = fth_view_varint(&reading->shape),
                 flags = fth_view_varint(&reading->shape);
        if (function >= reading->part->catalog->row_count ||
            !reading->part->catalog->rows[function].name || flags >= FTH_INSIDE_ALL) {
            reading->failed = true;
            return;
        }
        sum->function = (uint32_t)function;
        sum->flags = (uint32_t)flags;
        sum->calls = fth_row_polls(&reading->part->catalog->rows[function])
                         ? fth_view_varint(&reading->facts)
                         : (uint64_t)next_number(reading);
        sum->errors = (uint64_t)next_number(reading);
        sum->bytes_read = (uint64_t)next_number(reading);
        sum->bytes_written = (uint64_t)next_number(reading);
        reading->failed |= __builtin_add_overflow(process->calls, sum->calls, &process->calls);
        if (!process->derives_times)
            read_sum_times(reading, sum);
    }
}

/* A column of `count` numbers, either lines of the shape or packed among the facts. They are only
 * passed if `numbers` is NULL. */
static bool read_path_column(struct reading *reading, int64_t *numbers, uint64_t count)
{
    uint64_t lines = fth_view_varint(&reading->shape), done = 0;
    if (lines == 0) {
        struct fth_packed_column packed;
        if (!fth_plain_read(&packed, &reading->facts, count))
            return false;
        for (uint64_t i = 0; i < count && numbers; i++)
            numbers[i] = fth_plain_at(&packed, i);
        return true;
    }
    for (; lines && !reading->failed; lines--) {
        uint64_t length = (uint64_t)next_number(reading), first = (uint64_t)next_number(reading);
        uint64_t step = (uint64_t)next_number(reading);
        if (length == 0 || length > count - done)
            return false;
        for (uint64_t i = 0; i < length && numbers; i++)
            numbers[done + i] = (int64_t)(first + step * i);
        done += length;
    }
    return done == count;
}

static void set_path_number(struct fth_path_sum *sum, unsigned column, int64_t number)
{
    uint64_t *const sums[] = {&sum->opens, &sum->calls, &sum->bytes_read, &sum->bytes_written};
    *sums[column] = (uint64_t)number;
}

/* Paths of one template, whose numbers stand in columns of `count`. */
static void name_paths(struct fth_part_process *process, const struct fth_template *template,
                       const int64_t *numbers, struct fth_path_sum *sums, uint64_t count)
{
    struct fth_bytes path = {0};
    int64_t *of_row = fth_new(template->count + 1, sizeof *of_row);
    for (uint64_t i = 0; i < count; i++) {
        for (size_t k = 0; k < template->count; k++)
            of_row[k] = numbers[k * count + i];
        path.length = 0;
        if (template->bytes[0] != FTH_TEMPLATE_NULL)
            fth_name_join(template, of_row, &path);
        sums[i].path = fth_intern(&process->texts, path.data, path.length);
    }
    free(of_row);
    fth_bytes_free(&path);
}

static void keep_path_group(struct reading *reading, const struct fth_template *template,
                            uint64_t count)
{
    struct fth_part_process *process = reading->process;
    size_t first = process->path_count, names = template->count;
    process->paths = fth_resize(process->paths, first + count, sizeof *process->paths);
    process->path_count += count;
    struct fth_path_sum *sums = process->paths + first;
    for (uint64_t i = 0; i < count; i++)
        sums[i] = (struct fth_path_sum){
            .time = process->derives_path_times ? 0 : fth_view_varint(&reading->facts)};
    int64_t *numbers = fth_new(count * (names + 1), sizeof *numbers);
    for (size_t column = 0; column < names + 4 && !reading->failed; column++) {
        int64_t *to = numbers + (column < names ? column : names) * count;
        if (!read_path_column(reading, to, count))
            reading->failed = true;
        for (uint64_t i = 0; i < count && column >= names; i++)
            set_path_number(&sums[i], (unsigned)(column - names), to[i]);
    }
    if (!reading->failed)
        name_paths(process, template, numbers, sums, count);
    free(numbers);
}

static void pass_path_group(struct reading *reading, const struct fth_template *template,
                            uint64_t count)
{
    for (uint64_t i = 0; i < count && !reading->process->derives_path_times; i++)
        fth_view_varint(&reading->facts);
    for (size_t column = 0; column < template->count + 4u && !reading->failed; column++)
        if (!read_path_column(reading, NULL, count))
            reading->failed = true;
}

/* No more than times that are stored, or calls that give them. */
static bool may_have_paths(const struct reading *reading, uint64_t count)
{
    const struct fth_part_process *process = reading->process;
    uint64_t most = process->derives_path_times
                        ? process->sum_count * FTH_MOST_CALLS_DERIVED - process->path_count
                        : fth_view_left(&reading->facts);
    return count && count <= most;
}

static void read_path_group(struct reading *reading)
{
    struct fth_template template;
    uint32_t string;
    next_template(reading, &template, &string, false);
    uint64_t count = (uint64_t)next_number(reading);
    if (reading->failed || !may_have_paths(reading, count))
        reading->failed = true;
    else if (reading->kept == KEEPS_PATHS)
        keep_path_group(reading, &template, count);
    else
        pass_path_group(reading, &template, count);
}

static void read_paths(struct reading *reading)
{
    uint64_t groups = fth_view_count(&reading->shape, 5);
    for (; groups && !reading->failed; groups--)
        read_path_group(reading);
}

/* ---- checks ---- */

/* Are its columns no larger than those of so many calls of so many functions can be? `left`: bytes
 * of frames from it on. */
static bool is_block(const struct fth_block *block, uint64_t functions, uint64_t left)
{
    uint64_t columns = (functions < block->calls ? functions : block->calls) * FTH_LITERAL_VALUES;
    return block->calls && block->calls <= FTH_BLOCK_CALLS && block->time_stored <= left &&
           block->literal_stored <= left - block->time_stored &&
           block->time_raw <= block->calls * FTH_TIMES_MOST_RAW + 64 &&
           (block->time_raw == 0) == (block->time_stored == 0) &&
           block->literal_raw <=
               block->calls * FTH_LITERAL_VALUES * 8 + columns * 7 * FTH_VARINT_MAX &&
           (block->literal_raw == 0) == (block->literal_stored == 0);
}

static int check_track(const struct fth_stored_part *part, const struct fth_track *track,
                       bool means, uint64_t frame_bytes, uint64_t *calls, uint64_t *bytes,
                       struct fth_error **error)
{
    uint64_t in_pieces = 0, in_blocks = 0;
    if (track->thread > UINT32_MAX)
        return fth_fail(error, "its thread has the number %" PRIu64, track->thread);
    for (size_t i = 0; i < track->block_count; i++) {
        const struct fth_block *block = &track->blocks[i];
        if (!is_block(block, part->catalog->row_count, frame_bytes - *bytes))
            return fth_fail(error, "block %zu is damaged", i);
        if ((block->time_raw == 0) != means)
            return fth_fail(error, "block %zu has no times", i);
        *bytes += block->time_stored + block->literal_stored;
        in_blocks += block->calls;
    }
    for (size_t i = 0; i < track->piece_count; i++) {
        if (track->pieces[i].calls == 0 || track->pieces[i].calls > in_blocks - in_pieces)
            return fth_fail(error, "piece %zu does not fit its blocks", i);
        in_pieces += track->pieces[i].calls;
    }
    if (in_pieces != in_blocks)
        return fth_fail(error, "it has %" PRIu64 " calls but times of %" PRIu64, in_pieces,
                        in_blocks);
    if (track->means_stored > frame_bytes - *bytes ||
        track->means_raw > FTH_SECTION_MOST_RAW(track->means_stored))
        return fth_fail(error, "its means of times are damaged");
    *bytes += track->means_stored;
    *calls += in_blocks;
    return 0;
}

static int check_process(const struct fth_stored_part *part, const struct fth_part_process *process,
                         struct fth_error **error)
{
    uint64_t calls = 0, bytes = 0;
    if (!process->facts.quantum || !process->facts.rate_ticks || !process->facts.rate_ns)
        return fth_fail(error, "its clock has no rate");
    for (size_t i = 0; i < process->track_count; i++)
        if (check_track(part, &process->tracks[i], process->facts.times == FTH_TIMES_OF_MEANS,
                        process->frame_bytes, &calls, &bytes, error))
            return fth_fail_in(error, "track %zu", i);
    const struct fth_unkept *summed =
        part->summed ? fth_unkept_of(part->summed, process->facts.image) : NULL;
    if (process->calls > calls + (summed ? summed->calls : 0))
        return fth_fail(error, "it has %" PRIu64 " calls, not %" PRIu64, calls, process->calls);
    if (bytes != process->frame_bytes)
        return fth_fail(error, "its blocks have %" PRIu64 " bytes instead of %" PRIu64,
                        process->frame_bytes, bytes);
    return 0;
}

static int read_process(struct reading *reading, struct fth_error **error)
{
    read_own(&reading->facts, reading->process);
    read_shared(reading);
    if (!reading->failed)
        read_signatures(reading);
    if (!reading->failed)
        read_tracks(reading);
    if (!reading->failed)
        read_sums(reading);
    if (!reading->failed)
        read_paths(reading);
    if (!reading->failed)
        reading->failed = !fth_counts_read(reading->part, reading->process, &reading->facts);
    if (reading->failed || reading->shape.failed || reading->facts.failed ||
        reading->shape.at != reading->shape.end || reading->facts.at != reading->facts.end ||
        reading->next != reading->number_count)
        return fth_fail(error, "its shape, its numbers and its facts do not match");
    return check_process(reading->part, reading->process, error);
}

/* `end`: where the signatures end; or NULL. */
static int read_stored(const struct fth_stored_part *part, uint32_t index, enum kept kept,
                       struct fth_part_process *process, struct fth_signatures_end *end,
                       struct fth_error **error)
{
    const struct fth_stored_process *stored = &part->processes[index];
    const struct fth_read_shape *shape = &part->shapes.shapes[part->shapes.shape_of[index]];
    *process = (struct fth_part_process){.frame_bytes = stored->frame_bytes};
    struct reading reading = {.part = part,
                              .stored = stored,
                              .process = process,
                              .begin = shape->bytes,
                              .shape = fth_view_of(shape->bytes, shape->length),
                              .facts = fth_view_of(stored->facts, stored->facts_bytes),
                              .number_count = shape->column_count,
                              .kept = kept};
    int64_t *own = NULL;
    reading.numbers = process->row = fth_shape_row(&part->shapes, index);
    if (!reading.numbers) {
        reading.numbers = own = fth_new(shape->column_count + 1, sizeof *own);
        fth_shape_numbers(&part->shapes, index, own);
    }
    int status = read_process(&reading, error);
    free(own);
    if (status == 0 && end)
        *end = reading.end;
    if (status == 0)
        return 0;
    fth_part_process_free(process);
    return fth_fail_in(error, "process %" PRIu32, index);
}

int fth_stored_part_process(const struct fth_stored_part *part, uint32_t index,
                            struct fth_part_process *process, struct fth_error **error)
{
    return read_stored(part, index, KEEPS_SIGNATURES, process, NULL, error);
}

int fth_stored_part_stored_sums(const struct fth_stored_part *part, uint32_t index,
                                struct fth_part_process *process, struct fth_error **error)
{
    int status = read_stored(part, index, KEEPS_PATHS, process, NULL, error);
    process->signature_count = 0;
    return status;
}

int fth_stored_part_facts(struct fth_stored_part *part, uint32_t index,
                          struct fth_part_process *process, struct fth_error **error)
{
    int status = read_stored(part, index, KEEPS_NEITHER, process,
                             &part->processes[index].signatures_end, error);
    process->signature_count = 0;
    return status;
}

/* Parts in memory and as bytes. */
#include "trace/part.h"

#include "base/memory.h"
#include "catalog/values.h"
#include "trace/expand.h"
#include "trace/format.h"
#include "trace/spill.h"

#include <inttypes.h>

void fth_part_init(struct fth_part *part, const struct fth_catalog *catalog)
{
    *part = (struct fth_part){.catalog = catalog};
    fth_intern(&part->strings, FTH_NULL_STRING, sizeof FTH_NULL_STRING - 1);
}

static void free_facts(struct fth_facts *facts)
{
    free(facts->host);
    free(facts->exe);
    free(facts->directory);
    free(facts->mpi);
    for (size_t i = 0; i < facts->arguments.count; i++)
        free(facts->arguments.items[i]);
    free(facts->arguments.items);
}

void fth_part_free(struct fth_part *part)
{
    fth_intern_free(&part->strings);
    fth_intern_free(&part->signatures);
    fth_intern_free(&part->grammars);
    for (size_t i = 0; i < part->process_count; i++) {
        struct fth_part_process *process = &part->processes[i];
        free_facts(&process->facts);
        for (size_t k = 0; k < process->track_count; k++) {
            free(process->tracks[k].pieces);
            free(process->tracks[k].blocks);
        }
        free(process->tracks);
        free(process->sums);
        free(process->paths);
    }
    free(part->processes);
    *part = (struct fth_part){0};
}

/* ---- signatures ---- */

static bool names_string(enum fth_value_part part)
{
    return part == FTH_PART_TEXT || part == FTH_PART_TEXTS || part == FTH_PART_LIST;
}

bool fth_signature_read(const struct fth_catalog *catalog, const uint8_t *bytes, size_t length,
                        struct fth_signature *signature)
{
    struct fth_view view = fth_view_of(bytes, length);
    uint64_t function = fth_view_varint(&view), depth = fth_view_varint(&view);
    uint64_t flags = fth_view_varint(&view), mask = fth_view_varint(&view);
    if (view.failed || function >= catalog->row_count || !catalog->rows[function].name || depth > 255 || flags > 255 || mask >> 31)
        return false;
    struct fth_value_plan plan[FTH_MOST_VALUES];
    int count = fth_plan_values(catalog, &catalog->rows[function], plan);
    if (count < 0 || mask >> count)
        return false;
    *signature = (struct fth_signature){(uint32_t)function, (uint32_t)depth, (uint32_t)flags,
                                        (uint32_t)mask, (unsigned)count, {0}};
    for (int i = 0; i < count; i++)
        if (mask >> i & 1) {
            if (names_string(plan[i].part))
                return false;
        } else {
            signature->values[i] = fth_view_signed(&view);
        }
    return !view.failed && view.at == view.end;
}

uint32_t fth_part_add_signature(struct fth_part *part, const struct fth_signature *signature)
{
    uint8_t bytes[(FTH_MOST_VALUES + 4) * FTH_VARINT_MAX], *to = bytes;
    to = fth_put_varint(to, signature->function);
    to = fth_put_varint(to, signature->depth);
    to = fth_put_varint(to, signature->flags);
    to = fth_put_varint(to, signature->mask);
    for (unsigned i = 0; i < signature->count; i++)
        if (!(signature->mask >> i & 1))
            to = fth_put_varint(to, fth_zigzag(signature->values[i]));
    return fth_intern(&part->signatures, bytes, (size_t)(to - bytes));
}

/* ---- absorbing ---- */

static uint32_t *map_strings(struct fth_part *into, const struct fth_part *from)
{
    uint32_t *map = fth_new(from->strings.count, sizeof *map);
    for (uint32_t i = 0; i < from->strings.count; i++) {
        size_t length;
        const uint8_t *bytes = fth_interned(&from->strings, i, &length);
        map[i] = fth_intern(&into->strings, bytes, length);
    }
    return map;
}

static void map_values(const struct fth_catalog *catalog, struct fth_signature *signature,
                       const uint32_t *strings)
{
    struct fth_value_plan plan[FTH_MOST_VALUES];
    int count = fth_plan_values(catalog, &catalog->rows[signature->function], plan);
    for (int i = 0; i < count; i++)
        if (names_string(plan[i].part) && signature->values[i] > 0)
            signature->values[i] = strings[signature->values[i]];
}

static uint32_t *map_signatures(struct fth_part *into, const struct fth_part *from, const uint32_t *strings)
{
    uint32_t *map = fth_new(from->signatures.count, sizeof *map);
    for (uint32_t i = 0; i < from->signatures.count; i++) {
        size_t length;
        struct fth_signature signature;
        const uint8_t *bytes = fth_interned(&from->signatures, i, &length);
        fth_signature_read(from->catalog, bytes, length, &signature);
        map_values(from->catalog, &signature, strings);
        map[i] = fth_part_add_signature(into, &signature);
    }
    return map;
}

static uint32_t *map_grammars(struct fth_part *into, const struct fth_part *from, const uint32_t *signatures)
{
    uint32_t *map = fth_new(from->grammars.count, sizeof *map);
    struct fth_bytes renumbered = {0};
    for (uint32_t i = 0; i < from->grammars.count; i++) {
        size_t length;
        const uint8_t *bytes = fth_interned(&from->grammars, i, &length);
        renumbered.length = 0;
        fth_grammar_renumber(bytes, length, signatures, from->signatures.count, &renumbered);
        map[i] = fth_intern(&into->grammars, renumbered.data, renumbered.length);
    }
    fth_bytes_free(&renumbered);
    return map;
}

void fth_part_absorb(struct fth_part *into, struct fth_part *from)
{
    uint32_t *strings = map_strings(into, from);
    uint32_t *signatures = map_signatures(into, from, strings);
    uint32_t *grammars = map_grammars(into, from, signatures);
    for (size_t i = 0; i < from->process_count; i++) {
        struct fth_part_process *process = &from->processes[i];
        for (size_t k = 0; k < process->track_count; k++)
            for (size_t j = 0; j < process->tracks[k].piece_count; j++)
                process->tracks[k].pieces[j].grammar = grammars[process->tracks[k].pieces[j].grammar];
        for (size_t k = 0; k < process->path_count; k++)
            process->paths[k].path = strings[process->paths[k].path];
        FTH_GROW(into->processes, into->process_count);
        into->processes[into->process_count++] = *process;
    }
    free(strings);
    free(signatures);
    free(grammars);
    from->process_count = 0;
    fth_part_free(from);
}

/* ---- grammars ---- */

bool fth_grammar_renumber(const uint8_t *bytes, size_t length, const uint32_t *map, uint32_t count,
                          struct fth_bytes *to)
{
    struct fth_view view = fth_view_of(bytes, length);
    uint64_t rules = fth_view_count(&view, 1);
    fth_bytes_varint(to, rules);
    while (rules-- && !view.failed) {
        uint64_t runs = fth_view_count(&view, 2);
        fth_bytes_varint(to, runs);
        while (runs-- && !view.failed) {
            uint64_t symbol = fth_view_varint(&view), times = fth_view_varint(&view);
            if (!(symbol & 1)) {
                if (symbol >> 1 >= count)
                    return false;
                symbol = (uint64_t)map[symbol >> 1] << 1;
            }
            fth_bytes_varint(to, symbol);
            fth_bytes_varint(to, times);
        }
    }
    return !view.failed && view.at == view.end;
}

/* ---- bytes ---- */

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
            return fth_fail(error, "%s %" PRIu64 " stands there twice", what, i);
    }
    if (view.failed || view.at != view.end)
        return fth_fail(error, "the list of %ss is cut or too long", what);
    return 0;
}

static void put_text(struct fth_bytes *to, const char *text)
{
    fth_bytes_text(to, text ? text : "", text ? strlen(text) : 0);
}

static char *get_text(struct fth_view *view)
{
    uint64_t length = fth_view_varint(view);
    const uint8_t *bytes = fth_view_bytes(view, length);
    char *text = fth_new(1, bytes ? length + 1 : 1);
    if (bytes)
        memcpy(text, bytes, length);
    return text;
}

static void put_facts(struct fth_bytes *to, const struct fth_facts *facts)
{
    const uint64_t numbers[] = {facts->image,      facts->previous, facts->world,   (uint64_t)facts->pid,
                                (uint64_t)facts->parent_pid, facts->start_ticks, facts->last_ticks,
                                facts->rate_ticks, facts->rate_ns,  facts->quantum, facts->ended,
                                facts->excluded,   facts->lost,     facts->stopped, facts->alive};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fth_bytes_varint(to, numbers[i]);
    fth_bytes_signed(to, facts->rank);
    fth_bytes_signed(to, facts->size);
    fth_bytes_signed(to, facts->status);
    fth_bytes_signed(to, facts->start_realtime);
    put_text(to, facts->host);
    put_text(to, facts->exe);
    put_text(to, facts->directory);
    put_text(to, facts->mpi);
    fth_bytes_varint(to, facts->arguments.count);
    for (size_t i = 0; i < facts->arguments.count; i++)
        put_text(to, facts->arguments.items[i]);
}

static void get_facts(struct fth_view *view, struct fth_facts *facts)
{
    uint64_t numbers[15];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        numbers[i] = fth_view_varint(view);
    *facts = (struct fth_facts){
        .image = numbers[0], .previous = numbers[1], .world = numbers[2], .pid = (int64_t)numbers[3],
        .parent_pid = (int64_t)numbers[4], .start_ticks = numbers[5], .last_ticks = numbers[6],
        .rate_ticks = numbers[7], .rate_ns = numbers[8], .quantum = numbers[9], .ended = numbers[10],
        .excluded = numbers[11], .lost = numbers[12], .stopped = numbers[13], .alive = numbers[14] != 0};
    facts->rank = fth_view_signed(view);
    facts->size = fth_view_signed(view);
    facts->status = fth_view_signed(view);
    facts->start_realtime = fth_view_signed(view);
    facts->host = get_text(view);
    facts->exe = get_text(view);
    facts->directory = get_text(view);
    facts->mpi = get_text(view);
    uint64_t count = fth_view_count(view, 1);
    facts->arguments.items = fth_new(count, sizeof(char *));
    facts->arguments.count = count;
    for (uint64_t i = 0; i < count; i++)
        facts->arguments.items[i] = get_text(view);
}

/* The number of something of which there are less than 2^32. */
static uint32_t get_number(struct fth_view *view)
{
    uint64_t number = fth_view_varint(view);
    if (number >= UINT32_MAX)
        view->failed = true;
    return (uint32_t)number;
}

static void put_track(struct fth_bytes *to, const struct fth_track *track)
{
    fth_bytes_varint(to, track->thread);
    fth_bytes_signed(to, track->tid);
    fth_bytes_varint(to, track->piece_count);
    for (size_t i = 0; i < track->piece_count; i++) {
        fth_bytes_varint(to, track->pieces[i].grammar);
        fth_bytes_varint(to, track->pieces[i].calls);
    }
    fth_bytes_varint(to, track->block_count);
    for (size_t i = 0; i < track->block_count; i++) {
        const struct fth_block *block = &track->blocks[i];
        fth_bytes_varint(to, block->calls);
        fth_bytes_varint(to, block->base);
        fth_bytes_varint(to, block->time_stored);
        fth_bytes_varint(to, block->time_raw);
        fth_bytes_varint(to, block->literal_stored);
        fth_bytes_varint(to, block->literal_raw);
    }
}

static void get_track(struct fth_view *view, struct fth_track *track)
{
    track->thread = fth_view_varint(view);
    track->tid = fth_view_signed(view);
    track->piece_count = fth_view_count(view, 2);
    track->pieces = fth_new(track->piece_count, sizeof *track->pieces);
    for (size_t i = 0; i < track->piece_count; i++) {
        track->pieces[i].grammar = get_number(view);
        track->pieces[i].calls = fth_view_varint(view);
    }
    track->block_count = fth_view_count(view, 6);
    track->blocks = fth_new(track->block_count, sizeof *track->blocks);
    for (size_t i = 0; i < track->block_count; i++) {
        struct fth_block *block = &track->blocks[i];
        block->calls = fth_view_varint(view);
        block->base = fth_view_varint(view);
        block->time_stored = fth_view_varint(view);
        block->time_raw = fth_view_varint(view);
        block->literal_stored = fth_view_varint(view);
        block->literal_raw = fth_view_varint(view);
    }
}

static void put_sums(struct fth_bytes *to, const struct fth_part_process *process)
{
    fth_bytes_varint(to, process->sum_count);
    for (size_t i = 0; i < process->sum_count; i++) {
        const struct fth_sum *sum = &process->sums[i];
        const uint64_t numbers[] = {sum->function, sum->flags,         sum->calls, sum->errors,
                                    sum->bytes_read, sum->bytes_written, sum->time};
        for (size_t k = 0; k < 7; k++)
            fth_bytes_varint(to, numbers[k]);
    }
    fth_bytes_varint(to, process->path_count);
    for (size_t i = 0; i < process->path_count; i++) {
        const struct fth_path_sum *sum = &process->paths[i];
        const uint64_t numbers[] = {sum->path,       sum->opens,         sum->calls,
                                    sum->bytes_read, sum->bytes_written, sum->time};
        for (size_t k = 0; k < 6; k++)
            fth_bytes_varint(to, numbers[k]);
    }
}

static void get_sums(struct fth_view *view, struct fth_part_process *process)
{
    process->sum_count = fth_view_count(view, 7);
    process->sums = fth_new(process->sum_count, sizeof *process->sums);
    for (size_t i = 0; i < process->sum_count; i++) {
        struct fth_sum *sum = &process->sums[i];
        sum->function = get_number(view);
        sum->flags = get_number(view);
        sum->calls = fth_view_varint(view);
        sum->errors = fth_view_varint(view);
        sum->bytes_read = fth_view_varint(view);
        sum->bytes_written = fth_view_varint(view);
        sum->time = fth_view_varint(view);
    }
    process->path_count = fth_view_count(view, 6);
    process->paths = fth_new(process->path_count, sizeof *process->paths);
    for (size_t i = 0; i < process->path_count; i++) {
        struct fth_path_sum *sum = &process->paths[i];
        sum->path = get_number(view);
        sum->opens = fth_view_varint(view);
        sum->calls = fth_view_varint(view);
        sum->bytes_read = fth_view_varint(view);
        sum->bytes_written = fth_view_varint(view);
        sum->time = fth_view_varint(view);
    }
}

void fth_part_write_processes(const struct fth_part *part, struct fth_bytes *to)
{
    fth_bytes_varint(to, part->process_count);
    for (size_t i = 0; i < part->process_count; i++) {
        const struct fth_part_process *process = &part->processes[i];
        struct fth_bytes one = {0};
        put_facts(&one, &process->facts);
        fth_bytes_varint(&one, process->calls);
        fth_bytes_varint(&one, process->blocks_bytes);
        fth_bytes_varint(&one, process->track_count);
        for (size_t k = 0; k < process->track_count; k++)
            put_track(&one, &process->tracks[k]);
        put_sums(&one, process);
        fth_bytes_text(to, one.data, one.length);
        fth_bytes_free(&one);
    }
}

int fth_part_read_processes(struct fth_part *part, const void *bytes, size_t length, struct fth_error **error)
{
    struct fth_view all = fth_view_of(bytes, length);
    uint64_t count = fth_view_count(&all, 32);
    part->processes = fth_new(count, sizeof *part->processes);
    for (uint64_t i = 0; i < count && !all.failed; i++) {
        struct fth_part_process *process = &part->processes[part->process_count++];
        uint64_t size = fth_view_varint(&all);
        const uint8_t *one = fth_view_bytes(&all, size);
        if (!one)
            break;
        struct fth_view view = fth_view_of(one, size);
        get_facts(&view, &process->facts);
        process->calls = fth_view_varint(&view);
        process->blocks_bytes = fth_view_varint(&view);
        process->track_count = fth_view_count(&view, 4);
        process->tracks = fth_new(process->track_count, sizeof *process->tracks);
        for (size_t k = 0; k < process->track_count; k++)
            get_track(&view, &process->tracks[k]);
        get_sums(&view, process);
        if (view.failed || view.at != view.end)
            return fth_fail(error, "process %" PRIu64 " is cut or too long", i);
    }
    if (all.failed || all.at != all.end)
        return fth_fail(error, "the list of processes is cut or too long");
    return 0;
}

/* ---- checks ---- */

static int check_signatures(const struct fth_part *part, struct fth_error **error)
{
    for (uint32_t i = 0; i < part->signatures.count; i++) {
        size_t length;
        struct fth_signature signature;
        struct fth_value_plan plan[FTH_MOST_VALUES];
        const uint8_t *bytes = fth_interned(&part->signatures, i, &length);
        if (!fth_signature_read(part->catalog, bytes, length, &signature))
            return fth_fail(error, "signature %u is damaged", i);
        fth_plan_values(part->catalog, &part->catalog->rows[signature.function], plan);
        for (unsigned k = 0; k < signature.count; k++)
            if (names_string(plan[k].part) && !FTH_IS_FAILURE(signature.values[k]) &&
                (signature.values[k] < 0 || signature.values[k] >= part->strings.count))
                return fth_fail(error, "signature %u names string %" PRId64 " of %u", i, signature.values[k],
                                part->strings.count);
    }
    return 0;
}

/* Are its columns no larger than those of so many calls of so many functions can be? `left`: bytes of BLKS from it on. */
static bool is_block(const struct fth_block *block, uint64_t functions, uint64_t left)
{
    uint64_t columns = (functions < block->calls ? functions : block->calls) * FTH_MOST_VALUES;
    return block->calls && block->calls <= FTH_BLOCK_CALLS && block->time_stored <= left &&
           block->literal_stored <= left - block->time_stored && block->time_raw >= 2 * block->calls &&
           block->time_raw <= (2 * block->calls + 1) * FTH_VARINT_MAX &&
           block->literal_raw <= block->calls * FTH_MOST_VALUES * 8 + columns * 7 * FTH_VARINT_MAX &&
           (block->literal_raw == 0) == (block->literal_stored == 0);
}

/* Adds up the calls of a track, and the bytes of its blocks. */
static int check_track(const struct fth_part *part, const struct fth_track *track, const uint64_t *grammar_calls,
                       uint64_t blocks_bytes, uint64_t *calls, uint64_t *bytes, struct fth_error **error)
{
    uint64_t in_pieces = 0, in_blocks = 0;
    if (track->thread > UINT32_MAX)
        return fth_fail(error, "its thread has the number %" PRIu64, track->thread);
    for (size_t i = 0; i < track->block_count; i++) {
        const struct fth_block *block = &track->blocks[i];
        if (!is_block(block, part->catalog->row_count, blocks_bytes - *bytes))
            return fth_fail(error, "block %zu is damaged", i);
        *bytes += block->time_stored + block->literal_stored;
        in_blocks += block->calls;
    }
    for (size_t i = 0; i < track->piece_count; i++) {
        const struct fth_piece *piece = &track->pieces[i];
        if (piece->grammar >= part->grammars.count || piece->calls == 0 || piece->calls > in_blocks - in_pieces ||
            grammar_calls[piece->grammar] != piece->calls)
            return fth_fail(error, "piece %zu does not fit its grammar or its blocks", i);
        in_pieces += piece->calls;
    }
    if (in_pieces != in_blocks)
        return fth_fail(error, "it has %" PRIu64 " calls but times of %" PRIu64, in_pieces, in_blocks);
    *calls += in_blocks;
    return 0;
}

static int check_process(const struct fth_part *part, const struct fth_part_process *process,
                         const uint64_t *grammar_calls, struct fth_error **error)
{
    uint64_t calls = 0, bytes = 0;
    if (!process->facts.quantum || !process->facts.rate_ticks || !process->facts.rate_ns)
        return fth_fail(error, "its clock stands still");
    for (size_t i = 0; i < process->track_count; i++)
        if (check_track(part, &process->tracks[i], grammar_calls, process->blocks_bytes, &calls, &bytes, error))
            return fth_fail_in(error, "track %zu", i);
    if (process->calls > calls)
        return fth_fail(error, "it has %" PRIu64 " calls, not %" PRIu64, calls, process->calls);
    for (size_t i = 0; i < process->sum_count; i++)
        if (process->sums[i].function >= part->catalog->row_count ||
            !part->catalog->rows[process->sums[i].function].name || process->sums[i].flags >= FTH_INSIDE_ALL)
            return fth_fail(error, "sum %zu names an unknown function", i);
    for (size_t i = 0; i < process->path_count; i++)
        if (process->paths[i].path >= part->strings.count)
            return fth_fail(error, "sum %zu names an unknown path", i);
    if (bytes != process->blocks_bytes)
        return fth_fail(error, "its blocks have %" PRIu64 " bytes instead of %" PRIu64, process->blocks_bytes,
                        bytes);
    return 0;
}

int fth_part_check(const struct fth_part *part, struct fth_error **error)
{
    if (check_signatures(part, error))
        return -1;
    uint64_t *grammar_calls = fth_new(part->grammars.count, sizeof *grammar_calls);
    int status = 0;
    for (uint32_t i = 0; i < part->grammars.count && status == 0; i++) {
        size_t length;
        const uint8_t *bytes = fth_interned(&part->grammars, i, &length);
        struct fth_rules *rules = fth_rules_read(bytes, length, part->signatures.count, error);
        if (!rules)
            status = fth_fail_in(error, "grammar %u", i);
        else
            grammar_calls[i] = fth_rules_length(rules);
        fth_rules_free(rules);
    }
    for (size_t i = 0; i < part->process_count && status == 0; i++)
        if (check_process(part, &part->processes[i], grammar_calls, error))
            status = fth_fail_in(error, "process %zu", i);
    free(grammar_calls);
    return status;
}

/* Any bytes are either a trace that can be read to its end or an error. For libFuzzer; the test fuzz.trace builds and runs it.
 *
 * A trace is full of checksums and compressed, which random changes of its bytes never get past. So the mutator here takes a trace
 * apart, changes something inside (a section's bytes, a number in them, a head, the columns of a block) and puts it together again.
 */
#include "base/memory.h"
#include "fathom/access.h"
#include "fathom/files.h"
#include "fathom/samples.h"
#include "fathom/trace.h"
#include "trace/columns.h"
#include "trace/container.h"

#define XXH_INLINE_ALL
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

enum { MOST_SECTIONS = 64, MOST_RAW = 1 << 20, MOST_CALLS = 100000 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t length, size_t most);

/* ---- reading ---- */

static volatile uint64_t looked_at; /* so that nothing is optimised away, and every byte is read */

static void look_at_text(const char *text)
{
    for (; text && *text; text++)
        looked_at += (unsigned char)*text;
}

static void look_at_value(const struct fth_value *value)
{
    looked_at += (uint64_t)value->integer;
    look_at_text(value->text);
    for (size_t i = 0; i < value->count; i++)
        if (value->type == FTH_VALUE_INTEGERS)
            looked_at += (uint64_t)value->integers[i];
        else
            look_at_text(value->texts[i]);
}

static void look_at_call(const struct fth_call *call)
{
    look_at_text(call->file);
    look_at_value(&call->result);
    looked_at += (uint64_t)(call->end - call->start) + call->bytes;
    for (size_t i = 0; i < call->function->parameter_count; i++)
        look_at_value(&call->arguments[i]);
}

static void look_at_sums(struct fth_trace *trace, size_t proc)
{
    const struct fth_function_sum *functions;
    const struct fth_file_sum *files;
    size_t count;
    if (!fth_trace_function_sums(trace, proc, &functions, &count,
                                 NULL)) /* it was read when the trace was opened */
        abort();
    for (size_t i = 0; i < count; i++)
        looked_at += functions[i].calls + (uint64_t)functions[i].time;
    if (!fth_trace_file_sums(trace, proc, &files, &count, NULL))
        abort();
    for (size_t i = 0; i < count; i++)
        look_at_text(files[i].path);
}

static void look_at_costs(struct fth_trace *trace)
{
    struct fth_function_cost *costs;
    struct fth_error *error = NULL;
    size_t count;
    if (!fth_trace_function_costs(trace, &costs, &count, &error) && !error)
        abort();
    for (size_t i = 0; i < count; i++)
        looked_at += costs[i].calls + costs[i].literal_bytes;
    free(costs);
    fth_error_free(error);
}

static void look_at_durations(struct fth_trace *trace, size_t proc)
{
    const struct fth_function_sum *rows;
    struct fth_durations durations;
    struct fth_error *error = NULL;
    size_t count;
    if (!fth_trace_function_sums(trace, proc, &rows, &count, NULL))
        abort();
    if (!count)
        return;
    if (fth_trace_durations(trace, proc, rows->function, &durations, &error) != !error)
        abort();
    looked_at += durations.calls[0] + (uint64_t)durations.edges[1];
    fth_error_free(error);
}

static void look_at_file_systems(const struct fth_trace *trace)
{
    for (size_t i = 0; i < fth_trace_file_system_count(trace); i++) {
        const struct fth_file_system *system = fth_trace_file_system(trace, i);
        struct fth_file file;
        look_at_text(system->host);
        look_at_text(system->type);
        look_at_text(system->source);
        if (i < 8 && fth_trace_process_count(trace) &&
            fth_trace_file(trace, 0, system->mount, &file))
            look_at_text(file.system->mount);
    }
}

static void look_at_samples(const struct fth_trace *trace)
{
    uint64_t left = MOST_CALLS;
    for (size_t i = 0; i < fth_trace_sampling_count(trace); i++) {
        const struct fth_sampling_info *sampling = fth_trace_sampling(trace, i);
        look_at_text(sampling->host);
        for (size_t k = 0; k < sampling->note_count; k++)
            look_at_text(sampling->notes[k]);
    }
    for (size_t i = 0; i < fth_trace_counter_count(trace) && left; i++) {
        const struct fth_counter *counter = fth_trace_counter(trace, i);
        struct fth_samples_reader *reader = fth_samples_open(trace, i);
        struct fth_sample sample;
        look_at_text(counter->name);
        look_at_text(counter->instance);
        for (; left && fth_samples_next(reader, &sample); left--)
            looked_at += (uint64_t)(sample.end - sample.start) + (sample.most > sample.mean);
        fth_samples_close(reader);
    }
}

/* From the middle on. */
static void look_from(struct fth_trace *trace, size_t proc, int64_t time, uint64_t *calls_left)
{
    struct fth_error *error = NULL;
    struct fth_calls *calls = fth_calls_from(trace, proc, time, &error);
    struct fth_call call;
    for (int i = 0; i < 1000 && *calls_left && fth_calls_next(calls, &call, &error) > 0; i++)
        look_at_call(&call);
    fth_error_free(error);
    fth_calls_close(calls);
}

/* A ring of parents would have no end. */
static void look_at_handles(struct fth_calls *calls, const struct fth_call *call)
{
    const struct fth_handle *ended;
    for (size_t i = 0; i < call->use_count; i++)
        for (const struct fth_handle *at = call->uses[i].handle; at; at = at->parent) {
            look_at_text(at->path);
            look_at_text(at->name);
            looked_at += at->number + (at->group ? at->group->number : 0);
        }
    while ((ended = fth_calls_ended_handle(calls)))
        looked_at += ended->calls;
}

static void look_at_datatype(const struct fth_datatype *datatype, int depth)
{
    if (!datatype || depth > 40)
        return;
    look_at_text(datatype->name);
    for (size_t i = 0; i < datatype->integer_count; i++)
        looked_at += (uint64_t)datatype->integers[i];
    for (size_t i = 0; i < datatype->part_count && i < 100; i++)
        look_at_datatype(datatype->parts[i], depth + 1);
}

static void look_at_elements(const struct fth_elements *elements)
{
    size_t each =
        elements->form == FTH_SELECTION_SLABS ? 4 * (size_t)elements->rank : elements->rank;
    look_at_text(elements->why);
    for (unsigned i = 0; elements->extent && i < elements->rank; i++)
        looked_at += (uint64_t)elements->extent[i];
    for (size_t i = 0; i < elements->count * each; i++)
        looked_at += (uint64_t)elements->numbers[i];
}

static void look_at_operation(const struct fth_operation *operation)
{
    look_at_text(operation->file);
    look_at_text(operation->function->name);
    looked_at += operation->bytes + operation->tests + operation->completion.number;
}

/* What calls access, and which operations are over with them. */
static void look_at_accesses(struct fth_trace *trace, size_t proc, uint64_t *calls_left)
{
    struct fth_error *error = NULL;
    struct fth_calls *calls = fth_calls_open(trace, proc, &error);
    struct fth_accesses *accesses = calls ? fth_accesses_open(trace, proc, calls) : NULL;
    struct fth_access access;
    struct fth_range range;
    while (accesses && *calls_left && fth_accesses_next(accesses, &access, &error) > 0) {
        for (int i = 0; i < 100 && fth_accesses_range(accesses, &range); i++)
            looked_at += range.offset + range.length;
        look_at_text(access.why);
        look_at_text(access.second.file);
        look_at_datatype(access.datatype, 0);
        for (size_t i = 0; i < access.operation_count; i++)
            look_at_operation(&access.operations[i]);
        for (size_t i = 0; i < access.selected_count; i++) {
            look_at_text(access.selected[i].object);
            look_at_elements(&access.selected[i].file);
            look_at_elements(&access.selected[i].memory);
        }
        --*calls_left;
    }
    size_t count = 0;
    const struct fth_operation *left = accesses ? fth_accesses_in_flight(accesses, &count) : NULL;
    for (size_t i = 0; i < count; i++)
        look_at_operation(&left[i]);
    fth_error_free(error);
    fth_accesses_close(accesses);
    fth_calls_close(calls);
}

static void look_at_process(struct fth_trace *trace, size_t proc, uint64_t *calls_left)
{
    const struct fth_process *process = fth_trace_process(trace, proc);
    struct fth_error *error = NULL;
    struct fth_calls *calls = fth_calls_with_handles(trace, proc, &error);
    struct fth_call call;
    int more = 1;
    look_at_text(process->host);
    look_at_text(process->executable);
    look_at_text(process->how_ended);
    for (size_t i = 0; i < process->argument_count; i++)
        look_at_text(process->arguments[i]);
    look_at_sums(trace, proc);
    int64_t last = 0;
    while (*calls_left && (more = fth_calls_next(calls, &call, &error)) > 0) {
        look_at_call(&call);
        look_at_handles(calls, &call);
        last = call.end;
        --*calls_left;
    }
    if (*calls_left) /* it may go through all of them */
        look_at_durations(trace, proc);
    look_at_accesses(trace, proc, calls_left);
    look_from(trace, proc, last / 2, calls_left);
    look_from(trace, proc, last, calls_left);
    if ((more < 0) != (error != NULL))
        abort();
    fth_error_free(error);
    fth_calls_close(calls);
}

static void look_at_trace(struct fth_trace *trace, const char *path)
{
    look_at_text(path);
    uint64_t calls_left = MOST_CALLS;
    const struct fth_trace_info *info = fth_trace_info(trace);
    look_at_text(info->meta_json);
    for (size_t i = 0; i < info->blind_spot_count; i++)
        look_at_text(info->blind_spots[i]);
    for (size_t i = 0; i < fth_trace_process_count(trace); i++)
        look_at_process(trace, i, &calls_left);
    look_at_costs(trace);
    look_at_samples(trace);
    look_at_file_systems(trace);
}

/* Opens the bytes as a trace, and looks at it if it is one. */
static void look_at_bytes(const uint8_t *bytes, size_t length,
                          void (*look)(struct fth_trace *trace, const char *path))
{
    static int file = -1;
    char path[64];
    if (file < 0)
        file = memfd_create("trace", 0);
    if (ftruncate(file, 0) != 0 || pwrite(file, bytes, length, 0) != (ssize_t)length)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    struct fth_error *error = NULL;
    struct fth_trace *trace = fth_trace_open(path, &error);
    if ((trace == NULL) != (error != NULL))
        abort();
    if (trace)
        look(trace, path);
    fth_error_free(error);
    fth_trace_close(trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    look_at_bytes(bytes, length, look_at_trace);
    return 0;
}

/* ---- a trace in pieces ---- */

struct piece {
    struct fth_section head;
    struct fth_bytes raw;
};

struct pieces {
    struct piece sections[MOST_SECTIONS];
    size_t count;
};

/* The section at *at, which moves behind it. False: it cannot be taken apart. */
static bool take_section(const uint8_t *bytes, size_t length, size_t *at, struct piece *section)
{
    if (length - *at < sizeof section->head)
        return false;
    memcpy(&section->head, bytes + *at, sizeof section->head);
    *at += sizeof section->head;
    uint64_t stored = section->head.stored, raw = section->head.raw;
    bool process = section->head.kind == FTH_SECTION_PROCESS; /* raw: of its frames */
    if (stored > length - *at || raw > MOST_RAW ||
        (section->head.codec == FTH_CODEC_NONE && raw != stored && !process))
        return false;
    if (process)
        raw = stored;
    uint8_t *to = fth_bytes_room(&section->raw, raw + 1);
    if (section->head.codec == FTH_CODEC_NONE)
        memcpy(to, bytes + *at, stored);
    else if (fth_decompress(bytes + *at, stored, to, raw, NULL))
        return false;
    section->raw.length = raw;
    *at += stored;
    return true;
}

static bool take_apart(const uint8_t *bytes, size_t length, struct pieces *pieces)
{
    size_t at = FTH_HEADER_BYTES;
    *pieces = (struct pieces){.count = 0};
    while (at < length && pieces->count < MOST_SECTIONS)
        if (!take_section(bytes, length, &at, &pieces->sections[pieces->count++]))
            return false;
    return pieces->count > 0;
}

static void free_pieces(struct pieces *pieces)
{
    for (size_t i = 0; i < pieces->count; i++)
        fth_bytes_free(&pieces->sections[i].raw);
}

static void put_section(struct fth_bytes *to, const struct piece *section)
{
    struct fth_section head = section->head;
    size_t place = to->length;
    fth_bytes_put(to, &head, sizeof head);
    if (head.codec == FTH_CODEC_ZSTD)
        fth_compress(section->raw.data, section->raw.length, to);
    else
        fth_bytes_put(to, section->raw.data, section->raw.length);
    head.stored = to->length - place - sizeof head;
    fth_section_seal(&head, XXH64(to->data + place + sizeof head, head.stored, head.kind));
    memcpy(to->data + place, &head, sizeof head);
}

static void put_together(struct fth_bytes *to, const struct pieces *pieces)
{
    struct fth_header header;
    fth_header_make(&header);
    fth_bytes_put(to, &header, sizeof header);
    for (size_t i = 0; i < pieces->count; i++)
        put_section(to, &pieces->sections[i]);
}

/* ---- changing it ---- */

static uint64_t state;

static uint64_t draw(uint64_t below)
{
    state += 0x9E3779B97F4A7C15u;
    uint64_t value = (state ^ state >> 30) * 0xBF58476D1CE4E5B9u;
    return (value ^ value >> 31) % below;
}

static void change_bytes(struct fth_bytes *bytes)
{
    fth_bytes_room(bytes, 64);
    bytes->length = LLVMFuzzerMutate(bytes->data, bytes->length, bytes->length + 64);
}

/* Replaces a number somewhere by another one, which takes as many bytes unless that is left to chance. */
static void change_number(struct fth_bytes *bytes)
{
    static const uint64_t numbers[] = {0,          1,
                                       2,          3,
                                       127,        128,
                                       255,        256,
                                       16383,      16384,
                                       32767,      32768,
                                       UINT32_MAX, (uint64_t)UINT32_MAX + 1,
                                       INT64_MAX,  (uint64_t)INT64_MAX + 1,
                                       UINT64_MAX};
    if (!bytes->length)
        return;
    size_t at = draw(bytes->length);
    while (at && bytes->data[at - 1] >= 0x80)
        at--;
    struct fth_view view = fth_view_of(bytes->data + at, bytes->length - at);
    uint64_t number = fth_view_varint(&view);
    size_t old = (size_t)(view.at - (bytes->data + at)), new;
    uint8_t packed[FTH_VARINT_MAX];
    if (view.failed)
        return;
    number = draw(3) ? number + draw(9) - 4 : numbers[draw(sizeof numbers / sizeof *numbers)];
    new = (size_t)(fth_put_varint(packed, number) - packed);
    if (new > old && draw(2))
        new = old, packed[new - 1] &= 0x7f;
    fth_bytes_room(bytes, FTH_VARINT_MAX);
    memmove(bytes->data + at + new, bytes->data + at + old, bytes->length - at - old);
    memcpy(bytes->data + at, packed, new);
    bytes->length += new - old;
}

static void change_head(struct fth_section *head)
{
    static const uint32_t kinds[] = {
        FTH_SECTION_META,     FTH_SECTION_CATALOG, FTH_SECTION_STRINGS, FTH_SECTION_SIGNATURES,
        FTH_SECTION_GRAMMARS, FTH_SECTION_SHAPES,  FTH_SECTION_PROCESS, FTH_SECTION_LINES,
        FTH_SECTION_SAMPLES,  FTH_SECTION_MOUNTS,  FTH_SECTION_END};
    switch (draw(5)) {
    case 0:
        head->kind = kinds[draw(sizeof kinds / sizeof *kinds)];
        break;
    case 1:
        head->part = (uint32_t)(draw(2) ? draw(3) : draw(1ull << 32));
        break;
    case 2:
        head->process = (uint32_t)(draw(2) ? draw(3) : draw(1ull << 32));
        break;
    case 3:
        head->codec = (uint16_t)draw(3);
        break;
    default:
        head->raw = draw(2) ? head->raw + draw(3) - 1 : 1ull << draw(64);
    }
}

static void change_order(struct pieces *pieces)
{
    size_t one = draw(pieces->count), other = draw(pieces->count);
    struct piece moved = pieces->sections[one];
    if (draw(2) && pieces->count < MOST_SECTIONS) { /* once more */
        struct piece *copy = &pieces->sections[pieces->count++];
        *copy = (struct piece){.head = moved.head};
        fth_bytes_put(&copy->raw, moved.raw.data, moved.raw.length);
        copy->head.part += (uint32_t)draw(2);
        return;
    }
    pieces->sections[one] = pieces->sections[other];
    pieces->sections[other] = moved;
}

/* Puts another frame in the place of one of a block's. */
static void replace_frame(struct fth_bytes *frames, uint64_t at, uint64_t *stored,
                          uint64_t *raw_length)
{
    struct fth_bytes raw = {0}, changed = {0};
    uint8_t *to = fth_bytes_room(&raw, *raw_length + 1);
    if (*raw_length == 0 ||
        fth_decompress(frames->data + at, *stored, to, *raw_length, NULL) == 0) {
        raw.length = *raw_length;
        if (draw(2))
            change_bytes(&raw);
        else
            change_number(&raw);
        fth_bytes_put(&changed, frames->data, at);
        size_t before = changed.length;
        fth_compress(raw.data, raw.length, &changed);
        uint64_t new = changed.length - before;
        fth_bytes_put(&changed, frames->data + at + *stored, frames->length - at - *stored);
        fth_bytes_free(frames);
        *frames = changed;
        *stored = new;
        *raw_length = raw.length;
    }
    fth_bytes_free(&raw);
}

/* Changes the times or the literals of one block of this process. */
static void change_block(struct fth_part_process *process, struct fth_bytes *frames)
{
    uint64_t at = 0, chosen = draw(8);
    for (size_t i = 0; i < process->track_count; i++)
        for (size_t k = 0; k < process->tracks[i].block_count; k++) {
            struct fth_block *block = &process->tracks[i].blocks[k];
            if (block->time_stored > frames->length - at ||
                block->literal_stored > frames->length - at - block->time_stored ||
                block->time_raw > MOST_RAW || block->literal_raw > MOST_RAW)
                return;
            if (chosen-- == 0 ||
                (i + 1 == process->track_count && k + 1 == process->tracks[i].block_count)) {
                if (draw(3) == 0)
                    block->calls = draw(2) ? block->calls + draw(3) - 1 : draw(65536);
                else if (draw(2))
                    replace_frame(frames, at, &block->time_stored, &block->time_raw);
                else
                    replace_frame(frames, at + block->time_stored, &block->literal_stored,
                                  &block->literal_raw);
                return;
            }
            at += block->time_stored + block->literal_stored;
            struct fth_track *track = &process->tracks[i];
            if (k + 1 < track->block_count || !track->means_stored)
                continue;
            if (track->means_stored > frames->length - at || track->means_raw > MOST_RAW)
                return;
            if (chosen-- == 0) {
                replace_frame(frames, at, &track->means_stored, &track->means_raw);
                return;
            }
            at += track->means_stored;
        }
}

/* Where the table of tracks begins in facts, and what is behind it. */
static void find_tracks(struct fth_view *facts, bool means, const uint8_t **tracks)
{
    fth_view_bytes(facts, sizeof(uint64_t)); /* image */
    for (int i = 0; i < 8; i++)
        fth_view_varint(facts);
    *tracks = facts->at;
    for (uint64_t count = fth_view_varint(facts); count && !facts->failed; count--) {
        fth_view_varint(facts);
        fth_view_varint(facts);
        uint64_t numbers = 6 * fth_view_varint(facts) + (means ? 2 : 0);
        for (; numbers && !facts->failed; numbers--)
            fth_view_varint(facts);
    }
}

static void put_tracks(struct fth_bytes *to, const struct fth_part_process *process)
{
    bool means = process->facts.times == FTH_TIMES_OF_MEANS;
    fth_bytes_varint(to, process->track_count);
    for (size_t i = 0; i < process->track_count; i++) {
        const struct fth_track *track = &process->tracks[i];
        fth_bytes_varint(to, track->thread);
        fth_bytes_signed(to, (int64_t)((uint64_t)track->tid - (uint64_t)process->facts.pid));
        fth_bytes_varint(to, track->block_count);
        if (means) {
            fth_bytes_varint(to, track->means_stored);
            fth_bytes_varint(to, track->means_raw);
        }
        uint64_t base = fth_first_base(&process->facts);
        for (size_t k = 0; k < track->block_count; k++) {
            const struct fth_block *block = &track->blocks[k];
            const uint64_t numbers[] = {block->calls,
                                        means ? block->gap_weight : block->time_stored,
                                        means ? block->duration_weight : block->time_raw,
                                        block->literal_stored, block->literal_raw};
            fth_bytes_signed(to, (int64_t)(block->base - base));
            base = block->base;
            for (int j = 0; j < 5; j++)
                fth_bytes_varint(to, numbers[j]);
        }
    }
}

static void change_columns(struct piece *section)
{
    struct fth_part_process process;
    uint64_t frame_bytes = section->head.raw;
    if (!section->raw.length || frame_bytes > section->raw.length)
        return;
    struct fth_bytes made = {0}, old = section->raw;
    const uint8_t *begin = old.data + frame_bytes, *tracks;
    const struct fth_stored_process stored = {old.data, begin, frame_bytes,
                                              old.length - frame_bytes};
    if (fth_facts_read(&process, &stored, NULL) == 0) {
        struct fth_view facts = fth_view_of(begin, old.length - frame_bytes);
        find_tracks(&facts, process.facts.times == FTH_TIMES_OF_MEANS, &tracks);
        fth_bytes_put(&made, old.data, frame_bytes);
        change_block(&process, &made);
        section->head.raw = made.length;
        fth_bytes_put(&made, begin, (size_t)(tracks - begin));
        put_tracks(&made, &process);
        fth_bytes_put(&made, facts.at, fth_view_left(&facts));
        section->raw = made;
        fth_bytes_free(&old);
    }
    fth_part_process_free(&process);
}

static void change(struct pieces *pieces)
{
    struct piece *section = &pieces->sections[draw(pieces->count)];
    uint64_t choice = draw(16);
    if (choice == 0) {
        change_order(pieces);
    } else if (choice == 1) {
        change_head(&section->head);
        return;
    } else if (choice < 6) {
        change_bytes(&section->raw);
    } else if (choice < 11 || section->head.kind != FTH_SECTION_PROCESS) {
        change_number(&section->raw);
    } else {
        change_columns(section);
    }
    if (section->head.kind != FTH_SECTION_PROCESS)
        section->head.raw = section->raw.length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t most, unsigned seed)
{
    struct pieces pieces;
    struct fth_bytes made = {0};
    state = seed;
    bool apart = take_apart(bytes, length, &pieces);
    if (!apart || draw(16) == 0) {
        free_pieces(&pieces);
        return LLVMFuzzerMutate(bytes, length, most);
    }
    for (uint64_t times = 1 + draw(3); times; times--)
        change(&pieces);
    put_together(&made, &pieces);
    free_pieces(&pieces);
    if (made.length <= most) {
        memcpy(bytes, made.data, made.length);
        length = made.length;
    }
    fth_bytes_free(&made);
    return length;
}

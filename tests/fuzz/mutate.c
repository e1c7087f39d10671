/* Traces are taken apart, changed inside (a section's bytes, a number in them, a head, the columns
 * of a block) and put together again. */
#include "trace/columns/compress.h"
#include "mutate.h"

#include "base/memory.h"
#include "trace/columns/columns.h"
#include "trace/file/container.h"
#include "trace/file/packed_facts.h"

#define XXH_INLINE_ALL
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { MOST_RAW = 1 << 20 };

/* The section at *at, which moves behind it. False: it cannot be taken apart. */
static bool take_section(const uint8_t *bytes, size_t length, size_t *at,
                         struct mutated_section *section)
{
    if (length - *at < sizeof section->head)
        return false;
    memcpy(&section->head, bytes + *at, sizeof section->head);
    *at += sizeof section->head;
    uint64_t stored = section->head.stored, raw = section->head.raw;
    bool process = fth_section_has_processes(section->head.kind); /* raw: of its frames */
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

/* Processes that are together get sections of their own, as numbers in packed facts cannot be
 * changed one by one. */
static bool part_processes(struct mutated *pieces, size_t place)
{
    struct mutated_section together = pieces->sections[place];
    struct fth_bytes *facts = NULL;
    uint32_t count = 0;
    uint64_t at = 0, frames = together.head.raw;
    bool good =
        frames <= together.raw.length &&
        fth_facts_unpack(together.raw.data + frames, together.raw.length - frames,
                         FTH_TRACE_VERSION, &facts, &count);
    if (!good) {
        fth_facts_free(facts, count);
        return false;
    }
    pieces->count--;
    for (uint32_t i = 0; i < count && good; i++) {
        const struct fth_stored_process stored = {.facts = facts[i].data,
                                                  .facts_bytes = facts[i].length};
        struct fth_part_process process = {0};
        uint64_t bytes = 0;
        good = pieces->count < MUTATE_MOST_SECTIONS && fth_facts_read(&process, &stored, NULL) == 0;
        for (size_t k = 0; good && k < process.track_count; k++)
            bytes += fth_track_bytes(&process.tracks[k]);
        good = good && bytes <= frames - at;
        if (good) {
            struct mutated_section *section = &pieces->sections[pieces->count++];
            *section = (struct mutated_section){.head = together.head};
            section->head.kind = FTH_SECTION_PROCESS;
            section->head.process = together.head.process + i;
            section->head.raw = bytes;
            fth_bytes_put(&section->raw, together.raw.data + at, bytes);
            fth_bytes_put(&section->raw, facts[i].data, facts[i].length);
            at += bytes;
        }
        fth_part_process_free(&process);
    }
    fth_facts_free(facts, count);
    fth_bytes_free(&together.raw);
    return good;
}

bool mutate_take_apart(const uint8_t *bytes, size_t length, struct mutated *pieces)
{
    size_t at = FTH_HEADER_BYTES;
    *pieces = (struct mutated){.count = 0};
    while (at < length && pieces->count < MUTATE_MOST_SECTIONS)
        if (!take_section(bytes, length, &at, &pieces->sections[pieces->count++]) ||
            (pieces->sections[pieces->count - 1].head.kind == FTH_SECTION_PROCESSES &&
             !part_processes(pieces, pieces->count - 1)))
            return false;
    return pieces->count > 0;
}

void mutate_free(struct mutated *pieces)
{
    for (size_t i = 0; i < pieces->count; i++)
        fth_bytes_free(&pieces->sections[i].raw);
}

static void put_section(struct fth_bytes *to, const struct mutated_section *section)
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

void mutate_put_together(struct fth_bytes *to, const struct mutated *pieces)
{
    struct fth_header header;
    fth_header_make(&header);
    fth_bytes_put(to, &header, sizeof header);
    for (size_t i = 0; i < pieces->count; i++)
        put_section(to, &pieces->sections[i]);
}

/* ---- changing it ---- */

static uint64_t state;
static mutate_bytes_function *change_some;

void mutate_seed(uint64_t seed, mutate_bytes_function *change_bytes)
{
    state = seed;
    change_some = change_bytes;
}

uint64_t mutate_draw(uint64_t below)
{
    state += 0x9E3779B97F4A7C15u;
    uint64_t value = (state ^ state >> 30) * 0xBF58476D1CE4E5B9u;
    return (value ^ value >> 31) % below;
}

static void change_bytes(struct fth_bytes *bytes)
{
    fth_bytes_room(bytes, 64);
    bytes->length = change_some(bytes->data, bytes->length, bytes->length + 64);
}

static const uint64_t extremes[] = {0,
                                    1,
                                    2,
                                    3,
                                    127,
                                    128,
                                    255,
                                    256,
                                    16383,
                                    16384,
                                    32767,
                                    32768,
                                    INT32_MAX,
                                    (uint64_t)INT32_MAX + 1,
                                    UINT32_MAX - 1,
                                    UINT32_MAX,
                                    (uint64_t)UINT32_MAX + 1,
                                    (uint64_t)1 << 62,
                                    INT64_MAX - 1,
                                    INT64_MAX,
                                    (uint64_t)INT64_MAX + 1,
                                    UINT64_MAX - 1,
                                    UINT64_MAX};
enum { EXTREMES = sizeof extremes / sizeof *extremes };

/* Puts another number in the place of the varint at `at`. */
static void put_number(struct fth_bytes *bytes, size_t at, uint64_t number, bool same_length)
{
    struct fth_view view = fth_view_of(bytes->data + at, bytes->length - at);
    fth_view_varint(&view);
    size_t old = (size_t)(view.at - (bytes->data + at)), new;
    uint8_t packed[FTH_VARINT_MAX];
    if (view.failed)
        return;
    new = (size_t)(fth_put_varint(packed, number) - packed);
    if (new > old && same_length)
        new = old, packed[new - 1] &= 0x7f;
    fth_bytes_room(bytes, FTH_VARINT_MAX);
    memmove(bytes->data + at + new, bytes->data + at + old, bytes->length - at - old);
    memcpy(bytes->data + at, packed, new);
    bytes->length += new - old;
}

static void change_number(struct fth_bytes *bytes)
{
    if (!bytes->length)
        return;
    size_t at = mutate_draw(bytes->length);
    while (at && bytes->data[at - 1] >= 0x80)
        at--;
    struct fth_view view = fth_view_of(bytes->data + at, bytes->length - at);
    uint64_t number = fth_view_varint(&view);
    number = mutate_draw(3) ? number + mutate_draw(9) - 4 : extremes[mutate_draw(EXTREMES)];
    put_number(bytes, at, number, mutate_draw(2));
}

static void change_head(struct fth_section *head)
{
    static const uint32_t kinds[] = {
        FTH_SECTION_META,     FTH_SECTION_CATALOG, FTH_SECTION_STRINGS,   FTH_SECTION_SIGNATURES,
        FTH_SECTION_GRAMMARS, FTH_SECTION_SHAPES,  FTH_SECTION_PROCESS,   FTH_SECTION_LINES,
        FTH_SECTION_SAMPLES,  FTH_SECTION_MOUNTS,  FTH_SECTION_PROCESSES, FTH_SECTION_END};
    switch (mutate_draw(5)) {
    case 0:
        head->kind = kinds[mutate_draw(sizeof kinds / sizeof *kinds)];
        break;
    case 1:
        head->part = (uint32_t)(mutate_draw(2) ? mutate_draw(3) : mutate_draw(1ull << 32));
        break;
    case 2:
        head->process = (uint32_t)(mutate_draw(2) ? mutate_draw(3) : mutate_draw(1ull << 32));
        break;
    case 3:
        head->codec = (uint16_t)mutate_draw(3);
        break;
    default:
        head->raw = mutate_draw(2) ? head->raw + mutate_draw(3) - 1 : 1ull << mutate_draw(64);
    }
}

static void change_order(struct mutated *pieces)
{
    size_t one = mutate_draw(pieces->count), other = mutate_draw(pieces->count);
    struct mutated_section moved = pieces->sections[one];
    if (mutate_draw(2) && pieces->count < MUTATE_MOST_SECTIONS) { /* once more */
        struct mutated_section *copy = &pieces->sections[pieces->count++];
        *copy = (struct mutated_section){.head = moved.head};
        fth_bytes_put(&copy->raw, moved.raw.data, moved.raw.length);
        copy->head.part += (uint32_t)mutate_draw(2);
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
        if (mutate_draw(2))
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
    uint64_t at = 0, chosen = mutate_draw(8);
    for (size_t i = 0; i < process->track_count; i++)
        for (size_t k = 0; k < process->tracks[i].block_count; k++) {
            struct fth_block *block = &process->tracks[i].blocks[k];
            if (block->time_stored > frames->length - at ||
                block->literal_stored > frames->length - at - block->time_stored ||
                block->time_raw > MOST_RAW || block->literal_raw > MOST_RAW)
                return;
            if (chosen-- == 0 ||
                (i + 1 == process->track_count && k + 1 == process->tracks[i].block_count)) {
                if (mutate_draw(3) == 0)
                    block->calls =
                        mutate_draw(2) ? block->calls + mutate_draw(3) - 1 : mutate_draw(65536);
                else if (mutate_draw(2))
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

static void change_columns(struct mutated_section *section)
{
    struct fth_part_process process;
    uint64_t frame_bytes = section->head.raw;
    if (!section->raw.length || frame_bytes > section->raw.length)
        return;
    struct fth_bytes made = {0}, old = section->raw;
    const uint8_t *begin = old.data + frame_bytes, *tracks;
    const struct fth_stored_process stored = {.frames = old.data,
                                              .facts = begin,
                                              .frame_bytes = frame_bytes,
                                              .facts_bytes = old.length - frame_bytes};
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

void mutate_somehow(struct mutated *pieces)
{
    struct mutated_section *section = &pieces->sections[mutate_draw(pieces->count)];
    uint64_t choice = mutate_draw(16);
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
    if (!fth_section_has_processes(section->head.kind))
        section->head.raw = section->raw.length;
}

/* ---- each number in turn ---- */

/* Where numbers may stand in a section: all of it, of PROC what is behind the frames. */
static size_t numbers_from(const struct mutated_section *section)
{
    bool process = fth_section_has_processes(section->head.kind);
    return process && section->head.raw <= section->raw.length ? section->head.raw : 0;
}

static bool begins_number(const struct fth_bytes *bytes, size_t at)
{
    return at == 0 || bytes->data[at - 1] < 0x80;
}

uint64_t mutate_count(const struct mutated *pieces)
{
    uint64_t count = 0;
    for (size_t i = 0; i < pieces->count; i++)
        for (size_t at = numbers_from(&pieces->sections[i]); at < pieces->sections[i].raw.length;
             at++)
            count += begins_number(&pieces->sections[i].raw, at);
    return count * EXTREMES;
}

void mutate_number(struct mutated *pieces, uint64_t which)
{
    uint64_t number = extremes[which % EXTREMES], left = which / EXTREMES;
    for (size_t i = 0; i < pieces->count; i++) {
        struct mutated_section *section = &pieces->sections[i];
        for (size_t at = numbers_from(section); at < section->raw.length; at++) {
            if (!begins_number(&section->raw, at) || left--)
                continue;
            put_number(&section->raw, at, number, false);
            if (!fth_section_has_processes(section->head.kind))
                section->head.raw = section->raw.length;
            return;
        }
    }
}

void mutate_clocks(struct mutated *pieces, uint64_t ns)
{
    enum { BEFORE_RATE = 4 }; /* of the numbers of a process's facts */
    for (size_t i = 0; i < pieces->count; i++) {
        struct mutated_section *section = &pieces->sections[i];
        size_t at = section->head.raw + sizeof(uint64_t);
        if (section->head.kind != FTH_SECTION_PROCESS || at > section->raw.length)
            continue;
        struct fth_view facts = fth_view_of(section->raw.data + at, section->raw.length - at);
        for (int k = 0; k < BEFORE_RATE; k++)
            fth_view_varint(&facts);
        put_number(&section->raw, (size_t)(facts.at - section->raw.data), ns, false);
    }
}

/* ---- texts ---- */

static void put_control(uint8_t *at, size_t left)
{
    static const char *const controls[] = {"\x1b",     "\x07",         "\n",
                                           "\xc2\x9b", "\xe2\x80\xae", "\x9b"};
    const char *control = controls[mutate_draw(sizeof controls / sizeof *controls)];
    if (strlen(control) <= left)
        memcpy(at, control, strlen(control));
}

static bool has_texts(const struct mutated_section *section)
{
    static const uint32_t kinds[] = {FTH_SECTION_META, FTH_SECTION_STRINGS, FTH_SECTION_LINES,
                                     FTH_SECTION_SAMPLES, FTH_SECTION_MOUNTS};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (section->head.kind == kinds[k])
            return true;
    return false;
}

static bool is_word(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!isalnum(bytes[i]) && !strchr("_./-", bytes[i]))
            return false;
    return true;
}

void mutate_code(struct mutated *pieces)
{
    static const char *const codes[] = {"*/" MUTATE_CODE "/*",    "\n" MUTATE_CODE "();",
                                        "\"" MUTATE_CODE ";\"",   "\\\"" MUTATE_CODE,
                                        "\\\n" MUTATE_CODE,       "%s%n" MUTATE_CODE,
                                        "*/\n" MUTATE_CODE "();", "?\?/\"" MUTATE_CODE "\n"};
    uint64_t one_in = 4 + mutate_draw(60);
    for (size_t i = 0; i < pieces->count; i++) {
        struct fth_bytes *raw = &pieces->sections[i].raw;
        for (size_t at = 0; has_texts(&pieces->sections[i]) && at + 16 < raw->length; at++) {
            const char *code = codes[mutate_draw(sizeof codes / sizeof *codes)];
            if (!is_word(raw->data + at, strlen(code)) || mutate_draw(one_in))
                continue;
            memcpy(raw->data + at, code, strlen(code));
            at += strlen(code);
        }
    }
}

void mutate_texts(struct mutated *pieces)
{
    uint64_t one_in = 4 + mutate_draw(60);
    for (size_t i = 0; i < pieces->count; i++) {
        struct mutated_section *section = &pieces->sections[i];
        for (size_t at = 0; has_texts(section) && at + 2 < section->raw.length; at++) {
            const uint8_t *byte = section->raw.data + at;
            bool letters = byte[0] >= 'a' && byte[0] <= 'z' && byte[1] >= 'a' && byte[1] <= 'z' &&
                           byte[2] >= 'a' && byte[2] <= 'z';
            if (letters && mutate_draw(one_in) == 0)
                put_control(section->raw.data + at, 3);
        }
    }
}

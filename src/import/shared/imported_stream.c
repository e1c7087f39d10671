/* Streams of imported calls: see the header. */
#include "import/shared/imported_stream.h"

#include "base/memory.h"
#include "trace/columns/succession.h"
#include "trace/record/builtin.h"
#include "trace/record/spill.h"
#include "trace/state/state.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    MOST_TEXT = 4 << 20,  /* bytes of strings */
    MOST_DEFINED = 60000, /* symbols and strings: then both start anew */
    BLOCK_CALLS = 8192,
    BLOCK_BYTES = 64 << 10,
    NEWS = 48, /* signatures that a function makes before one of its values becomes literal */
};

/* How the calls of a function are kept. */
struct habit {
    uint32_t function;
    uint32_t can_be_literal, literal; /* bits of values */
    uint32_t news;
    uint32_t changes[FTH_MOST_VALUES]; /* of each value, among the new signatures */
    int64_t last[FTH_MOST_VALUES];
};

struct fth_imported_stream {
    struct fth_imported_folder *folder;
    uint64_t image, base, last, sealed_end;
    int64_t tid;
    unsigned number;
    struct fth_intern strings, signatures;
    struct fth_bytes definitions; /* words that are not written yet */
    uint16_t *symbols;
    uint32_t calls;
    struct fth_bytes packed; /* of these calls */
    uint16_t *habit_of;      /* by function: index + 1 */
    struct habit *habits;
    uint32_t habit_count;
    struct fth_cursor_state **cursors; /* by class, and by slot */
};

uint32_t fth_imported_function(const char *name, size_t length)
{
    static struct fth_intern names;
    const struct fth_catalog *catalog = fth_builtin_catalog();
    uint32_t number;
    for (size_t i = names.count; i < catalog->row_count; i++)
        fth_intern(&names, catalog->rows[i].name, strlen(catalog->rows[i].name));
    return fth_intern_find(&names, name, length, &number) ? number : UINT32_MAX;
}

/* ---- to the folder ---- */

static void write_at(struct fth_imported_stream *stream, const char *suffix,
                     enum fth_imported_place place, const void *bytes, size_t length, uint64_t at,
                     uint64_t size)
{
    char name[64];
    snprintf(name, sizeof name, "%016" PRIx64 ".%u.%s", stream->image, stream->number, suffix);
    fth_imported_folder_write(stream->folder, name, place, bytes, length, at, size);
}

static void put_record(struct fth_bytes *out, uint32_t kind, const void *bytes, size_t length)
{
    static const uint8_t zeros[8];
    const struct fth_spill_record record = {FTH_SPILL_RECORD_MAGIC, kind, length};
    fth_bytes_put(out, &record, sizeof record);
    fth_bytes_put(out, bytes, length);
    fth_bytes_put(out, zeros, (8 - length % 8) % 8);
}

static void put_block(struct fth_imported_stream *stream, struct fth_bytes *out)
{
    struct fth_succession succession = {0};
    struct fth_bytes block = {0};
    uint8_t *start = fth_bytes_room(&block, sizeof(struct fth_spill_block) +
                                                2 * FTH_VARINT_MAX * (size_t)stream->calls);
    uint8_t *symbols = start + sizeof(struct fth_spill_block), *to = symbols;
    for (uint32_t i = 0; i < stream->calls; i++)
        to = fth_succession_put(&succession, to, stream->symbols[i]);
    const struct fth_spill_block head = {.base = stream->base,
                                         .tid = stream->tid,
                                         .thread = stream->number,
                                         .calls = stream->calls,
                                         .symbol_bytes = (uint64_t)(to - symbols)};
    memcpy(start, &head, sizeof head);
    block.length = (size_t)(to - start);
    fth_bytes_put(&block, stream->packed.data, stream->packed.length);
    put_record(out, FTH_SPILL_BLOCK, block.data, block.length);
    fth_bytes_free(&block);
}

/* `is_reset`: what is defined starts anew behind it. */
static void seal(struct fth_imported_stream *stream, bool is_reset, enum fth_imported_place place)
{
    struct fth_bytes out = {0};
    if (stream->definitions.length)
        put_record(&out, FTH_SPILL_DEFINITIONS, stream->definitions.data,
                   stream->definitions.length);
    if (stream->calls)
        put_block(stream, &out);
    if (is_reset)
        put_record(&out, FTH_SPILL_RESET, NULL, 0);
    if (out.length)
        write_at(stream, "sealed", place, out.data, out.length, stream->sealed_end, 0);
    stream->sealed_end += out.length;
    stream->base = stream->last;
    stream->definitions.length = stream->packed.length = stream->calls = 0;
    fth_bytes_free(&out);
}

struct fth_imported_stream *fth_imported_stream_new(struct fth_imported_folder *folder,
                                                    uint64_t image, unsigned number, int64_t tid,
                                                    uint64_t base)
{
    struct fth_imported_stream *stream = fth_new(1, sizeof *stream);
    *stream = (struct fth_imported_stream){
        .folder = folder, .image = image, .number = number, .tid = tid, .base = base, .last = base};
    stream->habit_of = fth_new(fth_builtin_catalog()->row_count, sizeof *stream->habit_of);
    return stream;
}

void fth_imported_stream_close(struct fth_imported_stream *stream)
{
    struct fth_spill_stream page = {.magic = FTH_SPILL_STREAM_MAGIC, .image = stream->image};
    seal(stream, false, stream->sealed_end ? FTH_IMPORTED_TO_DISK : FTH_IMPORTED_TO_MEMORY);
    page.commits[0] = (struct fth_spill_commit){.sequence = 1, .sealed_end = stream->sealed_end};
    page.commits[0].check = fth_spill_check(&page.commits[0]);
    write_at(stream, "stream", FTH_IMPORTED_TO_MEMORY, &page, sizeof page, 0, FTH_SPILL_LIVE);
    fth_intern_free(&stream->strings);
    fth_intern_free(&stream->signatures);
    fth_bytes_free(&stream->definitions);
    fth_bytes_free(&stream->packed);
    free(stream->symbols);
    free(stream->habit_of);
    free(stream->habits);
    for (size_t i = 0; stream->cursors && i < fth_builtin_catalog()->class_count; i++)
        free(stream->cursors[i]);
    free(stream->cursors);
    free(stream);
}

void fth_imported_stream_is_of(struct fth_imported_stream *stream, int64_t tid)
{
    stream->tid = tid;
}

/* ---- definitions ---- */

static void define(struct fth_imported_stream *stream, uint32_t kind, const void *head,
                   size_t head_bytes, const void *bytes, size_t length)
{
    static const uint8_t zeros[4];
    size_t words = 2 + (head_bytes + length + 3) / 4;
    const uint32_t start[] = {FTH_LIVE_DEFINITION | kind, (uint32_t)words};
    fth_bytes_put(&stream->definitions, start, sizeof start);
    fth_bytes_put(&stream->definitions, head, head_bytes);
    fth_bytes_put(&stream->definitions, bytes, length);
    fth_bytes_put(&stream->definitions, zeros, (4 - (head_bytes + length) % 4) % 4);
}

int64_t fth_imported_stream_text(struct fth_imported_stream *stream, const void *bytes,
                                 size_t length)
{
    uint32_t known = stream->strings.count;
    uint32_t number = fth_intern(&stream->strings, bytes, length);
    if (number == known) {
        const uint32_t count = (uint32_t)length;
        define(stream, FTH_LIVE_STRING, &count, sizeof count, bytes, length);
    }
    return (int64_t)number + 1;
}

void fth_imported_stream_begin(struct fth_imported_stream *stream)
{
    if (stream->strings.count < MOST_DEFINED && stream->signatures.count < MOST_DEFINED &&
        stream->strings.store.length < MOST_TEXT)
        return;
    seal(stream, true, FTH_IMPORTED_TO_DISK);
    fth_intern_free(&stream->strings);
    fth_intern_free(&stream->signatures);
    stream->strings = stream->signatures = (struct fth_intern){0};
}

/* ---- what is kept of values ---- */

static struct habit *habit_of(struct fth_imported_stream *stream, const struct fth_meaning *meaning,
                              uint32_t function)
{
    uint16_t *at = &stream->habit_of[function];
    if (*at)
        return &stream->habits[*at - 1];
    FTH_GROW(stream->habits, stream->habit_count);
    struct habit *habit = &stream->habits[stream->habit_count++];
    *habit = (struct habit){.function = function};
    for (int i = 0; i < meaning->value_count; i++)
        if (meaning->steppable >> i & 1 && meaning->plan[i].part != FTH_PART_SLOT)
            habit->can_be_literal |= 1u << i;
    *at = (uint16_t)stream->habit_count;
    return habit;
}

/* A function that makes many signatures: the value that changes most goes to a column of its
 * own. */
static void learn(struct habit *habit, const int64_t *values)
{
    uint32_t most = 0;
    int which = -1;
    for (uint32_t left = habit->can_be_literal & ~habit->literal; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        habit->changes[i] += habit->last[i] != values[i];
        habit->last[i] = values[i];
        if (habit->changes[i] > most) {
            most = habit->changes[i];
            which = i;
        }
    }
    if (++habit->news < NEWS)
        return;
    if (most > NEWS / 2)
        habit->literal |= 1u << which;
    habit->news = 0;
    memset(habit->changes, 0, sizeof habit->changes);
}

static void expect(struct fth_cursor_state *cursor, int64_t end)
{
    if (cursor)
        cursor->end = FTH_IS_PLACE(end) ? end : 0;
}

static int64_t add(int64_t one, int64_t other)
{
    return (int64_t)((uint64_t)one + (uint64_t)other);
}

static int64_t minus(int64_t one, int64_t other)
{
    return (int64_t)((uint64_t)one - (uint64_t)other);
}

/* The inverse of fth_state_resolve. */
static void predict(const struct fth_meaning *meaning, uint32_t literal,
                    struct fth_cursor_state *cursor, int64_t *values)
{
    for (int step = 0; step < meaning->step_count; step++) {
        int i = meaning->steps[step];
        int64_t value = values[i], end = cursor ? cursor->end : 0;
        switch (meaning->plan[i].part) {
        case FTH_PART_OFFSET:
            if (!(literal >> i & 1))
                values[i] = minus(value, end);
            expect(cursor, add(value, fth_bytes_asked_at(meaning, values, i)));
            break;
        case FTH_PART_VIEW:
            if (!(literal >> i & 1) && cursor)
                values[i] = minus(value, cursor->view);
            if (cursor)
                cursor->view = value;
            break;
        case FTH_PART_DISTANCE:
            if (fth_seek_is_absolute(meaning, values)) {
                if (!(literal >> i & 1))
                    values[i] = minus(value, end);
                expect(cursor, value);
            } else if (fth_seek_moves_cursor(meaning, values)) {
                expect(cursor, add(end, value));
            }
            break;
        case FTH_PART_POSITION:
            if (FTH_IS_FAILURE(value))
                break;
            values[i] = minus(value, end);
            expect(cursor, value);
            break;
        case FTH_PART_MOVED:
            if (FTH_IS_FAILURE(value))
                break;
            values[i] = minus(value, fth_bytes_asked(meaning, values));
            if (meaning->advances && meaning->plan[i].field == FTH_RESULT)
                expect(cursor, add(end, value));
            break;
        default:
            break;
        }
    }
}

static struct fth_cursor_state *cursor_at(struct fth_imported_stream *stream, int class_index,
                                          int64_t slot)
{
    if (class_index < 0 || slot < 0 || slot >= FTH_CURSOR_LIMIT)
        return NULL;
    if (!stream->cursors)
        stream->cursors = fth_new(fth_builtin_catalog()->class_count, sizeof *stream->cursors);
    if (!stream->cursors[class_index])
        stream->cursors[class_index] =
            fth_new(FTH_CURSOR_LIMIT, sizeof *stream->cursors[class_index]);
    return &stream->cursors[class_index][slot];
}

/* ---- calls ---- */

static uint32_t symbol_of(struct fth_imported_stream *stream, struct habit *habit, uint32_t head,
                          const int64_t *values)
{
    int64_t key[FTH_MOST_VALUES + 1];
    int count = fth_builtin_meaning(habit->function)->value_count;
    key[0] = (int64_t)(head | (uint64_t)habit->literal << 32);
    for (int i = 0; i < count; i++)
        key[i + 1] = habit->literal >> i & 1 ? 0 : values[i];
    uint32_t known = stream->signatures.count;
    uint32_t symbol = fth_intern(&stream->signatures, key, ((size_t)count + 1) * sizeof *key);
    if (symbol == known) {
        define(stream, FTH_LIVE_SIGNATURE, &key[0], sizeof key[0], &key[1],
               (size_t)count * sizeof *key);
        learn(habit, values);
    }
    return symbol;
}

/* `head`: function, depth and flags, as in the head of a signature. */
static void append(struct fth_imported_stream *stream, uint32_t head, int64_t *values, uint64_t gap,
                   uint64_t duration)
{
    uint32_t function = head & 0xffff;
    const struct fth_meaning *meaning = fth_builtin_meaning(function);
    struct habit *habit = habit_of(stream, meaning, function);
    uint32_t literal = habit->literal;
    predict(meaning, literal,
            cursor_at(stream, meaning->about.handle_class, fth_slot_of_cursor(meaning, values)),
            values);
    if (!stream->symbols)
        stream->symbols = fth_new(BLOCK_CALLS, sizeof *stream->symbols);
    stream->symbols[stream->calls++] = (uint16_t)symbol_of(stream, habit, head, values);
    uint8_t *to = fth_bytes_room(&stream->packed, FTH_VARINT_MAX * (FTH_MOST_VALUES + 2));
    uint8_t *start = to;
    to = fth_put_varint(fth_put_varint(to, gap), duration);
    for (; literal; literal &= literal - 1)
        to = fth_put_varint(to, fth_zigzag(values[__builtin_ctz(literal)]));
    stream->packed.length += (size_t)(to - start);
    if (stream->calls == BLOCK_CALLS || stream->packed.length > BLOCK_BYTES)
        seal(stream, false, FTH_IMPORTED_TO_DISK);
}

static unsigned covers(const struct fth_row *row)
{
    unsigned layer_is = (fth_layer_is(row->layer, FTH_LAYER_SYSTEM) ? FTH_LAYER_SYSTEM : 0) |
                        (fth_layer_is(row->layer, FTH_LAYER_MESSAGES) ? FTH_LAYER_MESSAGES : 0);
    return fth_row_covers(fth_builtin_catalog(), row, layer_is);
}

uint32_t fth_imported_flags_inside(const struct fth_row *row, const struct fth_row *outer)
{
    const char *layer = row ? row->layer : "application",
               *outer_layer = outer ? outer->layer : "application";
    unsigned covered = outer ? covers(outer) : 0;
    return (strcmp(layer, outer_layer) == 0 ? FTH_INSIDE_SAME_LAYER : 0) |
           (covered & FTH_COVERS_FILES ? FTH_INSIDE_FILE_CALL : 0) |
           (covered & FTH_COVERS_BYTES ? FTH_INSIDE_UNBUFFERED_CALL : 0);
}

void fth_imported_stream_call(struct fth_imported_stream *stream,
                              const struct fth_imported_call *call, int64_t *values)
{
    uint64_t last = stream->last;
    uint64_t entry = call->entry < last && !call->holds ? last : call->entry;
    uint64_t exit = call->exit < entry ? entry : call->exit;
    if (call->holds && exit < last)
        exit = last;
    stream->last = exit;
    append(stream, call->function | call->depth << 16 | call->flags << 24, values,
           call->holds ? exit - last : entry - last, exit - entry);
}

void fth_imported_stream_note(struct fth_imported_stream *stream, uint32_t function,
                              int64_t *values)
{
    append(stream, function, values, 0, 0);
}

void fth_imported_stream_bind(struct fth_imported_stream *stream, const char *class_name,
                              int64_t slot, int64_t number, const char *path, size_t length)
{
    static uint32_t function;
    if (!function)
        function = fth_imported_function("fathom_bind", strlen("fathom_bind"));
    int64_t values[FTH_MOST_VALUES] = {
        fth_imported_stream_text(stream, class_name, strlen(class_name)), slot, number,
        fth_imported_stream_text(stream, path, length)};
    struct fth_cursor_state *cursor = cursor_at(
        stream, fth_class_of_name(fth_builtin_catalog(), class_name, strlen(class_name)), slot);
    if (cursor)
        *cursor = (struct fth_cursor_state){0};
    fth_imported_stream_note(stream, function, values);
}

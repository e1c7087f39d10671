/* Packing the facts of processes, and unpacking them. Both go the same way through the same models
 * (number_coder.h). */
#include "trace/file/packed_facts.h"

#include "base/memory.h"
#include "trace/columns/number_coder.h"
#include "trace/record/format.h"
#include "trace/record/spill.h"

enum {
    NEAR_LENGTHS = 24,  /* of numbers before; longer ones are as one */
    OWN = 8,            /* numbers of the process itself, before those of its threads */
    MOST_CLASSES = 255, /* of processes */
    IMAGE_PID_BITS = 22,
};

/* What stood at one place in the last process of a class. */
struct place {
    uint64_t last;
    uint8_t is_known, was_same, was_like_left;
};
struct process_class {
    struct place *places;
    uint32_t limit;
    uint64_t count; /* numbers of the last one */
};

struct coding {
    struct fth_number_coder coder;
    bool failed, draws_images; /* before version 9: at random */
    struct fth_number_model own[OWN], clock_model, kept_model, class_model, count_model,
        numbers[NEAR_LENGTHS + 2];
    struct fth_bit_chance same[3][3], like_left[3][3], tail;
    uint64_t before[OWN]; /* of the process before */
    struct process_class *classes;
    uint32_t class_count;
};

/* ---- numbers ---- */

static uint64_t code_signed(struct coding *coding, struct fth_number_model *model, uint64_t value)
{
    return (uint64_t)fth_unzigzag(
        fth_code_number(&coding->coder, model, fth_zigzag((int64_t)value)));
}

/* A number at a place; `left`: the one before in the same process. */
static uint64_t code_at(struct coding *coding, struct place *place, uint64_t left, uint64_t value)
{
    unsigned history = place->is_known ? 1u + place->was_same : 0,
             other = place->is_known ? 1u + place->was_like_left : 0;
    bool like_left =
             fth_code_bit(&coding->coder, &coding->like_left[other][history], value == left),
         same;
    same = !like_left && place->is_known && place->last != left &&
           fth_code_bit(&coding->coder, &coding->same[history][other], value == place->last);
    if (like_left) {
        value = left;
    } else if (same) {
        value = place->last;
    } else {
        unsigned near = place->is_known ? 1 + fth_bits_of(place->last) : 0;
        value = fth_code_number(&coding->coder,
                                &coding->numbers[near < NEAR_LENGTHS + 1 ? near : NEAR_LENGTHS + 1],
                                value);
    }
    place->was_like_left = like_left;
    place->was_same = place->is_known && value == place->last;
    place->last = value;
    place->is_known = true;
    return value;
}

/* ---- what is expected of a process ---- */

enum { IMAGE, PID, START, LASTED, RATE, RATE_NS, UNITS, REALTIME };

/* Its time of day goes by the clock of the process before. */
static uint64_t expected_realtime(const uint64_t *before, uint64_t start)
{
    uint64_t ticks = before[RATE] ? before[RATE] : 1;
    __int128 passed = (__int128)(int64_t)(start - before[START]) * (int64_t)before[RATE_NS];
    return before[REALTIME] + (uint64_t)(passed / (__int128)ticks);
}

/* The highest bits of an image are ticks at its start, plus what is the same for all images of a
 * node (capture/process). */
static uint64_t code_image(struct coding *coding, uint64_t wanted, uint64_t start)
{
    const uint64_t *before = coding->before;
    const unsigned spare = IMAGE_PID_BITS;
    uint64_t expected = (before[IMAGE] >> spare) + start - before[START],
             more = (wanted >> spare) - expected;
    if (coding->draws_images)
        return fth_code_even_bits(&coding->coder, wanted >> spare, 64 - spare);
    more = (uint64_t)((int64_t)(more << spare) >> spare);
    return expected + code_signed(coding, &coding->clock_model, more);
}

/* From numbers as they stand in facts (`rate` is more than `lasted`) to whole ones, and back. */
static void code_own(struct coding *coding, uint64_t own[OWN])
{
    uint64_t *before = coding->before, now[OWN];
    const uint64_t pid = FTH_IMAGE_PID;
    uint64_t wanted[OWN] = {0};
    if (coding->coder.writes) {
        memcpy(wanted, own, sizeof wanted);
        wanted[RATE] = own[LASTED] + own[RATE];
    }
    uint64_t low =
        code_signed(coding, &coding->own[IMAGE], (wanted[IMAGE] & pid) - (before[IMAGE] & pid));
    uint64_t high = coding->draws_images ? code_image(coding, wanted[IMAGE], 0) : 0;
    now[PID] = fth_code_number(&coding->coder, &coding->own[PID], wanted[PID]);
    now[START] =
        before[START] + code_signed(coding, &coding->own[START], wanted[START] - before[START]);
    if (!coding->draws_images)
        high = code_image(coding, wanted[IMAGE], now[START]);
    now[IMAGE] = high << IMAGE_PID_BITS | ((low + before[IMAGE]) & pid);
    now[LASTED] = fth_code_number(&coding->coder, &coding->own[LASTED], wanted[LASTED]);
    now[RATE] = before[RATE] + code_signed(coding, &coding->own[RATE], wanted[RATE] - before[RATE]);
    now[RATE_NS] = before[RATE_NS] +
                   code_signed(coding, &coding->own[RATE_NS], wanted[RATE_NS] - before[RATE_NS]);
    now[UNITS] =
        before[UNITS] + code_signed(coding, &coding->own[UNITS], wanted[UNITS] - before[UNITS]);
    uint64_t expected = expected_realtime(before, now[START]);
    now[REALTIME] =
        expected + code_signed(coding, &coding->own[REALTIME], wanted[REALTIME] - expected);
    memcpy(before, now, sizeof now);
    memcpy(own, now, sizeof now);
    own[RATE] = now[RATE] - now[LASTED];
}

/* ---- classes: processes with about as many numbers ---- */

static bool is_near(uint64_t one, uint64_t other)
{
    uint64_t distance = one > other ? one - other : other - one;
    return distance <= other / 4;
}

/* A writer's choice; a class that is not there yet is as good as one that is. */
static uint32_t choose_class(const struct coding *coding, uint64_t count)
{
    uint32_t i = 0;
    while (i < coding->class_count && !is_near(count, coding->classes[i].count))
        i++;
    return i < MOST_CLASSES ? i : MOST_CLASSES - 1;
}

static struct process_class *code_class(struct coding *coding, uint64_t count)
{
    uint64_t number = fth_code_number(&coding->coder, &coding->class_model,
                                      coding->coder.writes ? choose_class(coding, count) : 0);
    if (number > coding->class_count || number >= MOST_CLASSES) {
        coding->failed = true;
        return NULL;
    }
    if (number == coding->class_count) {
        FTH_GROW(coding->classes, coding->class_count);
        coding->classes[coding->class_count++] = (struct process_class){0};
    }
    return &coding->classes[number];
}

static void free_classes(struct coding *coding)
{
    for (uint32_t i = 0; i < coding->class_count; i++)
        free(coding->classes[i].places);
    free(coding->classes);
}

/* ---- a process ---- */

/* Facts as numbers: the process's own, those behind them, and bytes at the end that are none. */
struct taken {
    uint64_t own[OWN];
    uint64_t kept; /* how times are */
    uint64_t *numbers;
    uint32_t count;
    struct fth_view tail;
};

/* A number that is written in the one way that fth_bytes_varint does. */
static bool take_number(struct fth_view *view, uint64_t *number)
{
    struct fth_view ahead = *view;
    uint8_t again[FTH_VARINT_MAX];
    *number = fth_view_varint(&ahead);
    size_t length = (size_t)(ahead.at - view->at);
    if (ahead.failed || (size_t)(fth_put_varint(again, *number) - again) != length ||
        memcmp(again, view->at, length) != 0)
        return false;
    *view = ahead;
    return true;
}

static void take_facts(const struct fth_bytes *facts, struct taken *taken)
{
    struct fth_view view = fth_view_of(facts->data, facts->length);
    *taken = (struct taken){0};
    const uint8_t *image = fth_view_bytes(&view, sizeof taken->own[IMAGE]);
    if (image)
        memcpy(&taken->own[IMAGE], image, sizeof taken->own[IMAGE]);
    taken->own[PID] = fth_view_varint(&view);
    taken->own[START] = fth_view_varint(&view);
    taken->own[LASTED] = (uint64_t)fth_view_signed(&view);
    taken->own[RATE] = (uint64_t)fth_view_signed(&view);
    taken->own[RATE_NS] = fth_view_varint(&view);
    taken->own[UNITS] = fth_view_varint(&view);
    taken->kept = fth_view_varint(&view);
    taken->own[REALTIME] = (uint64_t)fth_view_signed(&view);
    for (uint64_t number; view.at < view.end && take_number(&view, &number);) {
        FTH_GROW(taken->numbers, taken->count);
        taken->numbers[taken->count++] = number;
    }
    taken->tail = view;
}

static void put_own(struct fth_bytes *to, const uint64_t own[OWN])
{
    fth_bytes_put(to, &own[IMAGE], sizeof own[IMAGE]);
    fth_bytes_varint(to, own[PID]);
    fth_bytes_varint(to, own[START]);
    fth_bytes_signed(to, (int64_t)own[LASTED]);
    fth_bytes_signed(to, (int64_t)own[RATE]);
    fth_bytes_varint(to, own[RATE_NS]);
    fth_bytes_varint(to, own[UNITS]);
}

static void code_numbers(struct coding *coding, struct process_class *class, uint64_t count,
                         const uint64_t *numbers, struct fth_bytes *to, uint64_t most)
{
    for (uint64_t i = 0, left = 0; i < count && !coding->failed; i++) {
        if (to->length >= most || i >= UINT32_MAX) {
            coding->failed = true;
            return;
        }
        class->places = fth_reach(class->places, &class->limit, (uint32_t)i, sizeof *class->places);
        left = code_at(coding, &class->places[i], left, numbers ? numbers[i] : 0);
        fth_bytes_varint(to, left);
    }
}

/* One more process: of a writer's facts, or to the facts of a reader, `most` bytes at most. */
static void code_process(struct coding *coding, const struct taken *taken, struct fth_bytes *to,
                         uint64_t most)
{
    static const struct taken none;
    uint64_t own[OWN];
    memcpy(own, (taken ? taken : &none)->own, sizeof own);
    struct process_class *class = code_class(coding, taken ? taken->count : 0);
    if (coding->failed)
        return;
    code_own(coding, own);
    uint64_t kept = fth_code_number(&coding->coder, &coding->kept_model, taken ? taken->kept : 0);
    put_own(to, own);
    fth_bytes_varint(to, kept);
    fth_bytes_signed(to, (int64_t)own[REALTIME]);
    uint64_t count = class->count + code_signed(coding, &coding->count_model,
                                                (taken ? taken->count : 0) - class->count);
    code_numbers(coding, class, count, taken ? taken->numbers : NULL, to, most);
    class->count = count;
    bool has_tail =
        fth_code_bit(&coding->coder, &coding->tail, taken && taken->tail.at < taken->tail.end);
    if (!has_tail)
        return;
    uint64_t length = fth_code_number(&coding->coder, &coding->count_model,
                                      taken ? fth_view_left(&taken->tail) : 0);
    for (uint64_t i = 0; i < length && !coding->failed; i++) {
        coding->failed = to->length >= most;
        uint8_t byte =
            (uint8_t)fth_code_even_bits(&coding->coder, taken ? taken->tail.at[i] : 0, 8);
        fth_bytes_put(to, &byte, 1);
    }
}

void fth_facts_pack(const struct fth_bytes *facts, uint32_t count, struct fth_bytes *to)
{
    struct coding *coding = fth_new(1, sizeof *coding);
    struct fth_bytes again = {0};
    coding->coder.writes = true;
    fth_bytes_varint(to, count);
    fth_bit_writer_open(&coding->coder.bits, to);
    for (uint32_t i = 0; i < count; i++) {
        struct taken taken;
        take_facts(&facts[i], &taken);
        again.length = 0;
        code_process(coding, &taken, &again, UINT64_MAX);
        free(taken.numbers);
    }
    fth_bit_writer_close(&coding->coder.bits);
    fth_bytes_free(&again);
    free_classes(coding);
    free(coding);
}

bool fth_facts_unpack(const uint8_t *packed, size_t length, uint32_t version,
                      struct fth_bytes **facts, uint32_t *count)
{
    struct fth_view view = fth_view_of(packed, length);
    uint64_t processes = fth_view_varint(&view), left = FTH_SECTION_MOST_RAW(length);
    *facts = NULL;
    *count = 0;
    if (view.failed || processes > left / sizeof(uint64_t))
        return false;
    struct coding *coding = fth_new(1, sizeof *coding);
    coding->draws_images = version < FTH_TRACE_REFERS_TO_IMAGES;
    fth_bit_reader_open(&coding->coder.bits, view);
    while (*count < processes && !coding->failed) {
        FTH_GROW(*facts, *count);
        struct fth_bytes *made = &(*facts)[(*count)++];
        *made = (struct fth_bytes){0};
        code_process(coding, NULL, made, left);
        if (made->length > left)
            coding->failed = true;
        left -= coding->failed ? 0 : made->length;
    }
    bool good = !coding->failed && coding->coder.bits.from.at == coding->coder.bits.from.end;
    free_classes(coding);
    free(coding);
    return good;
}

void fth_facts_free(struct fth_bytes *facts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        fth_bytes_free(&facts[i]);
    free(facts);
}

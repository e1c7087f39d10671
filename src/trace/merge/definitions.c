/* The words of a live area: see definitions.h. */
#include "trace/merge/definitions.h"

#include "base/memory.h"
#include "trace/record/spill.h"

static void forget_kinds(struct fth_definitions *defined)
{
    for (uint32_t i = 0; i < defined->kind_count; i++)
        fth_call_kind_free(fth_defined_kind(defined, i));
    defined->kind_count = 0;
    defined->kinds.length = 0;
}

void fth_definitions_start(struct fth_definitions *defined)
{
    forget_kinds(defined);
    defined->string_count = 0;
    FTH_GROW(defined->strings, defined->string_count);
    defined->strings[defined->string_count++] = 0;
}

void fth_definitions_free(struct fth_definitions *defined)
{
    forget_kinds(defined);
    free(defined->strings);
    free(defined->kind_places);
    fth_bytes_free(&defined->kinds);
    *defined = (struct fth_definitions){0};
}

static void define_string(struct fth_definitions *defined, struct fth_walk *walk,
                          const uint32_t *words, uint32_t count)
{
    uint32_t length = words[2];
    if (length > (count - 3) * 4u)
        length = 0;
    FTH_GROW(defined->strings, defined->string_count);
    defined->strings[defined->string_count++] = fth_walk_text(walk, words + 3, length);
}

static bool has_right_values(const struct fth_signature *signature,
                             const struct fth_meaning *meaning, uint64_t steps)
{
    return (int)signature->count == meaning->value_count &&
           !(signature->mask >> signature->count) && !(signature->mask & steps) &&
           !(steps & ~(uint64_t)meaning->steppable);
}

static void add_kind(struct fth_definitions *defined, const struct fth_call_kind *kind)
{
    size_t bytes = offsetof(struct fth_call_kind, signature.values) +
                   kind->signature.count * sizeof *kind->signature.values;
    FTH_GROW(defined->kind_places, defined->kind_count);
    defined->kind_places[defined->kind_count++] = defined->kinds.length;
    memcpy(fth_bytes_room(&defined->kinds, sizeof *kind), kind, bytes); /* it may be read whole */
    defined->kinds.length += bytes;
}

static bool define_signature(struct fth_definitions *defined, const struct fth_walk *walk,
                             const uint32_t *words, uint32_t count)
{
    struct fth_call_kind kind = {.terminal = FTH_NO_TERMINAL};
    uint64_t head, steps = 0;
    memcpy(&head, words + 2, 8);
    if (head & FTH_HEAD_STEPS) {
        if (count < 6)
            return false;
        memcpy(&steps, words + count - 2, 8);
        count -= 2;
    }
    struct fth_signature *signature = &kind.signature;
    *signature = (struct fth_signature){.function = (uint32_t)head & 0xffff,
                                        .depth = (uint32_t)(head >> 16) & 0xff,
                                        .flags = (uint32_t)(head >> 24) & 0xff,
                                        .mask = (uint32_t)(head >> 32) & INT32_MAX,
                                        .steps = (uint32_t)steps,
                                        .count = (count - 4) / 2};
    if (signature->function >= walk->part->catalog->row_count)
        return false;
    if (signature->flags & FTH_HAS_SOURCE) {
        if (count < 6)
            return false;
        memcpy(&signature->source, words + count - 2, 8);
        signature->count--;
    }
    const struct fth_meaning *meaning = fth_builtin_meaning_in(walk->meanings, signature->function);
    if (!has_right_values(signature, meaning, steps))
        return false;
    for (unsigned i = 0; i < signature->count; i++) {
        int64_t value;
        memcpy(&value, words + 4 + 2 * i, 8);
        if (fth_is_name(meaning->plan[i].part))
            value =
                value > 0 && (uint64_t)value < defined->string_count ? defined->strings[value] : 0;
        signature->values[i] = value;
    }
    add_kind(defined, &kind);
    return true;
}

bool fth_define(struct fth_definitions *defined, struct fth_walk *walk, const uint32_t *words,
                const uint32_t *end, struct fth_signature **made)
{
    *made = NULL;
    if (end - words < 3 || words[1] < 3 || words[1] > end - words)
        return false;
    switch (words[0] & 0xff) {
    case FTH_LIVE_STRING:
        define_string(defined, walk, words, words[1]);
        return true;
    case FTH_LIVE_SIGNATURE:
        if (words[1] < 4 || !define_signature(defined, walk, words, words[1]))
            return false;
        *made = &fth_defined_kind(defined, defined->kind_count - 1)->signature;
        return true;
    default:
        return false;
    }
}

bool fth_call_kind_has(const struct fth_definitions *defined, const struct fth_live_call *call)
{
    return call->symbol < defined->kind_count &&
           (uint32_t)__builtin_popcount(fth_defined_kind(defined, call->symbol)->signature.mask) <=
               call->literal_count;
}

/* False: it is cut. */
static bool read_call(const uint32_t *words, const uint32_t *end, struct fth_live_call *call)
{
    if (end - words < 3)
        return false;
    uint64_t times[2] = {words[1], words[2]};
    call->words = words;
    call->symbol = *words & (FTH_LIVE_MOST_SYMBOLS - 1);
    call->literal_count = *words >> 24;
    const uint32_t *more = words + 3;
    if (end - more < (times[0] == FTH_LIVE_LONG) * 2 + (times[1] == FTH_LIVE_LONG) * 2 +
                         (int)call->literal_count * 2)
        return false;
    for (int i = 0; i < 2; i++)
        if (times[i] == FTH_LIVE_LONG) {
            memcpy(&times[i], more, 8);
            more += 2;
        }
    call->gap = times[0];
    call->duration = times[1];
    for (uint32_t i = 0; i < call->literal_count; i++, more += 2)
        if (i <= FTH_MOST_VALUES)
            memcpy(&call->literals[i], more, 8);
    call->end = more;
    return true;
}

bool fth_live_read(const uint32_t *words, const uint32_t *end,
                   bool (*define)(void *context, const uint32_t *words, const uint32_t *end),
                   bool (*call)(void *context, const struct fth_live_call *call), void *context)
{
    struct fth_live_call made;
    while (words < end) {
        if ((*words & FTH_LIVE_DEFINITION) == FTH_LIVE_DEFINITION) {
            if (!define(context, words, end))
                return false;
            words += words[1];
            continue;
        }
        if (!read_call(words, end, &made))
            break;
        if (!call(context, &made))
            return false;
        words = made.end;
    }
    return true;
}

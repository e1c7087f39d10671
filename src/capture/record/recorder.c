/* From a call's values to a symbol in the live area: strings and signatures are looked up, defined
 * when they are new, and values that defy prediction leave the signature. */
#include "base/mask.h"
#include "calls.h"
#include "capture/process/process.h"
#include "capture/process/unkept_calls.h"
#include "capture/record/modules.h"
#include "capture/record/plugin.h"
#include "capture/record/python_lines.h"
#include "capture/record/reference.h"
#include "capture/record/steps.h"
#include "capture/record/stream.h"
#include "capture/record/watch_phases.h"
#include "interpose/own/readable.h"

#include <string.h>

enum {
    SITE_PATIENCE = 64, /* new signatures at one site before a value of theirs becomes literal */
    SITE_FORGETS = 256, /* calls after which half of them are forgotten */
};

/* ---- definitions ---- */

static bool define(struct fth_recorder *recorder, uint32_t kind, const void *head,
                   size_t head_bytes, const void *bytes, size_t length)
{
    size_t words = 2 + (head_bytes + length + 3) / 4;
    uint32_t *at = fth_live_room(recorder, words);
    if (!at)
        return false;
    at[0] = FTH_LIVE_DEFINITION | kind;
    at[1] = (uint32_t)words;
    at[words - 1] = 0;
    memcpy(at + 2, head, head_bytes);
    if (length)
        memcpy((char *)(at + 2) + head_bytes, bytes, length);
    fth_live_used(recorder, at + words);
    return true;
}

static uint32_t number_of_text(struct fth_recorder *recorder, const void *bytes, size_t length)
{
    struct fth_known *strings = &recorder->signatures->strings;
    XXH128_hash_t hash = XXH3_128bits(bytes, length);
    uint32_t head = (uint32_t)length, number = fth_known_find(strings, hash);
    if (number)
        return number;
    if (!fth_known_has_room(strings) ||
        !define(recorder, FTH_LIVE_STRING, &head, sizeof head, bytes, length))
        return 0;
    return fth_known_add(strings, hash);
}

int64_t fth_bytes_as_text(struct fth_draft *draft, const void *bytes, size_t length)
{
    if (length > FTH_LONGEST_TEXT)
        length = FTH_LONGEST_TEXT;
    uint32_t number = number_of_text(draft->recorder, bytes, length);
    if (FTH_UNLIKELY(fth_reference_is_kept))
        fth_reference_text(draft->recorder, number, bytes, length);
    return number;
}

int64_t fth_text(struct fth_draft *draft, const char *text)
{
    text = fth_given_text(draft, text);
    return text ? fth_bytes_as_text(draft, text, strnlen(text, FTH_LONGEST_TEXT)) : 0;
}

int64_t fth_data(const struct fth_draft *draft, const char *text)
{
    text = fth_given_text(draft, text);
    return text ? (int64_t)strlen(text) : FTH_ABSENT;
}

int64_t fth_command(struct fth_draft *draft, const char *text)
{
    struct fth_mask mask = {.names = fth_masked_names};
    text = fth_given_text(draft, text);
    if (!text || !fth_masked_names)
        return fth_text(draft, text);
    char *masked = draft->recorder->text;
    return fth_bytes_as_text(draft, masked, fth_mask(&mask, text, masked, FTH_LONGEST_TEXT));
}

int64_t fth_texts(struct fth_draft *draft, char *const *texts)
{
    char *joined = draft->recorder->text;
    size_t used = 0;
    struct fth_mask mask = {.names = fth_masked_names};
    if (!texts || (!draft->worked && !fth_are_readable_texts(texts)))
        return 0;
    for (; *texts && used < FTH_LONGEST_TEXT; texts++) {
        if (fth_masked_names) {
            used += fth_mask(&mask, *texts, joined + used, FTH_LONGEST_TEXT - used) + 1;
            continue;
        }
        size_t length = strnlen(*texts, FTH_LONGEST_TEXT - used - 1);
        memcpy(joined + used, *texts, length);
        used += length;
        joined[used++] = 0;
    }
    return fth_bytes_as_text(draft, joined, used);
}

static uint8_t *put_zigzag(uint8_t *to, int64_t integer)
{
    uint64_t value = ((uint64_t)integer << 1) ^ (uint64_t)(integer >> 63);
    for (; value >= 0x80; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to++ = (uint8_t)value;
    return to;
}

static int64_t integer_at(const char *at, unsigned width)
{
    int32_t narrow;
    int64_t wide;
    if (width == 4) {
        memcpy(&narrow, at, 4);
        return narrow;
    }
    memcpy(&wide, at, 8);
    return wide;
}

int64_t fth_list(struct fth_draft *draft, const void *integers, int64_t n, unsigned width)
{
    uint8_t *packed = (uint8_t *)draft->recorder->text, *to = packed;
    if (!integers || n < 0)
        return 0;
    if (n > FTH_LONGEST_LIST)
        n = FTH_LONGEST_LIST;
    if (!draft->worked && !fth_is_readable(integers, (size_t)n * width))
        return 0;
    for (int64_t i = 0; i < n; i++)
        to = put_zigzag(to, integer_at((const char *)integers + i * width, width));
    return fth_bytes_as_text(draft, packed, (size_t)(to - packed));
}

int64_t fth_lists(struct fth_draft *draft, const void *lists, int64_t n, int64_t each,
                  unsigned width)
{
    uint8_t *packed = (uint8_t *)draft->recorder->text, *to = packed;
    const char *const *list = lists;
    if (!draft->worked || !lists || n < 0 || each < 0 || n > FTH_LONGEST_LIST ||
        each > FTH_LONGEST_LIST || n * each > FTH_LONGEST_LIST)
        return 0;
    for (int64_t i = 0; i < n * each; i++) {
        const char *at = list[i / each];
        to = put_zigzag(to, at ? integer_at(at + i % each * width, width) : 1);
    }
    return fth_bytes_as_text(draft, packed, (size_t)(to - packed));
}

/* ---- signatures ---- */

static inline bool same_key(const uint64_t *one, const uint64_t *other, unsigned words)
{
    for (unsigned i = 0; i < words; i++)
        if (one[i] != other[i])
            return false;
    return true;
}

/* Generated: the values of each row that may leave the signature (plain integers, not the numbers
 * of strings and lists), and which of them may be steps. */
extern const uint32_t fth_literal_values[], fth_step_values[];

static uint32_t literal_values(uint32_t function)
{
    const struct fth_plugin_call *call = fth_plugin_call(function);
    return call ? call->literal_values : fth_literal_values[function];
}

static uint32_t step_values(uint32_t function)
{
    const struct fth_plugin_call *call = fth_plugin_call(function);
    return call ? call->step_values : fth_step_values[function];
}

/* A new signature came up at this site. When too many do, the value that changes most is kept as a
 * step from now on; if it is one already, it becomes literal. */
static void judge_site(struct fth_recorder_site *site, const struct fth_draft *draft)
{
    uint64_t calls = draft->recorder->signatures->calls;
    bool may_step = !draft->recorder->stepping->off;
    uint32_t function = (uint32_t)draft->head & 0xffff;
    uint64_t halvings = (calls - site->calls) / SITE_FORGETS;
    site->score = halvings > 31 ? 0 : site->score >> halvings;
    site->calls = calls;
    for (int i = 0; i < draft->count; i++)
        site->changes[i] =
            (uint16_t)(site->changes[i] + (site->key[i + 1] != (uint64_t)draft->values[i]));
    if (++site->score < SITE_PATIENCE)
        return;
    int most = -1;
    for (int i = 0; i < draft->count; i++)
        if ((literal_values(function) >> i & 1) && !(site->mask >> i & 1) &&
            (most < 0 || site->changes[i] > site->changes[most]))
            most = i;
    if (most >= 0 && site->changes[most] > SITE_PATIENCE / 4) {
        uint32_t value = 1u << most;
        if (may_step && (step_values(function) & value & ~site->steps)) {
            site->steps |= value;
        } else {
            site->steps &= ~value;
            site->mask |= value;
        }
    }
    site->score = 0;
    memset(site->changes, 0, sizeof site->changes);
}

/* Where the call is made, as it is the same in each process of the program: the module's text and
 * the place in it. 0: nobody knows. */
static uint64_t portable_source(struct fth_recorder *recorder, uint64_t source)
{
    if (recorder->is_from_python) {
        size_t length = fth_python_place_text(&recorder->python, recorder->text);
        uint64_t text = number_of_text(recorder, recorder->text, length);
        return text ? text << FTH_SOURCE_BITS | (uint64_t)recorder->python.inner.line : 0;
    }
    struct fth_code_place place;
    if (!fth_code_place(source & FTH_CODE_ADDRESS, &place) || place.offset > FTH_SOURCE_OFFSET)
        return 0;
    uint64_t text = number_of_text(recorder, place.module, place.length);
    return text ? text << FTH_SOURCE_BITS | place.offset : 0;
}

/* Defines the signature `key`; returns its symbol + 1, or 0 when recording has stopped. */
static uint32_t define_signature(struct fth_recorder *recorder, const uint64_t *key, unsigned words,
                                 XXH128_hash_t hash)
{
    uint64_t *defined = recorder->defined;
    memcpy(defined, key, words * 8);
    if (key[0] >> 24 & FTH_HAS_SOURCE) {
        uint64_t *source = &defined[words - (key[0] & FTH_HEAD_STEPS ? 2 : 1)];
        *source = portable_source(recorder, *source);
    }
    if (!fth_known_has_room(&recorder->signatures->known) ||
        !define(recorder, FTH_LIVE_SIGNATURE, defined, words * 8, NULL, 0))
        return 0;
    return fth_known_add(&recorder->signatures->known, hash);
}

/* ---- commit ---- */

/* How much is forgotten with it. */
static unsigned worth(const struct fth_recorder_site *site)
{
    if (!site->tag)
        return 0;
    return 1 + site->score + (site->mask || site->steps ? SITE_PATIENCE : 0);
}

/* The keys of a site are as long as those of its function. */
static void begin_site(struct fth_recorder_site *site, uint32_t tag, int values)
{
    site->tag = tag;
    site->symbol = site->mask = site->steps = site->score = 0;
    site->calls = 0;
    memset(site->key, 0, ((size_t)values + 2) * sizeof *site->key);
    memset(site->changes, 0, (size_t)values * sizeof *site->changes);
}

/* Sites that meet in a place must not forget by turns which of their values change: what is in the
 * trace would depend on numbers of functions. */
static __attribute__((noinline)) struct fth_recorder_site *
find_other_site(struct fth_signatures *signatures, uint32_t tag, uint32_t place, int values)
{
    struct fth_recorder_site *site = &signatures->sites[place],
                             *other = &signatures->sites[place ^ FTH_SITES / 2];
    if (other->tag == tag)
        return other;
    if (site->tag && worth(other) <= worth(site))
        site = other;
    begin_site(site, tag, values);
    return site;
}

/* `salt` distinguishes calls that are made at several places in the program. */
static struct fth_recorder_site *find_site(struct fth_signatures *signatures,
                                           const struct fth_draft *draft, uint32_t salt)
{
    uint32_t tag = (uint32_t)(draft->head & 0xffff) + (uint32_t)(draft->site + 4) * 0x10000u + salt;
    uint32_t place = (tag ^ tag >> 13) & (FTH_SITES - 1);
    struct fth_recorder_site *site = &signatures->sites[place];
    return FTH_LIKELY(site->tag == tag) ? site
                                        : find_other_site(signatures, tag, place, draft->count);
}

/* Moves the values in `mask` out of the key; returns how many literals there are. */
static unsigned take_literals(struct fth_draft *draft, uint32_t mask, int64_t *literals)
{
    unsigned count = 0;
    for (; mask; mask &= mask - 1) {
        int i = __builtin_ctz(mask);
        literals[count++] = i == draft->predicted ? draft->position : draft->values[i];
        draft->values[i] = 0;
    }
    return count;
}

static uint32_t *put_ticks(uint32_t *at, uint64_t ticks)
{
    *at = ticks < FTH_LIVE_LONG ? (uint32_t)ticks : FTH_LIVE_LONG;
    return at + 1;
}

/* Writes the call into the live area. */
static inline __attribute__((always_inline)) void append(struct fth_recorder *recorder,
                                                         const struct fth_draft *draft,
                                                         uint32_t symbol, const int64_t *literals,
                                                         unsigned literal_count)
{
    uint32_t depth = (uint32_t)(draft->head >> 16) & 0xff;
    uint64_t begin = draft->begin, end = draft->end, gap;
    if (begin && recorder->last_depth > depth) {
        if (end < recorder->last_exit)
            end = recorder->last_exit;
        gap = end - recorder->last_exit;
    } else {
        if (begin < recorder->last_exit)
            begin = recorder->last_exit;
        gap = begin - recorder->last_exit;
    }
    if (end < begin)
        end = begin;
    uint64_t duration = end - begin;
    uint32_t *at = recorder->at;
    *at++ = symbol | literal_count << 24;
    at = put_ticks(at, gap);
    at = put_ticks(at, duration);
    if (FTH_UNLIKELY(gap >= FTH_LIVE_LONG)) {
        memcpy(at, &gap, 8);
        at += 2;
    }
    if (FTH_UNLIKELY(duration >= FTH_LIVE_LONG)) {
        memcpy(at, &duration, 8);
        at += 2;
    }
    for (unsigned i = 0; i < literal_count; i++, at += 2)
        memcpy(at, &literals[i], 8);
    fth_live_used(recorder, at);
    recorder->last_exit = end;
    if (draft->begin)
        recorder->last_depth = depth;
}

/* The symbol + 1 of the signature with this key, defined if it is new; 0 when recording has
 * stopped. */
static uint32_t find_symbol(struct fth_recorder *recorder, struct fth_recorder_site *site,
                            const struct fth_draft *draft, const uint64_t *key, unsigned words)
{
    XXH128_hash_t hash = XXH3_128bits(key, words * sizeof *key);
    uint32_t symbol = fth_known_find(&recorder->signatures->known, hash);
    if (FTH_UNLIKELY(!symbol)) {
        judge_site(site, draft);
        symbol = define_signature(recorder, key, words, hash);
        if (!symbol || !fth_live_room(recorder, FTH_SPARE_WORDS))
            return 0;
    }
    site->symbol = symbol;
    for (unsigned i = 0; i < words; i++)
        site->key[i] = key[i];
    return symbol;
}

/* A call whose key is ready goes into the trace. */
static inline __attribute__((always_inline)) bool
record_key(struct fth_draft *draft, struct fth_recorder_site *site, unsigned words,
           const int64_t *literals, unsigned literal_count)
{
    struct fth_recorder *recorder = draft->recorder;
    uint64_t *key = (uint64_t *)draft->values - 1;
    key[0] = draft->head;
    recorder->signatures->calls++;
    uint32_t symbol = site->symbol;
    if (!symbol || !same_key(site->key, key, words))
        symbol = find_symbol(recorder, site, draft, key, words);
    if (FTH_UNLIKELY(!symbol))
        return false;
    append(recorder, draft, symbol - 1, literals, literal_count);
    return true;
}

/* The trails move only when the call is in the trace: the reader knows no others. */
static __attribute__((noinline)) bool record_steps(struct fth_draft *draft,
                                                   struct fth_recorder_site *site,
                                                   const int64_t *literals, unsigned literal_count)
{
    unsigned words = (unsigned)draft->count + 1 + fth_steps_take(draft, site->steps);
    if (!record_key(draft, site, words, literals, literal_count))
        return false;
    fth_steps_done(draft->recorder->stepping);
    return true;
}

/* A signal handler may call functions of the system, but none of stdio or of libraries. */
static bool may_interrupt(const struct fth_draft *draft)
{
    const uint32_t safe =
        (FTH_CONTEXT_read | FTH_CONTEXT_fork | FTH_CONTEXT_sem_post) & FTH_CONTEXT_LAYERS;
    uint32_t own = draft->recorder->context & ~draft->context & FTH_CONTEXT_LAYERS;
    return !own || own & safe;
}

/* A call that the application makes itself, in regions or not, has behind its values the address to
 * which it returns, or a hash of the lines of Python. In other processes of the same program that
 * address is another one: what is defined is portable_source. */
static uint32_t keep_source(struct fth_draft *draft)
{
    bool is_inside_call = draft->context & ~(uint32_t)FTH_CONTEXT_mark_region;
    if (is_inside_call || !draft->stack)
        return 0;
    struct fth_recorder *recorder = draft->recorder;
    uint64_t address = fth_returns_to(draft->stack) & FTH_CODE_ADDRESS;
    uint64_t python = __atomic_load_n(&fth_python_is_known, __ATOMIC_ACQUIRE)
                          ? fth_python_place(&recorder->python, may_interrupt(draft))
                          : 0;
    recorder->is_from_python = python != 0;
    draft->head |= (uint64_t)FTH_HAS_SOURCE << 24;
    draft->values[draft->count++] =
        (int64_t)(python ? python : address | (uint64_t)fth_code_generation << 48);
    return (uint32_t)((python ? python : address) * 0x9E3779B97F4A7C15u >> 32);
}

/* The tables grow, or all starts anew. Behind a note stands the call that it is for, and behind a
 * call that is inside of one on a file stands that one: it may have named strings and bound handles
 * already. For some more calls there is room in the tables. */
static __attribute__((noinline)) void make_room(const struct fth_draft *draft)
{
    struct fth_recorder *recorder = draft->recorder;
    struct fth_known *known = &recorder->signatures->known,
                     *strings = &recorder->signatures->strings;
    bool is_over = !known->most || (known->count >= known->most && !fth_known_grow(known));
    is_over |= strings->count >= strings->most && !fth_known_grow(strings);
    bool is_awaited = !draft->begin || draft->context & FTH_CONTEXT_FILE;
    bool can_wait = is_awaited && !(draft->begin && recorder->stream->is_urgent) &&
                    fth_known_has_room(known) && fth_known_has_room(strings);
    if (is_over && !can_wait)
        fth_start_anew(recorder);
}

/* Records the draft; the caller leaves. False: there is no room. */
static bool record(struct fth_draft *draft)
{
    struct fth_recorder *recorder = draft->recorder;
    struct fth_signatures *signatures = recorder->signatures;
    if (FTH_UNLIKELY(recorder->end - recorder->at < FTH_SPARE_WORDS) &&
        !fth_live_room(recorder, FTH_SPARE_WORDS))
        return false;
    uint32_t salt = FTH_UNLIKELY(fth_lines_are_kept) ? keep_source(draft) : 0;
    struct fth_recorder_site *site = find_site(signatures, draft, salt);
    int64_t *literals = recorder->literals;
    unsigned literal_count = 0;
    if (site->mask) {
        literal_count = take_literals(draft, site->mask, literals);
        draft->head |= (uint64_t)site->mask << 32;
    }
    bool recorded = FTH_UNLIKELY(site->steps) ? record_steps(draft, site, literals, literal_count)
                                              : record_key(draft, site, (unsigned)draft->count + 1,
                                                           literals, literal_count);
    if (FTH_UNLIKELY(signatures->known.count >= signatures->known.most ||
                     signatures->strings.count >= signatures->strings.most))
        make_room(draft);
    return recorded;
}

/* The same, in the reference too, if one is kept. */
bool fth_record_in_full(struct fth_draft *draft)
{
    if (!fth_reference_is_kept)
        return record(draft);
    fth_reference_call(draft);
    bool recorded = record(draft);
    fth_reference_settle(draft->recorder, recorded);
    return recorded;
}

/* What a lost call did to its cursor, the reader will not know. */
static void lose(struct fth_draft *draft)
{
    struct fth_recorder *recorder = draft->recorder;
    if (recorder->nowhere)
        fth_unkept_calls(1);
    else if (recorder->retired)
        recorder->live->lost++;
    else
        recorder->live->unkept++;
    if (draft->cursor)
        *draft->cursor = draft->cursor_before;
}

/* There was no room, maybe because the recording has ended that the call began in: then the next
 * one does not begin with this recorder. */
static void leave_retired(struct fth_draft *draft)
{
    fth_leave(draft);
    if (draft->recorder->retired)
        draft->recorder->busy = FTH_BUSY_ELSEWHERE;
}

/* A call that fth_least_ticks sends here: too short, or all of them go in a reference. */
static __attribute__((noinline)) void commit_rarely(struct fth_draft *draft)
{
    if (draft->end - draft->begin < fth_reference_least_ticks) {
        fth_leave_out(draft);
        return;
    }
    if (!fth_record_in_full(draft))
        lose(draft);
    fth_leave(draft);
}

/* A call that is not simply recorded. True: it is not recorded at all. */
static __attribute__((noinline)) bool is_settled(struct fth_draft *draft)
{
    switch (fth_wanted[draft->head & 0xffff]) {
    case FTH_FOLLOWED:
        fth_leave(draft);
        return true;
    case FTH_COUNTED: /* since it has begun */
    case FTH_TIMED:
        return fth_phase_watched(draft);
    case FTH_MEASURED:
        fth_phase_recorded(draft);
        return false;
    default:
        return false;
    }
}

void fth_commit(struct fth_draft *draft)
{
    if (FTH_UNLIKELY(fth_wanted[draft->head & 0xffff] != FTH_WANTED) && is_settled(draft))
        return;
    if (FTH_UNLIKELY(draft->end - draft->begin < fth_least_ticks)) {
        commit_rarely(draft);
        return;
    }
    if (FTH_UNLIKELY(!record(draft))) {
        lose(draft);
        leave_retired(draft);
        return;
    }
    fth_leave(draft);
}

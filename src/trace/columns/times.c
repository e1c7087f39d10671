/* Packing the times of a block: see times.h. */
#include "trace/columns/compress.h"
#include "trace/columns/times.h"

#include "base/memory.h"
#include "trace/columns/columns.h"
#include "trace/record/format.h"

enum {
    WIDEST = 8,
    MOST_FREQUENT = (1 << WIDEST) - 1,
    SLOTS = 4096, /* values that are counted; those that find no slot are rare */
    PROBES = 8,
    NO_SLOT = SLOTS,
    TRIAL_EVERY = 16,       /* blocks */
    WORTH_STATISTICS = 256, /* bytes */
    WORTH_A_TRIAL = 512,    /* values: fewer are judged by their counts */
    /* calls of a block that is coded at once: to try all else takes more time than all other work
     * on so short a process */
    FEW_CALLS = 2048,
    WIDTHS = 5,
};
#define ESTIMATES_WITHIN 1.5 /* of the lowest: else a width is not even tried */

struct counted {
    uint64_t value;
    uint32_t count;
    uint16_t slot;
};

/* How often each value of a group occurs. */
struct survey {
    uint64_t values[SLOTS];
    uint32_t counts[SLOTS];
    uint8_t codes[SLOTS + 1]; /* 0: a rare one */
    uint16_t used[SLOTS];
    uint32_t used_count;
    uint16_t slots[FTH_BLOCK_CALLS]; /* of the group's values in order */
    struct counted frequent[SLOTS];  /* that occur twice at least, most frequent first */
    uint32_t frequent_count;
};

struct group {
    uint32_t key, first, count;
};

/* A block before compression, in stretches that zstd makes statistics of: codes of a group, or of
 * several small ones, and the rare values of a column. */
struct made {
    struct fth_bytes bytes;
    size_t ends[FTH_TIMES_MOST_RAW * FTH_BLOCK_CALLS / WORTH_STATISTICS + 2], count;
};

struct fth_times_room {
    uint64_t values[FTH_TIME_COLUMNS][FTH_BLOCK_CALLS];
    uint32_t keys[FTH_ARRANGEMENTS][FTH_BLOCK_CALLS];
    uint64_t arranged[FTH_BLOCK_CALLS];
    uint32_t group_of[FTH_BLOCK_CALLS];
    struct group groups[FTH_BLOCK_CALLS];
    uint32_t group_count;
    uint32_t *group_of_key; /* + 1; all 0 between two blocks */
    uint32_t key_limit;
    struct survey survey;
    struct fth_bytes rare, tried, packed;
    struct made made;
};

/* ---- gathering ---- */

void fth_times_make_room(struct fth_times *times)
{
    times->room = fth_new(1, sizeof *times->room);
    for (int i = 0; i < FTH_TIME_COLUMNS; i++)
        times->values[i] = times->room->values[i];
    for (int i = 0; i < FTH_ARRANGEMENTS; i++)
        times->keys[i] = times->room->keys[i];
}

void fth_times_forget(struct fth_times *times)
{
    for (int i = 0; i < FTH_ARRANGEMENTS; i++) {
        free(times->widths[i]);
        times->widths[i] = NULL;
        times->width_limits[i] = 0;
    }
    times->tried_calls = times->blocks = 0;
}

void fth_times_free(struct fth_times *times)
{
    fth_times_forget(times);
    if (!times->room)
        return;
    free(times->room->group_of_key);
    fth_bytes_free(&times->room->rare);
    fth_bytes_free(&times->room->tried);
    fth_bytes_free(&times->room->made.bytes);
    fth_bytes_free(&times->room->packed);
    free(times->room);
    *times = (struct fth_times){0};
}

/* ---- frequent values ---- */

static uint16_t slot_of(struct survey *survey, uint64_t value)
{
    uint32_t at = (uint32_t)(value * 0x9E3779B97F4A7C15u >> 40);
    for (int probe = 0; probe < PROBES; probe++, at++) {
        at %= SLOTS;
        if (survey->counts[at] && survey->values[at] == value)
            return (uint16_t)at;
        if (!survey->counts[at]) {
            survey->values[at] = value;
            survey->used[survey->used_count++] = (uint16_t)at;
            return (uint16_t)at;
        }
    }
    return NO_SLOT;
}

static int by_count(const void *one, const void *other)
{
    const struct counted *a = one, *b = other;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return a->value < b->value ? -1 : a->value > b->value;
}

static int by_value(const void *one, const void *other)
{
    const struct counted *a = one, *b = other;
    return a->value < b->value ? -1 : a->value > b->value;
}

static void take_survey(struct survey *survey, const uint64_t *values, uint32_t count)
{
    for (uint32_t i = 0; i < survey->used_count; i++)
        survey->counts[survey->used[i]] = 0;
    survey->used_count = survey->frequent_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint16_t slot = slot_of(survey, values[i]);
        survey->slots[i] = slot;
        if (slot != NO_SLOT)
            survey->counts[slot]++;
    }
    for (uint32_t i = 0; i < survey->used_count; i++) {
        uint16_t slot = survey->used[i];
        if (survey->counts[slot] > 1)
            survey->frequent[survey->frequent_count++] =
                (struct counted){survey->values[slot], survey->counts[slot], slot};
    }
    qsort(survey->frequent, survey->frequent_count, sizeof *survey->frequent, by_count);
}

/* ---- a group ---- */

static uint32_t frequent_by(const struct survey *survey, unsigned width)
{
    uint32_t most = width ? fth_time_codes(width) : 1;
    return survey->frequent_count < most ? survey->frequent_count : most;
}

/* The codes of all values, and those that are rare. */
static void put_values(struct fth_bytes *to, struct fth_bytes *rare, const struct survey *survey,
                       const uint64_t *values, uint32_t count, unsigned width)
{
    uint8_t *packed = fth_bytes_room(to, ((size_t)count * width + 7) / 8), *first = packed;
    uint8_t *at = fth_bytes_room(rare, (size_t)count * FTH_VARINT_MAX), *first_rare = at;
    unsigned bits = 0, used = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t code = survey->codes[survey->slots[i]];
        bits |= (unsigned)code << used;
        used += width;
        if (used == 8) {
            *packed++ = (uint8_t)bits;
            bits = used = 0;
        }
        if (!code)
            at = fth_put_varint(at, values[i]);
    }
    if (used)
        *packed++ = (uint8_t)bits;
    to->length += (size_t)(packed - first);
    rare->length += (size_t)(at - first_rare);
}

/* The group that was surveyed. `width` 0: all values are the same, or all are rare. */
static void put_group(struct fth_bytes *to, struct fth_bytes *rare, struct survey *survey,
                      const uint64_t *values, uint32_t count, unsigned width)
{
    struct counted frequent[MOST_FREQUENT];
    uint32_t most = frequent_by(survey, width);
    if (width == 0 && (!most || survey->frequent[0].count != count))
        most = 0;
    memcpy(frequent, survey->frequent, most * sizeof *frequent);
    qsort(frequent, most, sizeof *frequent, by_value);
    for (uint32_t i = 0; i < survey->used_count; i++)
        survey->codes[survey->used[i]] = 0;
    survey->codes[NO_SLOT] = 0;
    fth_bytes_varint(to, width);
    fth_bytes_varint(to, most);
    for (uint32_t i = 0; i < most; i++) {
        fth_bytes_varint(to, i ? frequent[i].value - frequent[i - 1].value : frequent[i].value);
        survey->codes[frequent[i].slot] = (uint8_t)(i + 1);
    }
    put_values(to, rare, survey, values, count, width);
}

/* Bytes that the group may take: codes cost what their frequency says, but a byte of them a bit at
 * least. */
static double estimate(const struct survey *survey, uint32_t count, unsigned width)
{
    uint32_t most = width ? frequent_by(survey, width) : 0, rare = count;
    double bits = 0, table = 0;
    for (uint32_t i = 0; i < most; i++) {
        uint32_t often = survey->frequent[i].count;
        for (uint32_t all = count; all > often; all -= all / 2) /* about log2(count / often) */
            bits += often;
        table += 8;
        rare -= often;
    }
    if (bits < (double)count * width / 8)
        bits = (double)count * width / 8;
    return bits + table + 6.0 * rare;
}

/* How many bytes the group takes by this width. */
static size_t try_width(struct fth_times_room *room, const uint64_t *values, uint32_t count,
                        unsigned width)
{
    struct fth_bytes *tried = &room->tried, *packed = &room->packed, rare = {0};
    tried->length = packed->length = 0;
    put_group(tried, &rare, &room->survey, values, count, width);
    fth_bytes_put(tried, rare.data, rare.length);
    fth_bytes_free(&rare);
    fth_compress_stretches(tried->data, &tried->length, 1, packed);
    return packed->length;
}

static unsigned find_width(struct fth_times_room *room, const uint64_t *values, uint32_t count)
{
    static const unsigned widths[WIDTHS] = {0, 1, 2, 4, 8};
    double costs[WIDTHS], least = 0;
    int best = 0;
    for (int i = 0; i < WIDTHS; i++) {
        costs[i] = estimate(&room->survey, count, widths[i]);
        best = costs[i] < costs[best] ? i : best;
    }
    if (count < WORTH_A_TRIAL)
        return widths[best];
    double most = costs[best] * ESTIMATES_WITHIN;
    for (int i = 0; i < WIDTHS; i++) {
        if (costs[i] > most)
            continue;
        double cost = (double)try_width(room, values, count, widths[i]);
        if (!least || cost < least) {
            least = cost;
            best = i;
        }
    }
    return widths[best];
}

static unsigned width_of(struct fth_times *times, enum fth_arrangement arrangement, uint32_t key,
                         unsigned column, const uint64_t *values, uint32_t count, bool trial)
{
    const struct survey *survey = &times->room->survey;
    if (!survey->frequent_count || survey->frequent[0].count == count)
        return 0;
    uint32_t place = key * FTH_TIME_COLUMNS + column;
    times->widths[arrangement] =
        fth_reach(times->widths[arrangement], &times->width_limits[arrangement], place, 1);
    uint8_t *width = &times->widths[arrangement][place];
    if (!*width || trial)
        *width = (uint8_t)(find_width(times->room, values, count) + 1);
    return *width - 1u;
}

/* ---- arrangements ---- */

/* Numbers the groups in order of their first calls. */
static void make_groups(struct fth_times *times, enum fth_arrangement arrangement)
{
    struct fth_times_room *room = times->room;
    const uint32_t *keys = room->keys[arrangement];
    room->group_count = 0;
    for (uint32_t i = 0; i < times->calls; i++) {
        if (keys[i] >= room->key_limit)
            room->group_of_key = fth_reach(room->group_of_key, &room->key_limit, keys[i],
                                           sizeof *room->group_of_key);
        uint32_t *group = &room->group_of_key[keys[i]];
        if (!*group) {
            room->groups[room->group_count] = (struct group){.key = keys[i]};
            *group = ++room->group_count;
        }
        room->group_of[i] = *group - 1;
        room->groups[*group - 1].count++;
    }
    for (uint32_t i = 0, first = 0; i < room->group_count; i++) {
        room->groups[i].first = first;
        first += room->groups[i].count;
        room->group_of_key[room->groups[i].key] = 0;
    }
}

static const uint64_t *arrange(struct fth_times *times, unsigned column)
{
    struct fth_times_room *room = times->room;
    if (room->group_count == 1)
        return room->values[column];
    uint32_t *next = fth_new(room->group_count, sizeof *next);
    for (uint32_t i = 0; i < room->group_count; i++)
        next[i] = room->groups[i].first;
    for (uint32_t i = 0; i < times->calls; i++)
        room->arranged[next[room->group_of[i]]++] = room->values[column][i];
    free(next);
    return room->arranged;
}

/* Short ones are not worth statistics of their own. */
static void end_stretch(struct made *made)
{
    size_t begin = made->count ? made->ends[made->count - 1] : 0;
    if (made->count && made->bytes.length - begin < WORTH_STATISTICS)
        made->count--;
    made->ends[made->count++] = made->bytes.length;
}

/* The block by one arrangement. */
static void put_arranged(struct fth_times *times, enum fth_arrangement arrangement, bool trial,
                         struct made *made)
{
    struct fth_bytes *to = &made->bytes;
    struct fth_times_room *room = times->room;
    made->bytes.length = made->count = 0;
    make_groups(times, arrangement);
    fth_bytes_varint(to, arrangement);
    if (arrangement != FTH_TIMES_IN_SEQUENCE) {
        fth_bytes_varint(to, room->group_count);
        for (uint32_t i = 0; i < room->group_count; i++)
            fth_bytes_varint(to, room->groups[i].count);
    }
    for (unsigned column = 0; column < FTH_TIME_COLUMNS; column++) {
        const uint64_t *arranged = arrange(times, column);
        room->rare.length = 0;
        for (uint32_t i = 0; i < room->group_count; i++) {
            const struct group *group = &room->groups[i];
            const uint64_t *values = arranged + group->first;
            take_survey(&room->survey, values, group->count);
            unsigned width =
                width_of(times, arrangement, group->key, column, values, group->count, trial);
            put_group(to, &room->rare, &room->survey, values, group->count, width);
            end_stretch(made);
        }
        fth_bytes_put(to, room->rare.data, room->rare.length);
        end_stretch(made);
    }
}

/* By which arrangement is this block the smallest? */
static enum fth_arrangement find_arrangement(struct fth_times *times)
{
    struct made *made = &times->room->made;
    struct fth_bytes packed = {0};
    enum fth_arrangement best = FTH_TIMES_IN_SEQUENCE;
    size_t least = SIZE_MAX;
    for (int i = 0; i < FTH_ARRANGEMENTS; i++) {
        packed.length = 0;
        make_groups(times, (enum fth_arrangement)i);
        if (i && times->room->group_count > times->calls / 4)
            continue;
        put_arranged(times, (enum fth_arrangement)i, true, made);
        fth_compress_stretches(made->bytes.data, made->ends, made->count, &packed);
        if (packed.length < least) {
            least = packed.length;
            best = (enum fth_arrangement)i;
        }
    }
    fth_bytes_free(&packed);
    return best;
}

/* The block coded, by function. */
static void code(struct fth_times *times, struct fth_bytes *to)
{
    struct fth_times_room *room = times->room;
    uint64_t *columns[FTH_TIME_COLUMNS];
    make_groups(times, FTH_TIMES_BY_FUNCTION);
    uint32_t *counts = fth_new(room->group_count, sizeof *counts);
    for (uint32_t i = 0; i < room->group_count; i++)
        counts[i] = room->groups[i].count;
    for (unsigned i = 0; i < FTH_TIME_COLUMNS; i++) {
        columns[i] = fth_new(times->calls, sizeof *columns[i]);
        memcpy(columns[i], arrange(times, i), times->calls * sizeof *columns[i]);
    }
    fth_times_put_coded(to, (const uint64_t *const *)columns, counts, room->group_count);
    for (unsigned i = 0; i < FTH_TIME_COLUMNS; i++)
        free(columns[i]);
    free(counts);
}

/* The block coded, if that takes less than what stands in `to` from `place` on. */
static bool put_coded(struct fth_times *times, struct fth_bytes *to, size_t place)
{
    struct fth_bytes coded = {0};
    code(times, &coded);
    bool shorter = coded.length < to->length - place;
    if (shorter) {
        to->length = place;
        fth_bytes_put(to, coded.data, coded.length);
    }
    fth_bytes_free(&coded);
    return shorter;
}

/* The block as frequent values, by the arrangement that takes the least. Returns its bytes before
 * they were compressed. */
static size_t put_packed(struct fth_times *times, struct fth_bytes *to)
{
    struct made *made = &times->room->made;
    if (times->blocks % TRIAL_EVERY == 0 || times->calls / 4 > times->tried_calls) {
        times->arrangement = find_arrangement(times);
        times->tried_calls = times->calls;
        times->blocks = 0;
    }
    times->blocks++;
    put_arranged(times, times->arrangement, false, made);
    fth_compress_stretches(made->bytes.data, made->ends, made->count, to);
    return made->bytes.length;
}

uint64_t fth_times_pack(struct fth_times *times, struct fth_bytes *to)
{
    size_t place = to->length, packed = 0;
    bool coded = times->calls && times->calls < FEW_CALLS;
    if (coded)
        code(times, to);
    else
        packed = put_packed(times, to);
    if (!coded)
        coded = times->calls < FTH_BLOCK_CALLS && put_coded(times, to, place);
    times->calls = 0;
    return coded ? FTH_TIMES_CODED : packed;
}

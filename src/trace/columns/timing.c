/* When calls were, and what is kept of it: see timing.h. */
#include "trace/columns/timing.h"

#include "base/memory.h"

/* ---- writing ---- */

void fth_timing_close(struct fth_timing *timing)
{
    fth_bins_free(&timing->bins);
    fth_mean_writer_free(&timing->means);
}

void fth_timing_begin_track(struct fth_timing *timing, uint64_t kept)
{
    if (kept != timing->kept) {
        fth_bins_free(&timing->bins);
        if (fth_time_percent(kept))
            fth_bins_init(&timing->bins, fth_time_percent(kept));
    }
    timing->kept = kept;
    timing->nest.levels = timing->shown_nest.levels = 0;
}

static enum fth_time_form form_of(const struct fth_timing *timing,
                                  const struct fth_timed_call *call, uint64_t entry)
{
    const struct fth_nest *nest = &timing->nest;
    if (!call->holds)
        return FTH_FORM_PLAIN;
    bool around = fth_nest_has(nest, call->depth) && entry <= nest->entries[call->depth];
    return around ? FTH_FORM_AROUND : FTH_FORM_BEHIND;
}

static uint64_t before_by(uint64_t moment, uint64_t distance)
{
    return moment > distance ? moment - distance : 0;
}

/* The bin of what leads from one moment to a later one. What is shown is early by `early`, never
 * late: it is rounded up where that makes up for no more than this, else down. So it gets no
 * earlier than by the width of a bin. */
static uint64_t bin_forwards(const struct fth_bins *bins, uint64_t value, uint64_t early)
{
    uint32_t bin = fth_bin_of(bins, value);
    bool rounded = bins->values[bin] != value && bin + 1 < bins->count;
    return bin + (rounded && bins->values[bin + 1] - value <= early);
}

/* The same for what leads back. */
static uint64_t bin_backwards(const struct fth_bins *bins, uint64_t value, uint64_t early)
{
    uint32_t bin = fth_bin_of(bins, value);
    return bin + (value - bins->values[bin] > early && bin + 1 < bins->count);
}

/* Where a call with calls inside begins: not before what was before the first of them. */
static uint64_t begin_around(const struct fth_nest *nest, unsigned depth, uint64_t lead)
{
    uint64_t most = before_by(nest->entries[depth], nest->before[depth]);
    return nest->entries[depth] - (lead < most ? lead : most);
}

static void put_binned(struct fth_timing *timing, const struct fth_timed_call *call,
                       enum fth_time_form form, uint64_t before, uint64_t entry, uint64_t exit,
                       struct fth_times *times)
{
    const struct fth_bins *bins = &timing->bins;
    struct fth_nest *nest = &timing->shown_nest;
    uint64_t shown_before = timing->shown, begins, kept;
    uint64_t until = call->holds ? exit : entry;
    uint64_t gap = bin_forwards(bins, until - before, before - timing->shown);
    timing->shown += bins->values[gap];
    if (form == FTH_FORM_PLAIN) {
        begins = timing->shown;
        kept = bin_forwards(bins, exit - entry, entry - begins);
        timing->shown += bins->values[kept];
    } else if (form == FTH_FORM_AROUND) {
        uint64_t inside = timing->nest.entries[call->depth];
        uint64_t bin = bin_backwards(bins, inside - entry, inside - nest->entries[call->depth]);
        begins = begin_around(nest, call->depth, bins->values[bin]);
        kept = 2 * bin;
    } else {
        uint64_t bin = bin_backwards(bins, exit - entry, exit - timing->shown);
        begins = before_by(timing->shown, bins->values[bin]);
        kept = 2 * bin + 1;
    }
    fth_times_call(times, call->keys, gap, kept);
    if (!call->note)
        fth_nest_add(nest, call->depth, shown_before, begins);
}

static void put_mean(struct fth_timing *timing, const struct fth_timed_call *call,
                     enum fth_time_form form, uint64_t before, uint64_t entry, uint64_t exit)
{
    const struct fth_nest *nest = &timing->nest;
    bool around = form == FTH_FORM_AROUND,
         listed = form == FTH_FORM_BEHIND && fth_nest_has(nest, call->depth);
    fth_means_add(&timing->means, call->keys.signature, form, listed,
                  (call->holds ? exit : entry) - before,
                  (around ? nest->entries[call->depth] : exit) - entry, exit - entry);
}

void fth_timing_put_kept(struct fth_timing *timing, const struct fth_timed_call *call,
                         uint64_t before, uint64_t entry, uint64_t exit, struct fth_times *times)
{
    enum fth_time_form form = form_of(timing, call, entry);
    if (timing->kept == FTH_TIMES_OF_MEANS)
        put_mean(timing, call, form, before, entry, exit);
    else
        put_binned(timing, call, form, before, entry, exit, times);
    if (!call->note)
        fth_nest_add(&timing->nest, call->depth, before, entry);
}

/* ---- reading ---- */

void fth_timing_reader_free(struct fth_timing_reader *reader)
{
    fth_bins_free(&reader->bins);
    fth_means_free(&reader->means);
    free(reader->paces);
    *reader = (struct fth_timing_reader){0};
}

static void make_paces(struct fth_timing_reader *reader, uint32_t signatures)
{
    reader->paces = fth_new(signatures, sizeof *reader->paces);
    reader->signatures = signatures;
    for (uint32_t i = 0; i < reader->means.count; i++) {
        const struct fth_mean *mean = &reader->means.items[i];
        for (int k = 0; k < FTH_TIME_FORMS; k++) {
            const struct fth_mean_form *form = &mean->forms[k];
            reader->paces[mean->signature].gap[k] = fth_mean_weight(form->gap, form->calls);
            reader->paces[mean->signature].length[k] = fth_mean_weight(form->length, form->calls);
        }
    }
}

int fth_timing_read_track(struct fth_timing_reader *reader, uint64_t kept,
                          const struct fth_track *track, const uint8_t *means, uint32_t signatures,
                          struct fth_error **error)
{
    fth_timing_reader_free(reader);
    reader->kept = kept;
    if (fth_time_percent(kept))
        fth_bins_init(&reader->bins, fth_time_percent(kept));
    if (kept != FTH_TIMES_OF_MEANS)
        return 0;
    if (fth_means_read(&reader->means, means, track, signatures, error))
        return -1;
    make_paces(reader, signatures);
    return 0;
}

void fth_timing_read_block(struct fth_timing_reader *reader, const struct fth_track *track,
                           size_t number)
{
    const struct fth_block *block = &track->blocks[number];
    reader->now = reader->base = block->base;
    if (reader->kept != FTH_TIMES_OF_MEANS)
        return;
    bool last = number + 1 == track->block_count;
    reader->end = last ? block->base + reader->means.end : block[1].base;
    if (reader->end < reader->base)
        reader->end = reader->base;
    reader->left = block->calls;
    reader->gaps = reader->durations = 0;
    /* Durations are means; gaps take up what a block took more or less than the mean. */
    double span = (double)(reader->end - reader->base), gaps = (double)block->gap_weight / 256,
           durations = (double)block->duration_weight / 256;
    reader->duration_scale = durations > span ? span / durations / 256 : 1.0 / 256;
    reader->gap_scale = gaps > 0 && durations < span ? (span - durations) / gaps / 256 : 0;
}

static uint64_t passed(const struct fth_timing_reader *reader)
{
    double units = (double)reader->gaps * reader->gap_scale +
                   (double)reader->durations * reader->duration_scale;
    double most = (double)(reader->end - reader->base);
    return units < most ? reader->base + (uint64_t)units : reader->end;
}

static enum fth_time_form form_of_mean(struct fth_timing_reader *reader,
                                       const struct fth_timed_call *call)
{
    const struct fth_means *means = &reader->means;
    uint64_t number = reader->calls++;
    while (reader->behind < means->behind_count && means->behinds[reader->behind] < number)
        reader->behind++;
    if (!call->holds)
        return FTH_FORM_PLAIN;
    bool listed = reader->behind < means->behind_count && means->behinds[reader->behind] == number;
    return listed || !fth_nest_has(&reader->nest, call->depth) ? FTH_FORM_BEHIND : FTH_FORM_AROUND;
}

static bool read_mean(struct fth_timing_reader *reader, const struct fth_timed_call *call,
                      uint64_t *entry, uint64_t *exit)
{
    const struct fth_nest *nest = &reader->nest;
    enum fth_time_form form = form_of_mean(reader, call);
    if (!reader->left || call->keys.signature >= reader->signatures)
        return false;
    const struct fth_pace *pace = &reader->paces[call->keys.signature];
    uint64_t length = pace->length[form];
    reader->gaps += pace->gap[form];
    *entry = *exit = passed(reader);
    if (form == FTH_FORM_PLAIN) {
        reader->durations += length;
        *exit = passed(reader);
    }
    if (--reader->left == 0)
        *exit = reader->end;
    if (form == FTH_FORM_AROUND) {
        *entry = begin_around(nest, call->depth, length >> 8);
    } else if (form == FTH_FORM_BEHIND) {
        *entry = before_by(*exit, length >> 8);
    }
    return true;
}

static bool read_binned(struct fth_timing_reader *reader, const struct fth_timed_call *call,
                        struct fth_times_reader *times, uint64_t *entry, uint64_t *exit)
{
    const struct fth_bins *bins = &reader->bins;
    uint64_t gap, kept;
    if (!fth_times_next(times, call->keys, &gap, &kept))
        return false;
    uint64_t bin = call->holds ? kept / 2 : kept;
    if (gap >= bins->count || bin >= bins->count)
        return false;
    *entry = *exit = reader->now + bins->values[gap];
    if (!call->holds)
        *exit += bins->values[bin];
    else if (kept & 1 || !fth_nest_has(&reader->nest, call->depth))
        *entry = before_by(*exit, bins->values[bin]);
    else
        *entry = begin_around(&reader->nest, call->depth, bins->values[bin]);
    return true;
}

bool fth_timing_read_kept(struct fth_timing_reader *reader, const struct fth_timed_call *call,
                          struct fth_times_reader *times, uint64_t *entry, uint64_t *exit)
{
    bool good = reader->kept == FTH_TIMES_OF_MEANS ? read_mean(reader, call, entry, exit)
                                                   : read_binned(reader, call, times, entry, exit);
    if (good && !call->note)
        fth_nest_add(&reader->nest, call->depth, reader->now, *entry);
    reader->now = *exit;
    return good;
}

uint32_t fth_timing_foresee(const struct fth_timing_reader *reader, struct fth_time_keys keys,
                            struct fth_times_reader *times, struct fth_timed *timed, uint32_t most)
{
    const struct fth_time_place *place =
        reader->kept == FTH_TIMES_EXACT ? fth_times_place(times, keys) : NULL;
    if (!place)
        return 0;
    uint32_t count = place->end - place->next < most ? place->end - place->next : most;
    const uint64_t *gaps = times->values[0] + place->next;
    const uint64_t *durations = times->values[1] + place->next;
    uint64_t now = reader->now;
    for (uint32_t i = 0; i < count; i++) {
        timed[i].entry = now += gaps[i];
        timed[i].exit = now += durations[i];
    }
    return count;
}

void fth_timing_take(struct fth_timing_reader *reader, struct fth_time_keys keys,
                     struct fth_times_reader *times, const struct fth_timed *timed, uint32_t count)
{
    fth_times_place(times, keys)->next += count;
    reader->now = timed[count - 1].exit;
}

/* ---- calls in turn ---- */

/* Calls of several keys may have their times in one group. */
struct shared_places {
    uint32_t count, of[FTH_MOST_IN_TURN]; /* by turn: one of these */
    struct next {
        uint32_t next, end;
    } places[FTH_MOST_IN_TURN];
};

/* False: the block does not have all of them. */
static bool find_places(const struct fth_time_keys *keys, uint32_t period,
                        struct fth_times_reader *times, struct shared_places *shared)
{
    const struct fth_time_place *found[FTH_MOST_IN_TURN];
    for (uint32_t k = 0; k < period; k++) /* groups that begin move the places of others */
        if (!fth_times_place(times, keys[k]))
            return false;
    shared->count = 0;
    for (uint32_t k = 0; k < period; k++) {
        const struct fth_time_place *place = fth_times_place(times, keys[k]);
        uint32_t i = 0;
        while (i < shared->count && found[i] != place)
            i++;
        if (i == shared->count) {
            found[shared->count] = place;
            shared->places[shared->count++] = (struct next){place->next, place->end};
        }
        shared->of[k] = i;
    }
    return true;
}

uint32_t fth_timing_foresee_turns(const struct fth_timing_reader *reader,
                                  const struct fth_time_keys *keys, uint32_t period,
                                  struct fth_times_reader *times, struct fth_timed *timed,
                                  uint32_t most)
{
    struct shared_places shared;
    uint64_t now = reader->now;
    if (reader->kept != FTH_TIMES_EXACT || period > FTH_MOST_IN_TURN ||
        !find_places(keys, period, times, &shared))
        return 0;
    for (uint32_t i = 0, k = 0; i < most; i++) {
        struct next *place = &shared.places[shared.of[k]];
        if (place->next == place->end)
            return i;
        timed[i].entry = now += times->values[0][place->next];
        timed[i].exit = now += times->values[1][place->next++];
        k = k + 1 < period ? k + 1 : 0;
    }
    return most;
}

void fth_timing_take_turns(struct fth_timing_reader *reader, const struct fth_time_keys *keys,
                           uint32_t period, struct fth_times_reader *times,
                           const struct fth_timed *timed, uint32_t rounds)
{
    for (uint32_t k = 0; k < period; k++)
        fth_times_place(times, keys[k])->next += rounds;
    reader->now = timed[rounds * period - 1].exit;
}

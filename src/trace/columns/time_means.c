/* Means of times: see time_means.h. */
#include "trace/columns/compress.h"
#include "trace/columns/time_means.h"

#include "base/memory.h"
#include "trace/columns/columns.h"
#include "trace/record/format.h"
#include "trace/record/format.h"

uint64_t fth_mean_calls(const struct fth_mean *mean)
{
    uint64_t calls = 0;
    for (int i = 0; i < FTH_TIME_FORMS; i++)
        calls += mean->forms[i].calls;
    return calls;
}

uint64_t fth_mean_time(const struct fth_mean *mean)
{
    return mean->forms[FTH_FORM_PLAIN].length + mean->around + mean->forms[FTH_FORM_BEHIND].length;
}

uint64_t fth_mean_weight(uint64_t sum, uint64_t calls)
{
    unsigned __int128 weight = calls ? (((unsigned __int128)sum << 8) + calls / 2) / calls : 0;
    return weight < INT64_MAX ? (uint64_t)weight : INT64_MAX;
}

void fth_means_free(struct fth_means *means)
{
    for (uint32_t i = 0; i < means->count; i++)
        free(means->items[i].histogram);
    free(means->items);
    free(means->behinds);
    *means = (struct fth_means){0};
}

static unsigned bin_of(uint64_t duration)
{
    return duration ? 64 - (unsigned)__builtin_clzll(duration) : 0;
}

void fth_mean_add_to(const struct fth_mean *mean, uint64_t *bins)
{
    if (!mean->histogram) {
        bins[bin_of(mean->shortest)]++;
        return;
    }
    for (unsigned i = 0; i < FTH_HISTOGRAM; i++)
        bins[i] += mean->histogram[i];
}

/* ---- writing ---- */

static uint32_t item_of(struct fth_mean_writer *writer, uint32_t signature)
{
    writer->places =
        fth_reach(writer->places, &writer->place_limit, signature, sizeof *writer->places);
    uint32_t *place = &writer->places[signature];
    struct fth_means *means = &writer->means;
    if (!*place) {
        FTH_GROW(means->items, means->count);
        means->items[means->count] = (struct fth_mean){.signature = signature};
        *place = ++means->count;
    }
    return *place - 1;
}

static struct fth_mean_share *share_of(struct fth_mean_writer *writer, uint32_t item)
{
    writer->in_block =
        fth_reach(writer->in_block, &writer->in_block_limit, item, sizeof *writer->in_block);
    uint32_t *place = &writer->in_block[item];
    if (!*place) {
        FTH_GROW(writer->shares, writer->share_count);
        writer->shares[writer->share_count++] = (struct fth_mean_share){.item = item};
        *place = (uint32_t)(writer->share_count - writer->block_first);
    }
    return &writer->shares[writer->block_first + *place - 1];
}

static void add_duration(struct fth_mean *mean, uint64_t duration)
{
    uint64_t calls = fth_mean_calls(mean);
    if (calls == 1) {
        mean->shortest = mean->longest = duration;
        return;
    }
    if (!mean->histogram) {
        mean->histogram = fth_new(FTH_HISTOGRAM, sizeof *mean->histogram);
        mean->histogram[bin_of(mean->shortest)]++;
    }
    mean->histogram[bin_of(duration)]++;
    if (duration < mean->shortest)
        mean->shortest = duration;
    if (duration > mean->longest)
        mean->longest = duration;
}

void fth_means_add(struct fth_mean_writer *writer, uint32_t signature, enum fth_time_form form,
                   bool listed, uint64_t gap, uint64_t length, uint64_t duration)
{
    uint32_t item = item_of(writer, signature);
    struct fth_mean *mean = &writer->means.items[item];
    mean->forms[form].calls++;
    mean->forms[form].gap += gap;
    mean->forms[form].length += length;
    if (form == FTH_FORM_AROUND)
        mean->around += duration;
    add_duration(mean, duration);
    share_of(writer, item)->calls[form]++;
    if (listed) {
        FTH_GROW(writer->means.behinds, writer->means.behind_count);
        writer->means.behinds[writer->means.behind_count++] = writer->calls;
    }
    writer->calls++;
}

void fth_means_end_block(struct fth_mean_writer *writer)
{
    for (size_t i = writer->block_first; i < writer->share_count; i++)
        writer->in_block[writer->shares[i].item] = 0;
    FTH_GROW(writer->block_ends, writer->block_count);
    writer->block_ends[writer->block_count++] = writer->block_first = writer->share_count;
}

static uint64_t limited(unsigned __int128 weight)
{
    return weight < INT64_MAX ? (uint64_t)weight : INT64_MAX;
}

/* What the means of its calls add up to. */
static void weigh_block(const struct fth_mean_writer *writer, size_t number,
                        struct fth_block *block)
{
    unsigned __int128 gaps = 0, durations = 0;
    for (size_t i = number ? writer->block_ends[number - 1] : 0; i < writer->block_ends[number];
         i++) {
        const struct fth_mean_share *share = &writer->shares[i];
        const struct fth_mean *mean = &writer->means.items[share->item];
        for (int k = 0; k < FTH_TIME_FORMS; k++) {
            const struct fth_mean_form *form = &mean->forms[k];
            gaps += (unsigned __int128)fth_mean_weight(form->gap, form->calls) * share->calls[k];
            if (k == FTH_FORM_PLAIN)
                durations +=
                    (unsigned __int128)fth_mean_weight(form->length, form->calls) * share->calls[k];
        }
    }
    block->gap_weight = limited(gaps);
    block->duration_weight = limited(durations);
}

static void put_histogram(struct fth_bytes *to, const struct fth_mean *mean)
{
    unsigned first = bin_of(mean->shortest), last = bin_of(mean->longest);
    for (unsigned i = first; i <= last; i++)
        fth_bytes_varint(to, mean->histogram[i]);
}

static void put_mean(struct fth_bytes *to, const struct fth_mean *mean, uint32_t before)
{
    uint64_t mask = 0;
    for (unsigned i = 0; i < FTH_TIME_FORMS; i++)
        mask |= (uint64_t)(mean->forms[i].calls > 0) << i;
    fth_bytes_varint(to, mean->signature - before);
    fth_bytes_varint(to, mask);
    for (int i = 0; i < FTH_TIME_FORMS; i++) {
        if (!mean->forms[i].calls)
            continue;
        fth_bytes_varint(to, mean->forms[i].calls);
        fth_bytes_varint(to, mean->forms[i].gap);
        fth_bytes_varint(to, mean->forms[i].length);
    }
    if (mean->forms[FTH_FORM_AROUND].calls)
        fth_bytes_varint(to, mean->around);
    if (!mean->histogram)
        return;
    fth_bytes_varint(to, mean->shortest);
    fth_bytes_varint(to, mean->longest - mean->shortest);
    put_histogram(to, mean);
}

static int by_signature(const void *one, const void *other)
{
    const struct fth_mean *a = one, *b = other;
    return a->signature < b->signature ? -1 : a->signature > b->signature;
}

static void forget_track(struct fth_mean_writer *writer)
{
    for (uint32_t i = 0; i < writer->means.count; i++)
        writer->places[writer->means.items[i].signature] = 0;
    fth_means_free(&writer->means);
    free(writer->shares);
    free(writer->block_ends);
    writer->shares = NULL;
    writer->block_ends = NULL;
    writer->share_count = writer->block_first = writer->block_count = 0;
    writer->calls = 0;
}

void fth_means_end_track(struct fth_mean_writer *writer, uint64_t end, struct fth_track *track,
                         struct fth_bytes *to)
{
    struct fth_means *means = &writer->means;
    struct fth_bytes raw = {0};
    uint64_t before = 0;
    size_t stored = to->length;
    for (size_t i = 0; i < track->block_count; i++)
        weigh_block(writer, i, &track->blocks[i]);
    qsort(means->items, means->count, sizeof *means->items, by_signature);
    fth_bytes_varint(&raw, end - track->blocks[track->block_count - 1].base);
    fth_bytes_varint(&raw, means->behind_count);
    for (size_t i = 0; i < means->behind_count; before = means->behinds[i++])
        fth_bytes_varint(&raw, means->behinds[i] - before);
    fth_bytes_varint(&raw, means->count);
    for (uint32_t i = 0; i < means->count; i++)
        put_mean(&raw, &means->items[i], i ? means->items[i - 1].signature : 0);
    fth_compress(raw.data, raw.length, to);
    if (to->length - stored >= raw.length ||
        raw.length > FTH_SECTION_MOST_RAW(to->length - stored)) { /* readers would not believe it */
        to->length = stored;
        fth_bytes_put(to, raw.data, raw.length);
    }
    track->means_raw = raw.length;
    track->means_stored = to->length - stored;
    fth_bytes_free(&raw);
    forget_track(writer);
}

void fth_mean_writer_free(struct fth_mean_writer *writer)
{
    forget_track(writer);
    free(writer->places);
    free(writer->in_block);
    *writer = (struct fth_mean_writer){0};
}

/* ---- reading ---- */

/* Between the bins of the shortest and of the longest one, as many as there are calls. */
static bool read_histogram(struct fth_mean *mean, struct fth_view *view, uint64_t calls)
{
    uint64_t all = 0;
    mean->shortest = fth_view_varint(view);
    uint64_t more = fth_view_varint(view);
    if (view->failed || more > UINT64_MAX - mean->shortest)
        return false;
    mean->longest = mean->shortest + more;
    mean->histogram = fth_new(FTH_HISTOGRAM, sizeof *mean->histogram);
    for (unsigned i = bin_of(mean->shortest); i <= bin_of(mean->longest); i++) {
        mean->histogram[i] = fth_view_varint(view);
        if (mean->histogram[i] > calls - all)
            return false;
        all += mean->histogram[i];
    }
    return all == calls;
}

/* Adds their number to *all. */
static bool read_mean(struct fth_mean *mean, struct fth_view *view, uint64_t most, uint64_t *all)
{
    uint64_t mask = fth_view_varint(view), before = *all;
    if (mask == 0 || mask >> FTH_TIME_FORMS)
        return false;
    for (int i = 0; i < FTH_TIME_FORMS; i++) {
        if (!(mask >> i & 1))
            continue;
        struct fth_mean_form *form = &mean->forms[i];
        form->calls = fth_view_varint(view);
        form->gap = fth_view_varint(view);
        form->length = fth_view_varint(view);
        if (form->calls == 0 || form->calls > most - *all)
            return false;
        *all += form->calls;
    }
    if (mean->forms[FTH_FORM_AROUND].calls)
        mean->around = fth_view_varint(view);
    if (*all - before > 1)
        return read_histogram(mean, view, *all - before);
    mean->shortest = mean->longest = fth_mean_time(mean);
    return !view->failed;
}

static bool read_behinds(struct fth_means *means, struct fth_view *view, uint64_t calls)
{
    means->behind_count = fth_view_count(view, 1);
    means->behinds = fth_new(means->behind_count, sizeof *means->behinds);
    uint64_t number = 0;
    for (size_t i = 0; i < means->behind_count; i++) {
        uint64_t more = fth_view_varint(view);
        if ((i && !more) || more >= calls - number)
            return false;
        means->behinds[i] = number += more;
    }
    return !view->failed;
}

static bool read_table(struct fth_means *means, struct fth_view *view, uint64_t calls,
                       uint32_t signatures)
{
    uint64_t all = 0;
    means->end = fth_view_varint(view);
    if (!read_behinds(means, view, calls))
        return false;
    uint64_t count = fth_view_count(view, 5);
    if (view->failed || count > signatures)
        return false;
    means->items = fth_new(count, sizeof *means->items);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t more = fth_view_varint(view);
        uint32_t before = i ? means->items[i - 1].signature : 0;
        if ((i && !more) || more >= signatures - before)
            return false;
        means->items[means->count++].signature = before + (uint32_t)more;
        if (!read_mean(&means->items[i], view, calls, &all))
            return false;
    }
    return all == calls && !view->failed && view->at == view->end;
}

int fth_means_read(struct fth_means *means, const uint8_t *frame, const struct fth_track *track,
                   uint32_t signatures, struct fth_error **error)
{
    *means = (struct fth_means){0};
    uint64_t calls = 0;
    for (size_t i = 0; i < track->block_count; i++)
        calls += track->blocks[i].calls;
    uint8_t *raw = fth_new(track->means_raw, 1);
    int status = 0;
    if (track->means_stored == track->means_raw)
        memcpy(raw, frame, track->means_raw);
    else
        status = fth_decompress(frame, track->means_stored, raw, track->means_raw, error);
    struct fth_view view = fth_view_of(raw, track->means_raw);
    if (status == 0 && !read_table(means, &view, calls, signatures))
        status = fth_fail(error, "its means of times are damaged");
    free(raw);
    if (status)
        fth_means_free(means);
    return status;
}

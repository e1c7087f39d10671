/* Sizes and speeds. */
#include "analysis/extents/access_sizes.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Powers of two between the smallest and the largest of four fifths: what is wider is no range. */
enum { widest_range = 3 };

void fth_sizes_reach(struct fth_sizes *sizes, int bin)
{
    bool none = sizes->first == sizes->behind;
    if (bin >= sizes->first && bin < sizes->behind)
        return;
    uint8_t first = none || bin < sizes->first ? (uint8_t)bin : sizes->first,
            behind = none || bin >= sizes->behind ? (uint8_t)(bin + 1) : sizes->behind;
    uint64_t *bins = fth_new((size_t)(behind - first), sizeof *bins);
    if (!none)
        memcpy(bins + (sizes->first - first), sizes->bins,
               (size_t)(sizes->behind - sizes->first) * sizeof *bins);
    free(sizes->bins);
    sizes->bins = bins;
    sizes->first = first;
    sizes->behind = behind;
}

void fth_sizes_free(struct fth_sizes *sizes)
{
    free(sizes->bins);
    *sizes = (struct fth_sizes){0};
}

void fth_sizes_merge(struct fth_sizes *sizes, const struct fth_sizes *more)
{
    if (more->first == more->behind)
        return;
    fth_sizes_reach(sizes, more->first);
    fth_sizes_reach(sizes, more->behind - 1);
    for (int i = more->first; i < more->behind; i++)
        sizes->bins[i - sizes->first] += more->bins[i - more->first];
    sizes->largest = more->largest > sizes->largest ? more->largest : sizes->largest;
    if (sizes->usual == more->usual) {
        sizes->votes += more->votes;
        sizes->seen += more->seen;
    } else if (sizes->votes >= more->votes) {
        sizes->votes -= more->votes;
    } else {
        uint64_t against = sizes->votes;
        sizes->usual = more->usual;
        sizes->votes = more->votes - against;
        sizes->seen = more->seen;
    }
}

static uint64_t count(const struct fth_sizes *sizes)
{
    uint64_t total = 0;
    for (int i = sizes->first; i < sizes->behind; i++)
        total += sizes->bins[i - sizes->first];
    return total;
}

uint64_t fth_sizes_edge(int bin)
{
    return bin ? (uint64_t)1 << (bin - 1) : 0;
}

/* The bin that the smallest one is in of which so many of 100 are not larger. */
static int bin_at(const struct fth_sizes *sizes, uint64_t total, uint64_t percent)
{
    uint64_t seen = 0;
    for (int i = sizes->first; i < sizes->behind; i++) {
        seen += sizes->bins[i - sizes->first];
        if (seen && 100 * seen >= percent * total)
            return i;
    }
    return 0;
}

uint64_t fth_sizes_median(const struct fth_sizes *sizes)
{
    uint64_t total = count(sizes);
    return 2 * sizes->seen > total ? sizes->usual : fth_sizes_edge(bin_at(sizes, total, 50));
}

struct fth_phrase fth_sizes_phrase(const struct fth_sizes *sizes)
{
    uint64_t total = count(sizes);
    struct fth_phrase phrase;
    if (2 * sizes->seen > total) {
        snprintf(phrase.text, sizeof phrase.text, "%s %.12s",
                 sizes->seen == total ? "of" : "mostly of", fth_phrase_bytes(sizes->usual).text);
        return phrase;
    }
    int first = bin_at(sizes, total, 10), last = bin_at(sizes, total, 90);
    int middle = bin_at(sizes, total, 50);
    uint64_t behind = last < 64 ? (uint64_t)1 << last : UINT64_MAX;
    uint64_t most = behind < sizes->largest ? behind : sizes->largest;
    if (last - first <= widest_range)
        snprintf(phrase.text, sizeof phrase.text, "mostly of %.12s to %.12s",
                 fth_phrase_bytes(fth_sizes_edge(first)).text, fth_phrase_bytes(most).text);
    else if (middle < sizes->behind - 1)
        snprintf(phrase.text, sizeof phrase.text, "of many sizes (half below %.12s)",
                 fth_phrase_bytes(fth_sizes_edge(middle + 1)).text);
    else
        snprintf(phrase.text, sizeof phrase.text, "of many sizes (half of %.12s or more)",
                 fth_phrase_bytes(fth_sizes_edge(middle)).text);
    return phrase;
}

void fth_speed_of_large(struct fth_speed *best, uint64_t bytes, int64_t time)
{
    if (time <= 0)
        return;
    if (!best->time || (double)bytes / (double)time > (double)best->bytes / (double)best->time)
        *best = (struct fth_speed){bytes, time};
}

int64_t fth_speed_time(const struct fth_speed *best, uint64_t bytes)
{
    double speed = best->time ? (double)best->bytes / (double)best->time : 4.0 * (1 << 30) / 1e9;
    double time = (double)bytes / speed;
    return time < 9e18 ? (int64_t)time : INT64_MAX;
}

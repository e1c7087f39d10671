/* Numbers in three digits and a unit. */
#include "base/phrase.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SECOND INT64_C(1000000000)

/* Three digits that mean something: 1.23, 12.3, 123. */
static struct fth_phrase three_digits(double value, const char *unit)
{
    struct fth_phrase phrase;
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    snprintf(phrase.text, sizeof phrase.text, "%.*f%s", decimals, value, unit);
    return phrase;
}

struct fth_phrase fth_phrase_bytes(uint64_t bytes)
{
    static const char *const units[] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
    struct fth_phrase phrase;
    if (bytes < 1024) {
        snprintf(phrase.text, sizeof phrase.text, "%" PRIu64 " B", bytes);
        return phrase;
    }
    double value = (double)bytes;
    size_t unit = 0;
    /* 999.5 KiB would round to four digits: it is 0.98 MiB. */
    while (value >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1024;
        unit++;
    }
    return three_digits(value, units[unit]);
}

struct fth_phrase fth_phrase_duration(int64_t ns)
{
    struct fth_phrase phrase;
    int64_t seconds = ns / SECOND + (ns % SECOND >= SECOND / 2);
    if (ns < 0) {
        phrase = fth_phrase_duration(ns == INT64_MIN ? INT64_MAX : -ns);
        memmove(phrase.text + 1, phrase.text, sizeof phrase.text - 1);
        phrase.text[0] = '-';
        return phrase;
    }
    if (seconds >= 3600)
        snprintf(phrase.text, sizeof phrase.text, "%" PRId64 " h %02" PRId64 " min", seconds / 3600,
                 seconds / 60 % 60);
    else if (seconds >= 120)
        snprintf(phrase.text, sizeof phrase.text, "%" PRId64 " min %02" PRId64 " s", seconds / 60,
                 seconds % 60);
    else if (ns >= 999500000)
        return three_digits((double)ns / 1e9, " s");
    else if (ns >= 999500)
        return three_digits((double)ns / 1e6, " ms");
    else if (ns >= 1000)
        return three_digits((double)ns / 1e3, " us");
    else
        snprintf(phrase.text, sizeof phrase.text, ns ? "%" PRId64 " ns" : "0", ns);
    return phrase;
}

struct fth_phrase fth_phrase_count(int64_t count)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRId64, count);
    int first = digits[0] == '-', at = 0;
    struct fth_phrase phrase;
    for (int i = 0; i < length; i++) {
        if (i > first && (length - i) % 3 == 0)
            phrase.text[at++] = ',';
        phrase.text[at++] = digits[i];
    }
    phrase.text[at] = 0;
    return phrase;
}

struct fth_phrase fth_phrase_percent(double percent)
{
    struct fth_phrase phrase;
    const char *format = percent == 0 ? "0 %%" : percent < 0.05 ? "<0.1 %%" : "%.1f %%";
    snprintf(phrase.text, sizeof phrase.text, format, percent);
    return phrase;
}

struct fth_phrase fth_phrase_ratio(double ratio)
{
    if (ratio < 0.095 && ratio > 0) {
        struct fth_phrase phrase;
        snprintf(phrase.text, sizeof phrase.text, "%.2g", ratio);
        return phrase;
    }
    return three_digits(ratio, "");
}

struct fth_phrase fth_phrase_several(uint64_t count, const char *one, const char *many)
{
    struct fth_phrase number = fth_phrase_count((int64_t)count), phrase;
    snprintf(phrase.text, sizeof phrase.text, "%.26s %.20s", number.text, count == 1 ? one : many);
    return phrase;
}

struct fth_phrase fth_phrase_rank(int64_t world, int64_t rank)
{
    struct fth_phrase phrase;
    if (world > 0)
        snprintf(phrase.text, sizeof phrase.text, "%" PRId64 " of world %" PRId64, rank, world);
    else
        snprintf(phrase.text, sizeof phrase.text, "%" PRId64, rank);
    return phrase;
}

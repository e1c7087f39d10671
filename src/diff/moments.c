/* Moments of a run in names of files: see the header. */
#include "diff/moments.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SLACK = 2 /* s: of clocks, and of what is named before the first call */, DAY = 86400 };

void fth_diff_spans_add(struct fth_diff_spans *spans, const struct fth_trace *trace)
{
    const struct fth_trace_info *info = fth_trace_info(trace);
    int64_t first = info->start_realtime / 1000000000;
    FTH_GROW(spans->list, spans->count);
    spans->list[spans->count++] =
        (struct fth_diff_span){first - SLACK, first + info->end / 1000000000 + 1 + SLACK};
}

void fth_diff_spans_free(struct fth_diff_spans *spans)
{
    free(spans->list);
}

/* Is any moment from `first` to `last`? */
static bool has(const struct fth_diff_spans *spans, int64_t first, int64_t last)
{
    for (size_t i = 0; i < spans->count; i++)
        if (first <= spans->list[i].last && last >= spans->list[i].first)
            return true;
    return false;
}

/* The same, by clocks of all time zones: they are quarters of an hour apart. */
static bool has_anywhere(const struct fth_diff_spans *spans, int64_t first, int64_t last)
{
    enum { QUARTER = 900, EAST = 14 * 4, WEST = 12 * 4 };
    for (int64_t zone = -WEST; zone <= EAST; zone++)
        if (has(spans, first - zone * QUARTER, last - zone * QUARTER))
            return true;
    return false;
}

static bool are_digits(const char *text, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isdigit((unsigned char)text[i]))
            return false;
    return true;
}

/* So many digits as a number, if all are there and it is at most `most`; *text is behind them. -1
 * otherwise. */
static int number(const char **text, size_t digits, int most)
{
    int value = 0;
    if (!are_digits(*text, digits))
        return -1;
    for (size_t i = 0; i < digits; i++)
        value = 10 * value + (*text)[i] - '0';
    *text += digits;
    return value <= most ? value : -1;
}

/* 2024-01-31, 20240131; the parts are divided alike, or not at all. */
static bool read_date(const char **text, struct tm *date)
{
    int year = number(text, 4, 9999);
    char between = **text && strchr("-_.", **text) ? **text : 0;
    *text += between != 0;
    int month = number(text, 2, 12);
    if (year < 1970 || month < 1 || (between && **text != between))
        return false;
    *text += between != 0;
    int day = number(text, 2, 31);
    *date = (struct tm){.tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day};
    return day >= 1;
}

/* 14:32:05, 14-32, 143205. *length: seconds that it stands for. */
static bool read_time(const char **text, struct tm *date, int *length)
{
    int hour = number(text, 2, 23);
    char between = **text && strchr("-_.:h", **text) ? **text : 0;
    *text += between != 0;
    int minute = number(text, 2, 59);
    if (hour < 0 || minute < 0)
        return false;
    date->tm_hour = hour;
    date->tm_min = minute;
    *length = 60;
    const char *at = *text + (between && **text == between);
    if (between && at == *text)
        return true;
    int second = number(&at, 2, 60);
    if (second >= 0) {
        date->tm_sec = second;
        *length = 1;
        *text = at;
    }
    return true;
}

static size_t date_length(const struct fth_diff_spans *spans, const char *text)
{
    struct tm date, exact;
    const char *at = text;
    int length;
    if (!read_date(&at, &date))
        return 0;
    const char *behind = at + (*at && strchr("-_.T", *at));
    exact = date;
    if (read_time(&behind, &exact, &length) && !isdigit((unsigned char)*behind)) {
        int64_t moment = timegm(&exact);
        if (has_anywhere(spans, moment, moment + length - 1))
            return (size_t)(behind - text);
    }
    int64_t day = timegm(&date);
    bool is_whole = !isdigit((unsigned char)*at);
    return is_whole && has_anywhere(spans, day, day + DAY - 1) ? (size_t)(at - text) : 0;
}

/* Seconds, ms, us or ns since 1970. */
static size_t count_length(const struct fth_diff_spans *spans, const char *text)
{
    size_t digits = strspn(text, "0123456789");
    if ((digits != 10 && digits != 13 && digits != 16 && digits != 19) || *text == '0')
        return 0;
    int64_t seconds = 0;
    for (size_t i = 0; i < 10; i++)
        seconds = 10 * seconds + text[i] - '0';
    return has(spans, seconds, seconds) ? digits : 0;
}

size_t fth_diff_moment_length(const struct fth_diff_spans *spans, const char *text)
{
    if (!spans || !spans->count)
        return 0;
    size_t length = count_length(spans, text);
    return length ? length : date_length(spans, text);
}

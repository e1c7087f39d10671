#include "workflow/gather/job_text.h"

#include "base/memory.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static const int64_t second = 1000000000;
/* Seconds since 1970 at most, which is in the year 2255: sums of ns stay in range. */
static const int64_t latest = 9000000000;

bool fth_job_text_is_empty(const char *text)
{
    static const char *const words[] = {"",  "Unknown", "None", "N/A",    "(null)",
                                        "-", "none",    "n/a",  "(none)", "INVALID"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcasecmp(text, words[i]))
            return true;
    return false;
}

static bool is_number(const char *text)
{
    return *text && !text[strspn(text, "0123456789")];
}

int64_t fth_job_text_time(const char *text)
{
    static const char *const forms[] = {"%Y-%m-%dT%H:%M:%S", "%a %b %d %H:%M:%S %Y",
                                        "%b %d %H:%M:%S %Y"};
    if (is_number(text)) {
        int64_t seconds = strtoll(text, NULL, 10);
        return seconds > 0 && seconds < latest ? seconds * second : INT64_MIN;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct tm parts = {.tm_isdst = -1};
        if (!strptime(text, forms[i], &parts))
            continue;
        time_t seconds = mktime(&parts);
        return seconds > 0 && seconds < latest ? seconds * second : INT64_MIN;
    }
    return INT64_MIN;
}

int64_t fth_job_text_duration(const char *text)
{
    char *end = NULL;
    double days = 0, part[3] = {0};
    size_t count = 0;
    if (strchr(text, '-')) {
        days = strtod(text, &end);
        text = *end == '-' ? end + 1 : "";
    }
    if (!isdigit((unsigned char)*text))
        return 0;
    for (; count < 3 && isdigit((unsigned char)*text); count++) {
        part[count] = strtod(text, &end);
        text = *end == ':' ? end + 1 : end;
    }
    if (*text)
        return 0;
    /* A number by itself is minutes; with days, the first one is hours. */
    double seconds = count == 3   ? part[0] * 3600 + part[1] * 60 + part[2]
                     : days > 0   ? part[0] * 3600 + part[1] * 60
                     : count == 2 ? part[0] * 60 + part[1]
                                  : part[0] * 60;
    seconds += days * 86400;
    return seconds > 0 && seconds < (double)latest ? (int64_t)(seconds * (double)second) : 0;
}

uint64_t fth_job_text_bytes(const char *text, uint64_t processors)
{
    static const char units[] = "kmgtp";
    char *end = NULL;
    double bytes = isdigit((unsigned char)*text) ? strtod(text, &end) : 0;
    const char *unit = end && *end ? strchr(units, tolower((unsigned char)*end)) : NULL;
    for (ptrdiff_t i = 0; unit && i <= unit - units; i++)
        bytes *= 1024;
    if (unit && strchr(end, 'c') && processors)
        bytes *= (double)processors;
    return bytes > 0 && bytes < 9e18 ? (uint64_t)bytes : 0;
}

char *fth_job_text_needs(const char *text)
{
    static const char word[] = "0123456789_.[]abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char *needs = fth_new(strlen(text) + 2, 1), *to = needs;
    for (char before = ' '; *text;) {
        size_t length = strspn(text, word);
        /* Behind a plus there are minutes. */
        if (length && isdigit((unsigned char)*text) && before != '+') {
            if (to > needs)
                *to++ = ' ';
            to = (char *)memcpy(to, text, length) + length;
        }
        before = text[length ? length - 1 : 0];
        text += length ? length : 1;
    }
    return needs;
}

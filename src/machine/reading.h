/* Readings: what a counter says at one moment. Parsers of the kernel's texts take a text and hand
 * on readings; they believe nothing of it. */
#ifndef FTH_MACHINE_READING_H
#define FTH_MACHINE_READING_H

#include "trace/file/sample_section.h"

#include <stdbool.h>
#include <stdint.h>

struct fth_reading {
    const char *name, *instance; /* "disk.read", "sda"; "" */
    enum fth_series_kind kind;
    enum fth_series_unit unit;
    int64_t value; /* of a rate: what has been counted since whenever */
};

/* Where readings go. */
struct fth_taker {
    void (*take)(void *context, const struct fth_reading *reading);
    void *context;
};

static inline void fth_reading_take(const struct fth_taker *taker, const char *name,
                                    const char *instance, enum fth_series_kind kind,
                                    enum fth_series_unit unit, uint64_t value)
{
    const int64_t most = INT64_C(1) << 60;
    const struct fth_reading reading = {name, instance, kind, unit,
                                        value < (uint64_t)most ? (int64_t)value : most};
    taker->take(taker->context, &reading);
}

/* The number that comes next on the line, behind blanks; false, and *at as it was: there is none.
 * One that is too large for 64 bits is the largest. */
static inline bool fth_reading_next_number(const char **at, uint64_t *number)
{
    const char *from = *at + strspn(*at, " \t");
    uint64_t value = 0;
    bool too_large = false;
    if (*from < '0' || *from > '9')
        return false;
    for (; *from >= '0' && *from <= '9'; from++)
        too_large = too_large || __builtin_mul_overflow(value, 10, &value) ||
                    __builtin_add_overflow(value, (uint64_t)(*from - '0'), &value);
    *number = too_large ? UINT64_MAX : value;
    *at = from;
    return true;
}

/* So many of them; false: there are fewer. */
static inline bool fth_reading_next_numbers(const char **at, uint64_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!fth_reading_next_number(at, &numbers[i]))
            return false;
    return true;
}

/* The word that comes next on the line, cut to fit. */
static inline bool fth_reading_next_word(const char **at, char *word, size_t size)
{
    const char *from = *at + strspn(*at, " \t");
    size_t length = strcspn(from, " \t\n");
    if (!length)
        return false;
    *at = from + length;
    if (length >= size)
        length = size - 1;
    memcpy(word, from, length);
    word[length] = 0;
    return true;
}

static inline const char *fth_reading_next_line(const char *at)
{
    at += strcspn(at, "\n");
    return *at ? at + 1 : at;
}

#endif

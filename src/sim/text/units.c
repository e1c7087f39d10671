/* Numbers with units: see the header. */
#include "sim/text/units.h"

#include <stdbool.h>
#include <string.h>

struct unit {
    enum fth_sim_quantity quantity;
    const char *name;
    uint64_t scale;
};

static const struct unit units[] = {
    {FTH_SIM_BYTES, "B", 1},
    {FTH_SIM_BYTES, "KB", 1000},
    {FTH_SIM_BYTES, "MB", 1000000},
    {FTH_SIM_BYTES, "GB", 1000000000},
    {FTH_SIM_BYTES, "TB", 1000000000000},
    {FTH_SIM_BYTES, "KiB", 1 << 10},
    {FTH_SIM_BYTES, "MiB", 1 << 20},
    {FTH_SIM_BYTES, "GiB", 1 << 30},
    {FTH_SIM_BYTES, "TiB", UINT64_C(1) << 40},
    {FTH_SIM_TIME, "ns", 1},
    {FTH_SIM_TIME, "us", 1000},
    {FTH_SIM_TIME, "ms", 1000000},
    {FTH_SIM_TIME, "s", 1000000000},
    {FTH_SIM_TIME, "min", UINT64_C(60000000000)},
    {FTH_SIM_FREQUENCY, "Hz", 1},
    {FTH_SIM_FREQUENCY, "kHz", 1000},
    {FTH_SIM_FREQUENCY, "MHz", 1000000},
    {FTH_SIM_FREQUENCY, "GHz", 1000000000},
};

static const char *const examples[] = {[FTH_SIM_COUNT] = "a number like 12",
                                       [FTH_SIM_BYTES] = "bytes like 64 KiB",
                                       [FTH_SIM_RATE] = "a rate like 96 MiB/s",
                                       [FTH_SIM_TIME] = "a time like 0.2 ms",
                                       [FTH_SIM_FREQUENCY] = "a frequency like 2660 MHz"};

/* 2^63 - 1 of what is counted. */
static const char *const most[] = {[FTH_SIM_COUNT] = "9223372036854775807",
                                   [FTH_SIM_BYTES] = "8 EiB",
                                   [FTH_SIM_RATE] = "8 EiB/s",
                                   [FTH_SIM_TIME] = "9223372036 s",
                                   [FTH_SIM_FREQUENCY] = "9223372036 GHz"};

/* The scale of a unit; 0: it is none of this quantity. */
static uint64_t scale_of(const char *name, enum fth_sim_quantity quantity)
{
    size_t length = strlen(name);
    if (quantity == FTH_SIM_COUNT)
        return length == 0;
    if (quantity == FTH_SIM_RATE) {
        if (length < 2 || strcmp(name + length - 2, "/s"))
            return 0;
        length -= 2;
        quantity = FTH_SIM_BYTES;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (units[i].quantity == quantity && strlen(units[i].name) == length &&
            !strncmp(units[i].name, name, length))
            return units[i].scale;
    return 0;
}

int fth_sim_parse(const char *text, enum fth_sim_quantity quantity, uint64_t *value,
                  struct fth_error **error)
{
    enum { DIGITS = 18 };
    uint64_t digits = 0, divisor = 1;
    int count = 0, seen = 0;
    bool behind_point = false;
    const char *at = text;
    for (; (*at >= '0' && *at <= '9') || (*at == '.' && !behind_point); at++) {
        if (*at == '.') {
            behind_point = true;
            continue;
        }
        seen++;
        if (digits || *at != '0')
            count++;
        if (count > DIGITS)
            return fth_fail(error, "'%s' has more than 18 digits", text);
        digits = digits * 10 + (uint64_t)(*at - '0');
        if (behind_point)
            divisor *= 10;
        if (divisor > UINT64_C(1000000000000000000))
            return fth_fail(error, "'%s' has more than 18 digits", text);
    }
    while (*at == ' ')
        at++;
    bool is_fraction = behind_point && quantity == FTH_SIM_COUNT;
    uint64_t scale = seen && !is_fraction ? scale_of(at, quantity) : 0;
    if (!scale)
        return fth_fail(error, "'%s' is not %s", text, examples[quantity]);
    unsigned __int128 exact = (unsigned __int128)digits * scale / divisor;
    if (exact > INT64_MAX)
        return fth_fail(error, "'%s' is too large: the maximum is %s", text, most[quantity]);
    *value = (uint64_t)exact;
    return 0;
}

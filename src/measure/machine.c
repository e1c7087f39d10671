/* Parameters, notes and points: see the header. */
#include <math.h>
#include "measure/machine.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const fth_placement_names[FTH_PLACEMENTS] = {"same socket", "same node", "two nodes"};

void fth_measured_say(struct fth_measured *measured, const char *format, ...)
{
    char *note;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&note, format, arguments) < 0)
        fth_out_of_memory();
    va_end(arguments);
    FTH_GROW(measured->notes, measured->note_count);
    measured->notes[measured->note_count++] = note;
}

struct fth_machine_parameter *fth_parameter_add(struct fth_measured *measured, const char *part,
                                                const char *key, enum fth_sim_quantity quantity,
                                                double value, bool is_measured, const char *reason,
                                                ...)
{
    FTH_GROW(measured->parameters, measured->parameter_count);
    struct fth_machine_parameter *added = &measured->parameters[measured->parameter_count++];
    *added = (struct fth_machine_parameter){.part = part,
                                            .key = key,
                                            .quantity = quantity,
                                            .value = value,
                                            .measured = is_measured,
                                            .spread = -1};
    va_list arguments;
    va_start(arguments, reason);
    vsnprintf(added->reason, sizeof added->reason, reason, arguments);
    va_end(arguments);
    return added;
}

struct unit {
    double scale;
    const char *name;
};
/* The largest first; the last one is for all that is smaller. */
enum { UNITS = 5 };
static const struct unit bytes[UNITS] = {
    {0x1p40, "TiB"}, {0x1p30, "GiB"}, {0x1p20, "MiB"}, {0x1p10, "KiB"}, {1, "B"}};
static const struct unit times[UNITS] = {
    {60e9, "min"}, {1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
static const struct unit frequencies[UNITS] = {
    {1e9, "GHz"}, {1e9, "GHz"}, {1e6, "MHz"}, {1e3, "kHz"}, {1, "Hz"}};

struct fth_machine_parameter *fth_parameter_find(const struct fth_measured *measured,
                                                 const char *part, const char *key)
{
    for (size_t i = 0; i < measured->parameter_count; i++)
        if (!strcmp(measured->parameters[i].part, part) &&
            !strcmp(measured->parameters[i].key, key))
            return &measured->parameters[i];
    return NULL;
}

void fth_parameter_text(const struct fth_machine_parameter *parameter, char *text, size_t size)
{
    const struct unit *units = parameter->quantity == FTH_SIM_TIME        ? times
                               : parameter->quantity == FTH_SIM_FREQUENCY ? frequencies
                                                                          : bytes;
    if (parameter->word) {
        snprintf(text, size, "%s", parameter->word);
        return;
    }
    if (parameter->quantity == FTH_SIM_COUNT) {
        snprintf(text, size, "%.0f", parameter->value);
        return;
    }
    size_t unit = 0;
    while (unit < UNITS - 1 && parameter->value < units[unit].scale)
        unit++;
    double value = parameter->value / units[unit].scale;
    /* What is less than the smallest unit would be cut off anyway. */
    int decimals = units[unit].scale <= 1 || value >= 1000 ? 0
                   : value >= 100                          ? 1
                   : value >= 10                           ? 2
                                                           : 3;
    int length = snprintf(text, size, "%.*f", decimals, value);
    if (decimals)
        while (text[length - 1] == '0' || text[length - 1] == '.')
            if (text[--length] == '.')
                break;
    snprintf(text + length, size - (size_t)length, " %s%s", units[unit].name,
             parameter->quantity == FTH_SIM_RATE ? "/s" : "");
}

/* Of one trial; less than 0: of one timing nothing is known. */
static double spread_of(struct fth_trial *trial)
{
    struct fth_quartiles quartiles = fth_timings_quartiles(&trial->timings);
    return trial->timings.count > 1 && quartiles.median > 0
               ? (quartiles.third - quartiles.first) / quartiles.median
               : -1;
}

void fth_parameter_spread(struct fth_measured *measured, struct fth_machine_parameter *parameter,
                          const char *kind, const char *name)
{
    double sum = 0;
    size_t found = 0;
    for (size_t i = 0; i < measured->trials.count; i++) {
        struct fth_trial *trial = &measured->trials.list[i];
        if (strcmp(trial->kind, kind) || strcmp(trial->name, name) || spread_of(trial) < 0)
            continue;
        sum += spread_of(trial);
        found++;
    }
    if (found)
        parameter->spread = sum / (double)found;
}

double fth_measured_typical(const struct fth_measured *measured, struct fth_trial *trial)
{
    struct fth_quartiles quartiles = fth_timings_quartiles(&trial->timings);
    switch (measured->request.fit) {
    case FTH_FIT_MEDIAN:
        return quartiles.median;
    case FTH_FIT_THIRD:
        return quartiles.third;
    case FTH_FIT_MEAN:
        return fth_timings_mean(&trial->timings);
    default:
        return quartiles.first;
    }
}

struct fth_point *fth_measured_points(struct fth_measured *measured, const char *kind,
                                      const char *name, size_t *count)
{
    struct fth_point *points = NULL;
    *count = 0;
    for (size_t i = 0; i < measured->trials.count; i++) {
        struct fth_trial *trial = &measured->trials.list[i];
        if (strcmp(trial->kind, kind) || strcmp(trial->name, name) || !trial->timings.count)
            continue;
        double time = fth_measured_typical(measured, trial);
        FTH_GROW(points, *count);
        /* A clock may stand still in an operation; no time is no point of a relative fit. */
        points[(*count)++] = (struct fth_point){(double)trial->bytes, time > 0.01 ? time : 0.01, 1};
    }
    return points;
}

double fth_measured_time(struct fth_measured *measured, const char *kind, const char *name)
{
    size_t count;
    struct fth_point *points = fth_measured_points(measured, kind, name, &count);
    double time = count ? points[0].time : 0;
    free(points);
    return time;
}

const char *fth_measured_note(const struct fth_measured *measured, size_t index)
{
    return index < measured->note_count ? measured->notes[index] : NULL;
}

void fth_measured_free(struct fth_measured *measured)
{
    if (!measured)
        return;
    for (size_t i = 0; i < measured->note_count; i++)
        free(measured->notes[i]);
    free(measured->notes);
    free(measured->parameters);
    fth_trials_free(&measured->trials);
    free(measured);
}

/* How many operations work at the same time: as often as the largest number of them at once ends
 * sooner than one after the other. */
uint32_t fth_measured_depth(struct fth_measured *measured, uint32_t *most)
{
    static const char *const names[] = {"2 reads at once", "4 reads at once", "8 reads at once",
                                        "16 reads at once", "32 reads at once"};
    double alone = fth_measured_time(measured, "disk", "1 read at once"), best = alone;
    *most = 1;
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        double each = fth_measured_time(measured, "disk", names[i]);
        if (each > 0 && each < best) {
            best = each;
            *most = 2U << i;
        }
    }
    return best > 0 ? (uint32_t)fmax(1, floor(alone / best + 0.5)) : 0;
}

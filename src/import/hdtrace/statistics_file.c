/* Statistics files: see the header. A record says what was so until its time, so the first one only
 * says when the second begins. */
#ifdef FATHOM_EXPAT
#include "import/hdtrace/statistics_file.h"

#include "base/memory.h"
#include "trace/spill/sample_files.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LENGTH_LINE = 6, MOST_VALUES = 10000 };

enum type { INT32, INT64, FLOAT, DOUBLE };
static const struct {
    const char *name;
    unsigned bytes;
} types[] = {[INT32] = {"INT32", 4},
             [INT64] = {"INT64", 8},
             [FLOAT] = {"FLOAT", 4},
             [DOUBLE] = {"DOUBLE", 8}};

struct value {
    enum type type;
    double scale; /* from the unit to that of the series */
    struct fth_sample_series series;
};

struct statistics {
    const char *path;
    FILE *file;
    char *header;
    struct value *values;
    uint32_t count, limit;
    int64_t adjustment;
    bool has_group;
};

/* ---- the header ---- */

/* What is counted, in which unit, and how many of the series' unit are one of the file's. */
static const struct {
    const char *unit;
    enum fth_series_kind kind;
    enum fth_series_unit of;
    double scale;
} units[] = {
    {"B", FTH_SERIES_GAUGE, FTH_SERIES_BYTES, 1},
    {"B/s", FTH_SERIES_RATE, FTH_SERIES_BYTES, 1},
    {"%", FTH_SERIES_RATE, FTH_SERIES_NANOSECONDS, 1e7},
    {"W", FTH_SERIES_RATE, FTH_SERIES_MICROJOULES, 1e6},
    {"1/s", FTH_SERIES_RATE, FTH_SERIES_COUNT, 1},
};

static void set_unit(struct value *value, const char *unit)
{
    value->series.kind = FTH_SERIES_GAUGE;
    value->series.unit = FTH_SERIES_THOUSANDTHS;
    value->scale = 1000;
    for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++)
        if (!strcmp(units[i].unit, unit)) {
            value->series.kind = units[i].kind;
            value->series.unit = units[i].of;
            value->scale = units[i].scale;
        }
}

/* "disk.read.sda": behind the second point is which one. */
static void set_name(struct value *value, const char *name)
{
    const char *point = strchr(name, '.'), *second = point ? strchr(point + 1, '.') : NULL;
    value->series.name = fth_text_part(name, second ? (size_t)(second - name) : strlen(name));
    value->series.instance = fth_text_copy(second ? second + 1 : "");
}

static void begin_value(struct fth_project_xml *xml, const char **attributes)
{
    struct statistics *statistics = xml->data;
    const char *name = fth_project_attribute(attributes, "name"),
               *type = fth_project_attribute(attributes, "type");
    size_t number = 0;
    while (type && number < sizeof types / sizeof *types && strcmp(types[number].name, type) != 0)
        number++;
    if (!name || !*name || !type || number == sizeof types / sizeof *types ||
        statistics->count == MOST_VALUES) {
        fth_project_refuse(xml, "a value without a name or a known type, or too many values");
        return;
    }
    statistics->values = fth_reach(statistics->values, &statistics->limit, statistics->count,
                                   sizeof *statistics->values);
    struct value *value = &statistics->values[statistics->count++];
    *value = (struct value){.type = (enum type)number};
    set_name(value, name);
    set_unit(value, fth_project_attribute(attributes, "unit"));
}

static void begin_group(struct fth_project_xml *xml, const char **attributes)
{
    struct statistics *statistics = xml->data;
    const char *time = fth_project_attribute(attributes, "timestampDatatype"),
               *adjustment = fth_project_attribute(attributes, "timeAdjustment");
    if (statistics->has_group || !time || strcmp(time, "EPOCH") != 0 || !adjustment ||
        !fth_project_time(adjustment, &statistics->adjustment))
        fth_project_refuse(xml, "a second group, or one whose times are not known");
    statistics->has_group = true;
}

static void begin(struct fth_project_xml *xml, const char *name, const char **attributes)
{
    const struct statistics *statistics = xml->data;
    if (xml->depth == 1 && strcmp(name, "Statistics") != 0)
        fth_project_refuse(xml, "'%.40s' where 'Statistics' is expected", name);
    else if (xml->depth == 2 && !strcmp(name, "Group"))
        begin_group(xml, attributes);
    else if (xml->depth == 3 && !strcmp(name, "Value") && statistics->has_group)
        begin_value(xml, attributes);
}

static int read_header(struct statistics *statistics, struct fth_error **error)
{
    struct fth_project_xml xml = {
        .path = statistics->path, .data = statistics, .begin = begin, .error = error};
    char line[LENGTH_LINE + 1] = "";
    int64_t length = 0;
    bool good = fread(line, 1, LENGTH_LINE, statistics->file) == LENGTH_LINE &&
                line[LENGTH_LINE - 1] == '\n';
    line[LENGTH_LINE - 1] = 0;
    if (!good || !fth_project_integer(line, &length) || length < 1)
        return fth_fail(error, "'%s' is damaged: it does not begin with the length of its header",
                        statistics->path);
    statistics->header = fth_new((size_t)length, 1);
    if (fread(statistics->header, 1, (size_t)length, statistics->file) != (size_t)length)
        return fth_fail(error, "'%s' is damaged: its header is cut off", statistics->path);
    if (fth_project_parse_bytes(&xml, statistics->header, (size_t)length))
        return -1;
    return statistics->count
               ? 0
               : fth_fail(error, "'%s' is damaged: it has no values", statistics->path);
}

/* ---- records ---- */

static uint64_t big_endian(const uint8_t *bytes, unsigned count)
{
    uint64_t value = 0;
    while (count--)
        value = value << 8 | *bytes++;
    return value;
}

static double number_of(enum type type, const uint8_t *bytes)
{
    uint64_t bits = big_endian(bytes, types[type].bytes);
    uint32_t half = (uint32_t)bits;
    float single;
    double number;
    memcpy(&single, &half, sizeof single);
    memcpy(&number, &bits, sizeof number);
    return type == INT32   ? (double)(int32_t)half
           : type == INT64 ? (double)(int64_t)bits
           : type == FLOAT ? (double)single
                           : number;
}

struct taking {
    struct fth_traced_reading *reading;
    struct statistics *statistics;
    struct fth_samples samples;
    int64_t last; /* time of the record before; INT64_MIN: none */
    uint64_t records;
};

static int damaged(const struct taking *taking, const char *what, struct fth_error **error)
{
    return fth_fail(error, "'%s' is damaged: record %llu %s", taking->statistics->path,
                    (unsigned long long)taking->records + 1, what);
}

static void begin_samples(struct taking *taking, int64_t interval)
{
    struct statistics *statistics = taking->statistics;
    taking->samples.interval = interval;
    for (uint32_t i = 0; i < statistics->count; i++)
        fth_samples_series(&taking->samples, &statistics->values[i].series);
}

/* A rate is the growth in the time of the record. False: out of bounds. */
static bool amount_of(const struct value *value, double number, double seconds, double longest,
                      int64_t *amount)
{
    bool is_rate = value->series.kind == FTH_SERIES_RATE;
    double scaled = number * value->scale;
    if (!isfinite(scaled) || fabs(scaled) * (is_rate ? fmax(longest, 1) : 1) > 1e18)
        return false;
    *amount = llround(is_rate ? scaled * seconds : scaled);
    return true;
}

static int take_values(struct taking *taking, const uint8_t *record, int64_t ticks,
                       struct fth_error **error)
{
    const struct statistics *statistics = taking->statistics;
    double seconds = (double)(ticks - taking->last) / 1e9,
           longest = fmax(seconds, (double)taking->samples.interval / 1e9);
    size_t at = 8;
    fth_samples_begin(&taking->samples, ticks);
    for (uint32_t i = 0; i < statistics->count; i++) {
        const struct value *value = &statistics->values[i];
        int64_t amount;
        if (!amount_of(value, number_of(value->type, record + at), seconds, longest, &amount))
            return damaged(taking, "has a value that is out of bounds", error);
        fth_samples_value(&taking->samples, i, amount);
        at += types[value->type].bytes;
    }
    fth_samples_end(&taking->samples);
    return 0;
}

static int take_record(struct taking *taking, const uint8_t *record, struct fth_error **error)
{
    int64_t seconds = (int32_t)big_endian(record, 4), part = (int64_t)big_endian(record + 4, 4),
            time = taking->statistics->adjustment + seconds * 1000000000 + part,
            since = time - taking->reading->run->start;
    if (part >= 1000000000 || since >> 58 > 0 || since < -(INT64_C(1) << 58))
        return damaged(taking, "has no time of the run", error);
    int64_t ticks = (int64_t)1000000000 + since;
    if (taking->records && ticks <= taking->last)
        return damaged(taking, "is not later than the one before it", error);
    if (taking->records == 0)
        taking->samples.start = ticks;
    else if (taking->records == 1)
        begin_samples(taking, ticks - taking->last);
    int result = taking->records ? take_values(taking, record, ticks, error) : 0;
    taking->last = ticks;
    taking->records++;
    return result;
}

static int take_records(struct taking *taking, struct fth_error **error)
{
    const struct statistics *statistics = taking->statistics;
    size_t length = 8, got = 0;
    int result = 0;
    for (uint32_t i = 0; i < statistics->count; i++)
        length += types[statistics->values[i].type].bytes;
    uint8_t *record = fth_new(length, 1);
    while (!result && (got = fread(record, 1, length, statistics->file)) == length)
        result = take_record(taking, record, error);
    if (!result && ferror(statistics->file))
        result = fth_fail_errno(error, "cannot read '%s'", statistics->path);
    else if (!result && got)
        result = damaged(taking, "is cut off", error);
    free(record);
    return result;
}

/* ---- a file ---- */

static void write_samples(struct taking *taking, uint32_t node, uint32_t group)
{
    const struct fth_imported_run *run = taking->reading->run;
    const struct fth_samples_anchor anchor = {1000000000, run->start};
    char *path = fth_text_format("%s/%u.%u~1" FTH_SAMPLES_ENDING, run->folder.path, node, group);
    fth_samples_finish(&taking->samples);
    if (taking->samples.rows)
        fth_sample_file_write(path, &taking->samples, &anchor);
    free(path);
}

static void close_statistics(struct statistics *statistics)
{
    for (uint32_t i = 0; i < statistics->count; i++) {
        free(statistics->values[i].series.name);
        free(statistics->values[i].series.instance);
    }
    free(statistics->values);
    free(statistics->header);
    fclose(statistics->file);
}

static int read_statistics(struct fth_traced_reading *reading, const char *path, uint32_t node,
                           uint32_t group, struct fth_error **error)
{
    struct statistics statistics = {.path = path};
    struct stat facts;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 && errno == ENOENT) /* groups need not be those of all nodes */
        return 0;
    if (file < 0 || fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        if (file >= 0)
            close(file);
        return fth_fail(error, "'%s' is no file that can be read", path);
    }
    statistics.file = fdopen(file, "r");
    struct taking taking = {.reading = reading, .statistics = &statistics};
    char *host = fth_traced_project_text(&reading->project, reading->project.nodes[node].name);
    fth_samples_init(&taking.samples, host, 0, 0);
    int result = read_header(&statistics, error);
    if (!result)
        result = take_records(&taking, error);
    if (!result)
        write_samples(&taking, node, group);
    fth_samples_free(&taking.samples);
    close_statistics(&statistics);
    free(host);
    return result;
}

int fth_statistics_file_read(struct fth_traced_reading *reading, uint32_t node,
                             struct fth_error **error)
{
    const struct fth_traced_project *project = &reading->project;
    int result = 0;
    for (uint32_t i = 0; !result && i < project->group_count; i++) {
        char *group = fth_traced_project_text(project, project->groups[i]);
        char *end = fth_text_format("_%s.stat", group);
        char *path = fth_traced_project_file(project, node, end);
        if (!strchr(group, '/'))
            result = read_statistics(reading, path, node, i, error);
        free(path);
        free(end);
        free(group);
    }
    return result;
}
#endif

/* A statistics file has a header with the names of its values, and records of a time and all
 * values, in big-endian order. The header has 99,999 bytes at most: a node with more counters has
 * several groups. */
#include "export/hdtrace/hdtrace_statistics.h"

#include "base/memory.h"
#include "export/hdtrace/xml.h"

#include <fathom/samples.h>

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { LONGEST_HEADER = 99999, LONGEST_VALUE = 2000 };

struct group {
    const struct fth_exported *exported;
    size_t *counters;
    size_t count;
    struct fth_sink header;
};

const char *fth_hdtrace_group(uint32_t number, char name[FTH_HDTRACE_NODE])
{
    snprintf(name, FTH_HDTRACE_NODE, number ? "Utilization%u" : "Utilization", number + 1);
    return name;
}

/* Bytes are integers, as other tools write them; shares of time are percent. */
static bool is_integer(const struct fth_counter *counter)
{
    return counter->unit == FTH_COUNTER_BYTES;
}

static const char *unit_of(const struct fth_counter *counter)
{
    bool is_rate = counter->kind == FTH_RATE;
    switch (counter->unit) {
    case FTH_COUNTER_BYTES:
        return is_rate ? "B/s" : "B";
    case FTH_COUNTER_SECONDS:
        return is_rate ? "%" : "s";
    case FTH_COUNTER_JOULES:
        return is_rate ? "W" : "J";
    default:
        return is_rate ? "1/s" : "";
    }
}

static void put_value(struct fth_sink *to, const struct fth_counter *counter,
                      const struct fth_pseudonyms *names)
{
    char name[256], grouping[32], *instance = fth_pseudonym(names, counter->instance);
    size_t length = strcspn(counter->name, ".");
    snprintf(name, sizeof name, "%s%s%s", counter->name, *counter->instance ? "." : "", instance);
    free(instance);
    if (length >= sizeof grouping)
        length = sizeof grouping - 1;
    for (size_t i = 0; i < length; i++)
        grouping[i] = (char)toupper((unsigned char)counter->name[i]);
    grouping[length] = 0;
    fth_sink_text(to, "<Value");
    fth_xml_text(to, "name", name);
    fth_xml_text(to, "type", is_integer(counter) ? "INT64" : "FLOAT");
    fth_xml_text(to, "unit", unit_of(counter));
    fth_xml_text(to, "grouping", grouping);
    fth_sink_text(to, "/>");
}

/* ---- records ---- */

static void put_big_endian(struct fth_sink *to, uint64_t value, unsigned bytes)
{
    while (bytes--)
        fth_sink_char(to, (char)(value >> 8 * bytes));
}

/* Samples may begin before the first process: part of a second is positive all the same. */
static void put_time(struct fth_sink *to, int64_t time)
{
    int64_t part = (time % 1000000000 + 1000000000) % 1000000000;
    put_big_endian(to, (uint64_t)((time - part) / 1000000000), 4);
    put_big_endian(to, (uint64_t)part, 4);
}

static void put_number(struct fth_sink *to, const struct fth_counter *counter, double value)
{
    bool is_share = counter->kind == FTH_RATE && counter->unit == FTH_COUNTER_SECONDS;
    float number = (float)(is_share ? value * 100 : value);
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    if (is_integer(counter))
        put_big_endian(to, (uint64_t)(int64_t)llround(value), 8);
    else
        put_big_endian(to, bits, 4);
}

/* All counters of a node with as many samples as it has were read at the same times. */
static void put_records(const struct group *group, struct fth_sink *to)
{
    struct fth_trace *trace = group->exported->trace;
    struct fth_samples_reader **readers = fth_new(group->count, sizeof *readers);
    struct fth_sample *samples = fth_new(group->count, sizeof *samples);
    bool more = true;
    for (size_t i = 0; i < group->count; i++)
        readers[i] = fth_samples_open(trace, group->counters[i]);
    while (more) {
        for (size_t i = 0; i < group->count; i++)
            more = fth_samples_next(readers[i], &samples[i]) && more;
        if (!more)
            break;
        put_time(to, samples[0].end);
        for (size_t i = 0; i < group->count; i++)
            put_number(to, fth_trace_counter(trace, group->counters[i]), samples[i].mean);
    }
    for (size_t i = 0; i < group->count; i++)
        fth_samples_close(readers[i]);
    free(readers);
    free(samples);
}

/* ---- a file ---- */

static int write_group(const struct group *group, const char *path, struct fth_error **error)
{
    static struct fth_output output;
    char length[8];
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return fth_fail_errno(error, "cannot write '%s'", path);
    fth_views_open_file(&output, file, path);
    snprintf(length, sizeof length, "%05zu\n", group->header.used);
    fth_sink_text(&output.sink, length);
    fth_sink_bytes(&output.sink, group->header.bytes, group->header.used);
    put_records(group, &output.sink);
    int result = fth_views_finish(&output, error);
    close(file);
    return result;
}

static void begin_header(struct group *group, const char *host, const char *name)
{
    const struct fth_trace_info *info = fth_trace_info(group->exported->trace);
    char time[64];
    snprintf(time, sizeof time, "%011lld.%09lld", (long long)(info->start_realtime / 1000000000),
             (long long)(info->start_realtime % 1000000000));
    fth_sink_open_memory(&group->header);
    fth_sink_text(&group->header, "<Statistics><TopologyNode><Label");
    fth_xml_text(&group->header, "value", host);
    fth_sink_text(&group->header, "/></TopologyNode><Group");
    fth_xml_text(&group->header, "name", name);
    fth_sink_text(&group->header, " timestampDatatype='EPOCH'");
    fth_xml_text(&group->header, "timeAdjustment", time);
    fth_sink_char(&group->header, '>');
}

/* Counters of the node from `next` on, as many as the header has space for. The next one. */
static size_t fill(struct group *group, size_t sampling, size_t next)
{
    const struct fth_trace *trace = group->exported->trace;
    size_t samples = fth_trace_sampling(trace, sampling)->sample_count;
    for (; next < fth_trace_counter_count(trace); next++) {
        const struct fth_counter *counter = fth_trace_counter(trace, next);
        if (counter->sampling != sampling || counter->proc != FTH_NO_PROCESS ||
            counter->sample_count != samples)
            continue;
        if (group->header.used + LONGEST_VALUE > LONGEST_HEADER)
            break;
        put_value(&group->header, counter, group->exported->names);
        group->counters[group->count++] = next;
    }
    fth_sink_text(&group->header, "</Group></Statistics>\n");
    return next;
}

static const char *host_of(const struct fth_hdtrace_places *places,
                           const struct fth_exported *exported, size_t sampling,
                           char name[FTH_HDTRACE_NODE])
{
    uint32_t number;
    char *host =
        fth_pseudonym(exported->names, fth_trace_sampling(exported->trace, sampling)->host);
    bool is_known = fth_intern_find(&places->hosts, host, strlen(host), &number);
    free(host);
    return is_known ? fth_hdtrace_host(places, number, name) : NULL;
}

static int write_node(const struct fth_hdtrace_places *places, const struct fth_exported *exported,
                      size_t sampling, uint32_t *groups, struct fth_error **error)
{
    size_t all = fth_trace_counter_count(exported->trace), next = 0;
    struct group group = {.exported = exported, .counters = fth_new(all + 1, sizeof(size_t))};
    char host[FTH_HDTRACE_NODE], name[FTH_HDTRACE_NODE];
    const char *label = host_of(places, exported, sampling, host);
    int result = 0;
    for (uint32_t number = 0; label && !result && next < all; number++) {
        group.count = 0;
        begin_header(&group, label, fth_hdtrace_group(number, name));
        next = fill(&group, sampling, next);
        char *path = fth_text_format("%s/trace_%s_%s.stat", exported->folder, label, name);
        if (group.count) {
            result = write_group(&group, path, error);
            *groups = number + 1 > *groups ? number + 1 : *groups;
        }
        fth_sink_close_memory(&group.header);
        free(path);
    }
    free(group.counters);
    return result;
}

int fth_hdtrace_write_statistics(const struct fth_hdtrace_places *places,
                                 const struct fth_exported *exported, uint32_t *groups,
                                 struct fth_error **error)
{
    int result = 0;
    for (size_t i = 0; !result && i < fth_trace_sampling_count(exported->trace); i++)
        result = write_node(places, exported, i, groups, error);
    return result;
}

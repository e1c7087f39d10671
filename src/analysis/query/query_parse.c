/* The text of a query: words, then parameters in brackets. Words are compared without case. */
#include "analysis/query/query.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Parameters by letters: p process, c call, s subcall, v server, a and i power, g segment. */
static const struct form {
    struct fth_query_form shown;
    const char *other_name; /* or NULL */
    const char *takes;
} forms[] = {
    [FTH_QUERY_INCLUSIVE] = {{"latency breakdown inclusive", "[process] [call]",
                              "time of each call in each layer, with the layers below",
                              "latency breakdown inclusive [0-1] [1-10]"},
                             NULL,
                             "pc"},
    [FTH_QUERY_EXCLUSIVE] = {{"latency breakdown exclusive", "[process] [call]",
                              "time of each call in each layer alone",
                              "latency breakdown exclusive [0-4] [1-10]"},
                             NULL,
                             "pc"},
    [FTH_QUERY_LIST] = {{"latency operation list", "[process] [call] [subcall] [server]",
                         "each subcall and how long it took",
                         "latency operation list [0-4] [1-10] [-] [1-3]"},
                        NULL,
                        "pcsv"},
    [FTH_QUERY_MAX] = {{"latency operation max", "[process] [call] [subcall] [server]",
                        "the slowest subcall of each call, and of each server",
                        "latency operation max [0-4] [1-10] [-] [1-3]"},
                       NULL,
                       "pcsv"},
    [FTH_QUERY_MIN] = {{"latency operation min", "[process] [call] [subcall] [server]",
                        "the fastest subcall of each call, and of each server",
                        "latency operation min [0-4] [1-10]"},
                       NULL,
                       "pcsv"},
    [FTH_QUERY_AVERAGE] = {{"latency operation avg", "[process] [call] [subcall] [server]",
                            "subcalls of each call over all processes: their mean latency",
                            "latency operation avg [-] [1-10]"},
                           "latency operation average",
                           "pcsv"},
    [FTH_QUERY_SEGMENT] = {{"latency segment", "[file:first-last] or [region], [process]",
                            "calls made in these lines (`record --lines`) or in this region",
                            "latency segment [io.c:10-80] [0-3]"},
                           NULL,
                           "gp"},
    [FTH_QUERY_THROUGHPUT] = {{"throughput", "[process] [call] [subcall] [server]",
                               "bytes per second of each call at each server",
                               "throughput [0-4] [1-10]"},
                              "thru",
                              "pcsv"},
    [FTH_QUERY_ENERGY] = {{"energy", "[active W] [inactive W] [process] [call] [subcall] [server]",
                           "energy of servers of the given power (W) while calls ran, in J",
                           "energy [11.5] [7.5] [0-4] [1-10]"},
                          NULL,
                          "aipcsv"},
    [FTH_QUERY_CALLS] = {{"call", "[process] [call] [subcall] [server]",
                          "how many subcalls each process issued to each server", "call [0-4]"},
                         "calls",
                         "pcsv"},
    [FTH_QUERY_ACCESSES] = {{"access", "[process] [call] [subcall] [server]",
                             "how many subcalls each call became", "access [0] [1-10]"},
                            "accesses",
                            "pcsv"},
    [FTH_QUERY_COMMUNICATION] = {{"comm", "[process] [call]",
                                  "time of each collective call that no layer below accounts for",
                                  "comm [0-4] [1-10]"},
                                 NULL,
                                 "pc"},
    [FTH_QUERY_NODES] = {{"nodes", "[call]",
                          "how many processes, aggregators, nodes and servers took part",
                          "nodes [1-10]"},
                         NULL,
                         "c"},
    [FTH_QUERY_SERVERS] =
        {{"servers", "", "the numbers of servers: what stands for each", "servers"}, NULL, ""},
};
#define FORM_COUNT (sizeof forms / sizeof *forms)

const struct fth_query_form *fth_query_form(size_t index)
{
    return index < FORM_COUNT ? &forms[index].shown : NULL;
}

static int fail_at(const char *text, const char *at, const char *why, struct fth_error **error)
{
    return *at ? fth_fail(error, "at column %td of the query, '%.30s': %s", at - text + 1, at, why)
               : fth_fail(error, "at the end of the query: %s", why);
}

static const char *skip_space(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* Do the words at hand, one space or more between them, say this? Behind them then, else NULL. A
 * dot may end them: "thru." */
static const char *match(const char *at, const char *name)
{
    for (; *name; name++) {
        if (*name == ' ') {
            if (!isspace((unsigned char)*at))
                return NULL;
            at = skip_space(at);
        } else if (tolower((unsigned char)*at++) != *name) {
            return NULL;
        }
    }
    at += *at == '.';
    return *at && *at != '[' && !isspace((unsigned char)*at) ? NULL : at;
}

/* NULL: no form is called so. */
static const char *find_form(const char *at, struct fth_query *query)
{
    for (size_t i = 0; i < FORM_COUNT; i++) {
        const char *behind = match(at, forms[i].shown.name);
        if (!behind && forms[i].other_name)
            behind = match(at, forms[i].other_name);
        if (!behind)
            continue;
        query->kind = (enum fth_query_kind)i;
        return behind;
    }
    return NULL;
}

/* Of all forms, or those that go on from what was begun: "latency breakdown" is inclusive or
 * exclusive. */
static int fail_on_form(const char *text, const char *at, struct fth_error **error)
{
    char why[768] = "there is no such query; there are ";
    size_t begun = strcspn(at, "["), listed = 0;
    while (begun && isspace((unsigned char)at[begun - 1]))
        begun--;
    for (int all = 0; all < 2 && !listed; all++)
        for (size_t i = 0; i < FORM_COUNT; i++) {
            size_t used = strlen(why);
            if (!all && (!begun || strncasecmp(forms[i].shown.name, at, begun) != 0))
                continue;
            snprintf(why + used, sizeof why - used, "%s'%s'", listed++ ? ", " : "",
                     forms[i].shown.name);
        }
    return fail_at(text, at, why, error);
}

/* ---- parameters ---- */

static bool read_integer(const char **at, int64_t *value)
{
    char *end;
    if (!isdigit((unsigned char)**at) || strspn(*at, "0123456789") > 18)
        return false;
    *value = strtoll(*at, &end, 10);
    *at = skip_space(end);
    return true;
}

/* 3, 1-10, -, or several with commas. */
static int parse_ranges(const char *text, const char **at, struct fth_query_ranges *ranges,
                        struct fth_error **error)
{
    static const char expected[] = "a number, a range (1-10), or - for all is expected here";
    if (**at == '-') {
        *at = skip_space(*at + 1);
        return 0;
    }
    for (;;) {
        if (ranges->count == FTH_QUERY_RANGES)
            return fail_at(text, *at, "there are too many ranges", error);
        int64_t first, last;
        if (!read_integer(at, &first))
            return fail_at(text, *at, expected, error);
        last = first;
        if (**at == '-') {
            const char *behind = skip_space(*at + 1);
            if (!read_integer(&behind, &last))
                return fail_at(text, behind, expected, error);
            if (last < first)
                return fail_at(text, *at, "the range ends before it begins", error);
            *at = behind;
        }
        ranges->list[ranges->count].first = first;
        ranges->list[ranges->count++].last = last;
        if (**at != ',')
            return 0;
        *at = skip_space(*at + 1);
    }
}

static int parse_power(const char *text, const char **at, double *watts, struct fth_error **error)
{
    char *end;
    *watts = strtod(*at, &end);
    if (end == *at || !(*watts >= 0 && *watts <= 1e9))
        return fail_at(text, *at, "a power in watts is expected here", error);
    *at = skip_space(end);
    return 0;
}

/* io.c:10-80, io.c:10, or the name of a region. */
static int parse_segment(const char *text, const char **at, struct fth_query *query,
                         struct fth_error **error)
{
    const char *end = strchr(*at, ']'), *colon = NULL;
    if (!end || end == *at || (size_t)(end - *at) >= sizeof query->segment)
        return fail_at(text, *at, "lines (io.c:10-80) or the name of a region are expected here",
                       error);
    for (const char *look = *at; look < end; look++)
        if (*look == ':' && isdigit((unsigned char)look[1]))
            colon = look;
    const char *rest = colon ? colon + 1 : end;
    struct fth_query_ranges lines = {0};
    if (colon && parse_ranges(text, &rest, &lines, error))
        return -1;
    if (colon && lines.count != 1)
        return fail_at(text, colon, "one range of lines is expected here", error);
    size_t length = (size_t)((colon ? colon : end) - *at);
    memcpy(query->segment, *at, length);
    query->segment[length] = 0;
    query->first = colon ? lines.list[0].first : 0;
    query->last = colon ? lines.list[0].last : 0;
    *at = rest;
    return 0;
}

static int parse_parameter(const char *text, char which, const char **at, struct fth_query *query,
                           struct fth_error **error)
{
    switch (which) {
    case 'a':
        return parse_power(text, at, &query->active, error);
    case 'i':
        return parse_power(text, at, &query->inactive, error);
    case 'g':
        return parse_segment(text, at, query, error);
    case 'p':
        return parse_ranges(text, at, &query->processes, error);
    case 'c':
        return parse_ranges(text, at, &query->calls, error);
    case 's':
        return parse_ranges(text, at, &query->subcalls, error);
    default:
        return parse_ranges(text, at, &query->servers, error);
    }
}

/* Those at the end may be left out: all. */
static bool may_be_left_out(char which)
{
    return which == 0 || strchr("pcsv", which);
}

int fth_query_parse(const char *text, struct fth_query *query, struct fth_error **error)
{
    const char *at = skip_space(text), *behind = find_form(at, query);
    if (!behind)
        return fail_on_form(text, at, error);
    const struct form *form = &forms[query->kind];
    const char *takes = form->takes;
    for (at = skip_space(behind); *at == '['; at = skip_space(at)) {
        if (!*takes)
            return fail_at(text, at, "there are too many parameters", error);
        at = skip_space(at + 1);
        if (parse_parameter(text, *takes++, &at, query, error))
            return -1;
        if (*at++ != ']')
            return fail_at(text, at - 1, "']' is expected here", error);
    }
    if (*at)
        return fail_at(text, at, "a parameter in brackets is expected here", error);
    if (!may_be_left_out(*takes))
        return fth_fail(error, "the query lacks parameters: %s %s", form->shown.name,
                        form->shown.parameters);
    return 0;
}

bool fth_query_has(const struct fth_query_ranges *ranges, int64_t value)
{
    for (size_t i = 0; i < ranges->count; i++)
        if (value >= ranges->list[i].first && value <= ranges->list[i].last)
            return true;
    return ranges->count == 0;
}

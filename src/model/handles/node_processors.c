/* The processors and pages of a node, from the description of the recording: see the header. */
#include "model/handles/node_processors.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The number behind a key of the recording's description, which Fathom wrote itself; 0: there is
 * none. In a JSON text no string has a quotation mark that is not escaped. */
static uint64_t number_behind(const char *meta, const char *key)
{
    const char *at = meta ? strstr(meta, key) : NULL;
    long long number = at ? strtoll(at + strlen(key), NULL, 10) : 0;
    return number > 0 ? (uint64_t)number : 0;
}

static bool is_host(const char *meta, const char *host)
{
    static const char key[] = "\"host\":";
    const char *at = meta ? strstr(meta, key) : NULL;
    size_t length = strlen(host);
    if (!at)
        return false;
    at += strlen(key);
    at += strspn(at, " ");
    return *at == '"' && strncmp(at + 1, host, length) == 0 && at[1 + length] == '"';
}

uint64_t fth_node_processors(const struct fth_trace *trace, const char *host)
{
    const char *meta = fth_trace_info(trace)->meta_json;
    return host && is_host(meta, host) ? number_behind(meta, "\"cpus\":") : 0;
}

int64_t fth_node_processor_time(const struct fth_trace *trace, const char *host)
{
    static const char key[] = "\"processor_seconds\":";
    const char *meta = fth_trace_info(trace)->meta_json;
    const char *at = meta && host && is_host(meta, host) ? strstr(meta, key) : NULL;
    double seconds = at ? strtod(at + strlen(key), NULL) : -1;
    return seconds >= 0 && seconds < 9e9 ? (int64_t)(1e9 * seconds) : -1;
}

uint64_t fth_node_page(const struct fth_trace *trace)
{
    enum { OF_X86 = 4096, LARGEST = 65536 };
    const char *meta = fth_trace_info(trace)->meta_json;
    uint64_t page = number_behind(meta, "\"page_size\":");
    if (page)
        return page;
    return meta && strstr(meta, " x86_64\"") ? OF_X86 : LARGEST;
}

/* Names of nodes: see the header. A rank of the first world has its number as name, so that other
 * tools know it; other ranks and processes of no world have names of their own. */
#include "export/hdtrace/places.h"

#include "base/memory.h"
#include "export/hdtrace/xml.h"

#include <inttypes.h>
#include <stdio.h>

static bool add_rank(struct fth_intern *ranks, const struct fth_process *process)
{
    uint32_t before = ranks->count;
    return process->world >= 0 && process->rank >= 0 &&
           fth_intern(ranks, &(int64_t[]){process->world, process->rank}, 2 * sizeof(int64_t)) ==
               before;
}

void fth_hdtrace_places_begin(struct fth_hdtrace_places *places,
                              const struct fth_exported *exported)
{
    const struct fth_trace *trace = exported->trace;
    size_t count = fth_trace_process_count(trace);
    struct fth_intern ranks = {0};
    *places = (struct fth_hdtrace_places){.trace = trace,
                                          .host = fth_new(count + 1, sizeof *places->host),
                                          .is_rank = fth_new(count + 1, sizeof *places->is_rank)};
    for (size_t proc = 0; proc < count; proc++) {
        const struct fth_process *process = fth_exported_process(exported, proc);
        const char *host = process->host ? process->host : "";
        places->host[proc] = fth_intern(&places->hosts, host, strlen(host));
        places->is_rank[proc] = add_rank(&ranks, process);
    }
    fth_intern_free(&ranks);
}

void fth_hdtrace_places_end(struct fth_hdtrace_places *places)
{
    fth_intern_free(&places->hosts);
    free(places->host);
    free(places->is_rank);
}

static bool is_plain(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] <= ' ' || text[i] > '~' || strchr("<>&'\"/", text[i]))
            return false;
    return length > 0 && length <= 100 && *text != '.';
}

const char *fth_hdtrace_host(const struct fth_hdtrace_places *places, uint32_t host,
                             char name[FTH_HDTRACE_NODE])
{
    size_t length;
    const char *text = (const char *)fth_interned(&places->hosts, host, &length);
    if (is_plain(text, length))
        snprintf(name, FTH_HDTRACE_NODE, "%.*s", (int)length, text);
    else
        snprintf(name, FTH_HDTRACE_NODE, "host.%" PRIu32, host);
    return name;
}

const char *fth_hdtrace_process(const struct fth_hdtrace_places *places, size_t proc,
                                char name[FTH_HDTRACE_NODE])
{
    const struct fth_process *process = fth_trace_process(places->trace, proc);
    if (!places->is_rank[proc])
        snprintf(name, FTH_HDTRACE_NODE, "p%zu", proc);
    else if (process->world == 0)
        snprintf(name, FTH_HDTRACE_NODE, "%" PRId64, process->rank);
    else
        snprintf(name, FTH_HDTRACE_NODE, "w%" PRId64 ".%" PRId64, process->world, process->rank);
    return name;
}

char *fth_hdtrace_path(const struct fth_hdtrace_places *places, const char *folder, size_t proc,
                       uint32_t thread)
{
    char host[FTH_HDTRACE_NODE], process[FTH_HDTRACE_NODE];
    return fth_text_format("%s/trace_%s_%s_%" PRIu32 ".trc", folder,
                           fth_hdtrace_host(places, places->host[proc], host),
                           fth_hdtrace_process(places, proc, process), thread);
}

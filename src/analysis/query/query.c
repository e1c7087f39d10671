/* Answers a query: numbers the calls, and hands those that are asked for to the tables. */
#include "analysis/query/query_tables.h"
#include "analysis/query/served.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool has_ranks(const struct fth_trace *trace)
{
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++)
        if (fth_trace_process(trace, proc)->rank != FTH_NO_RANK)
            return true;
    return false;
}

static int64_t process_number(const struct fth_asking *asking, size_t proc)
{
    return asking->ranks ? fth_trace_process(asking->trace, proc)->rank : (int64_t)proc;
}

static void take(void *context, const struct fth_numbered_call *call)
{
    struct fth_asking *asking = context;
    asking->answer->numbered++;
    if (!call->selected ||
        !fth_query_has(&asking->query->processes, process_number(asking, call->proc)) ||
        !fth_query_has(&asking->query->calls, (int64_t)call->id))
        return;
    if (!asking->served) {
        fth_query_add(asking, call);
        return;
    }
    struct fth_numbered_call whole = *call; /* its layers are written over for the next one */
    fth_served_put(asking->served, asking->classes, &whole);
    fth_query_add(asking, &whole);
    free(whole.subcalls);
}

/* Only the processes that are asked for are gone through. The caller frees procs.items. */
static int choose_processes(const struct fth_asking *asking, const struct fth_selection *selection,
                            struct fth_integers *procs, struct fth_error **error)
{
    const char *what = asking->ranks ? "rank" : "process";
    int64_t last = -1;
    for (size_t proc = 0; proc < fth_trace_process_count(asking->trace); proc++) {
        int64_t number = process_number(asking, proc);
        if (!fth_analysis_selects_process(selection, asking->trace, proc))
            continue;
        last = number > last ? number : last;
        if (fth_query_has(&asking->query->processes, number) &&
            !fth_analysis_add_integers(procs, (int64_t)proc, (int64_t)proc))
            return fth_fail(error, "out of memory");
    }
    if (procs->count)
        return 0;
    return last < 0 ? fth_fail(error, "no process is selected")
                    : fth_fail(error, "there is no such %s; they go to %" PRId64, what, last);
}

static int check_servers(const struct fth_asking *asking, struct fth_error **error)
{
    size_t count = fth_analysis_server_count(asking->servers);
    const struct fth_query_ranges *ranges = &asking->query->servers;
    static const char *const words[] = {"files", "file systems", "processes with probes"};
    for (size_t i = 0; i < ranges->count; i++)
        if ((uint64_t)ranges->list[i].first < count)
            return 0;
    if (!ranges->count)
        return 0;
    return fth_fail(error,
                    "there is no server %" PRId64 ": a trace does not know the servers of a file "
                    "system; %s stand for them, %zu here, counted from 0 (`fathom query TRACE "
                    "servers` lists them)",
                    ranges->list[0].first, words[asking->query->server], count);
}

static int check_layer(const struct fth_asking *asking, const char *layer, struct fth_error **error)
{
    for (size_t i = 0; i < asking->classes->count; i++) {
        const struct fth_function *function = fth_trace_function(asking->trace, i);
        if (asking->classes->list[i].data && strcmp(function->layer, layer) == 0)
            return 0;
    }
    return fth_fail(error, "this run made no data calls of a layer '%s'", layer);
}

static int make_tables(struct fth_asking *asking, struct fth_error **error)
{
    struct fth_answer *answer = asking->answer;
    for (size_t i = 0; i < 2; i++) {
        answer->tables[i] = fth_query_table(asking, i);
        answer->count += answer->tables[i] != NULL;
    }
    return answer->count ? 0 : fth_fail(error, "out of memory");
}

static int go_through(struct fth_asking *asking, const struct fth_selection *selection,
                      struct fth_progress *progress, struct fth_error **error)
{
    const struct fth_query *query = asking->query;
    struct fth_segment segment = {query->segment, query->first, query->last};
    struct fth_selection chosen = *selection;
    chosen.procs = (struct fth_integers){0};
    struct fth_numbering numbering = {
        .trace = asking->trace,
        .selection = &chosen,
        .classes = asking->classes,
        .layer = query->layer ? query->layer : fth_numbered_layer(asking->trace, asking->classes),
        .segment = query->kind == FTH_QUERY_SEGMENT ? &segment : NULL,
        .progress = progress,
        .take = take,
        .context = asking};
    asking->answer->layer = numbering.layer;
    if (!numbering.layer)
        return fth_fail(error,
                        "this run has no calls that read or write: there is nothing to query");
    if (check_layer(asking, numbering.layer, error) || check_servers(asking, error))
        return -1;
    int result = choose_processes(asking, selection, &chosen.procs, error);
    if (!result)
        result = fth_analysis_number(&numbering, error);
    free(chosen.procs.items);
    return result;
}

int fth_analysis_query(struct fth_trace *trace, const struct fth_selection *selection,
                       const struct fth_query *query, struct fth_progress *progress,
                       struct fth_answer *answer, struct fth_error **error)
{
    *answer = (struct fth_answer){.ranks = has_ranks(trace)};
    struct fth_served served = {0};
    struct fth_call_classes *classes = fth_call_classes_new(trace);
    bool probes = query->server == FTH_SERVERS_ARE_PROBES;
    struct fth_servers *servers =
        probes && fth_served_gather(&served, trace, selection, classes, NULL, error)
            ? NULL
            : fth_analysis_servers(trace, query->server, &served, error);
    struct fth_asking asking = {.trace = trace,
                                .query = query,
                                .classes = classes,
                                .servers = servers,
                                .served = probes ? &served : NULL,
                                .answer = answer,
                                .ranks = answer->ranks};
    int result = servers ? make_tables(&asking, error) : -1;
    if (!result && query->kind != FTH_QUERY_SERVERS)
        result = go_through(&asking, selection, progress, error);
    fth_query_end(&asking);
    for (size_t i = 0; i < answer->count && !result; i++)
        if (fth_table_failed(answer->tables[i]))
            result = fth_fail(error, "out of memory");
    fth_call_classes_free(classes);
    fth_served_free(&served);
    fth_analysis_servers_free(servers);
    return result;
}

void fth_answer_free(struct fth_answer *answer)
{
    for (size_t i = 0; i < answer->count; i++)
        fth_table_free(answer->tables[i]);
    free(answer->columns);
}

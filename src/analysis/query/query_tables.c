/* What the tables of queries have in them. A table is made for each point of view: that of
 * processes and their calls, and that of servers. */
#include "analysis/query/query_tables.h"

#include "analysis/select/spans.h"
#include "base/intern.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

static struct fth_cell integer(int64_t value)
{
    return value < 0 ? fth_cell_null() : fth_cell_integer(value);
}

/* A subcall that is asked for, with what its rows have in them. */
struct one {
    const struct fth_numbered_call *call;
    const struct fth_subcall *subcall;
    int64_t number, latency;
    struct fth_cell rank, proc, id, server, name, function;
};

static struct one of_call(const struct fth_asking *asking, const struct fth_numbered_call *call)
{
    return (struct one){.call = call,
                        .rank = integer(fth_trace_process(asking->trace, call->proc)->rank),
                        .proc = integer((int64_t)call->proc),
                        .id = integer((int64_t)call->id),
                        .function = fth_cell_text(call->function->name)};
}

static void set_row(struct fth_table *table, size_t row, const struct fth_cell *cells, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fth_table_set(table, row, i, cells[i]);
}
#define SET_ROW(table, row, ...)                                                                   \
    set_row(table, row, (const struct fth_cell[]){__VA_ARGS__},                                    \
            sizeof((const struct fth_cell[]){__VA_ARGS__}) / sizeof(struct fth_cell))
#define GROUP(table, ...) fth_table_group(table, (const struct fth_cell[]){__VA_ARGS__})

static int64_t cell(const struct fth_table *table, size_t row, size_t column)
{
    const struct fth_cell *cells = row == FTH_NO_ROW ? NULL : fth_table_row(table, row);
    return cells && cells[column].type == FTH_CELL_INTEGER ? cells[column].integer : 0;
}

static bool is_new(const struct fth_table *table, size_t row, size_t column)
{
    return row != FTH_NO_ROW && fth_table_row(table, row)[column].type == FTH_CELL_NULL;
}

struct fth_query_state {
    struct fth_intern seen;
    size_t server_count;
    struct fth_spans *active, *spans; /* by server */
};

static bool is_first(struct fth_asking *asking, char what, int64_t one, int64_t other)
{
    const int64_t key[] = {what, one, other};
    uint32_t before = asking->state->seen.count;
    return fth_intern(&asking->state->seen, key, sizeof key) == before;
}

/* ---- what a call adds ---- */

static void add_breakdown(struct fth_asking *asking, const struct fth_numbered_call *call)
{
    struct fth_table *table = asking->answer->tables[0];
    struct one one = of_call(asking, call);
    size_t row = fth_table_add_row(table), layers = asking->classes->layer_count;
    SET_ROW(table, row, one.rank, one.proc, one.id, one.function, integer(call->subcall_count));
    for (size_t i = 0; i < layers; i++) {
        const struct fth_layer_time *layer = &call->layers[layers - 1 - i];
        int64_t time =
            asking->query->kind == FTH_QUERY_INCLUSIVE ? layer->inclusive : layer->exclusive;
        if (layer->calls)
            fth_table_set(table, row, FTH_ANSWER_FIRST_LAYER + i,
                          fth_cell_integer(time < 0 ? 0 : time));
    }
}

static void add_communication(struct fth_asking *asking, const struct fth_numbered_call *call)
{
    struct one one = of_call(asking, call);
    if (!call->collective)
        return;
    int64_t latency = call->end - call->start;
    int64_t own = call->layers[call->layer].exclusive + call->messages;
    own = own < 0 ? 0 : own > latency ? latency : own;
    struct fth_table *table = asking->answer->tables[0];
    SET_ROW(table, fth_table_add_row(table), one.rank, one.proc, one.id, one.function,
            integer(latency), integer(own),
            fth_cell_real(latency ? 100.0 * (double)own / (double)latency : 0));
}

/* The shortest, the mean and the longest, in columns one behind the other; before them count, ...,
 * time. */
static void add_duration(struct fth_table *table, size_t row, size_t count, size_t time,
                         int64_t duration)
{
    fth_table_increase(table, row, count, 1);
    fth_table_increase(table, row, time, (uint64_t)duration);
    if (row == FTH_NO_ROW)
        return;
    fth_table_set(table, row, time + 1, integer(cell(table, row, time) / cell(table, row, count)));
    if (is_new(table, row, time + 2) || duration < cell(table, row, time + 2))
        fth_table_set(table, row, time + 2, integer(duration));
    if (duration >= cell(table, row, time + 3))
        fth_table_set(table, row, time + 3, integer(duration));
}

static void add_to_segment(struct fth_asking *asking, const struct fth_numbered_call *call)
{
    struct fth_table *table = asking->answer->tables[0];
    struct one one = of_call(asking, call);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < call->subcall_count; i++)
        bytes += call->subcalls[i].bytes;
    size_t row = GROUP(table, one.rank, one.proc);
    fth_table_increase(table, row, 3, bytes);
    add_duration(table, row, 2, 4, call->end - call->start);
}

static void begin_nodes(struct fth_asking *asking, const struct one *one)
{
    struct fth_table *table = asking->answer->tables[0];
    size_t row = GROUP(table, one->id);
    if (is_new(table, row, 1))
        fth_table_set(table, row, 1, one->function);
    for (size_t column = 2; column < 8; column++)
        fth_table_increase(table, row, column, 0);
    fth_table_increase(table, row, 2, 1);
}

/* A host is the first process that was on it. */
static int64_t host_of(const struct fth_trace *trace, size_t proc)
{
    const char *host = fth_trace_process(trace, proc)->host;
    size_t first = 0;
    while (strcmp(fth_trace_process(trace, first)->host, host) != 0)
        first++;
    return (int64_t)first;
}

static void add_to_nodes(struct fth_asking *asking, const struct one *one)
{
    struct fth_table *table = asking->answer->tables[0];
    int64_t id = (int64_t)one->call->id;
    size_t row = GROUP(table, one->id);
    fth_table_increase(table, row, 3, is_first(asking, 'p', id, (int64_t)one->call->proc));
    fth_table_increase(table, row, 4,
                       is_first(asking, 'h', id, host_of(asking->trace, one->call->proc)));
    fth_table_increase(table, row, 5,
                       one->server.type != FTH_CELL_NULL &&
                           is_first(asking, 's', id, one->server.integer));
    fth_table_increase(table, row, 6, 1);
    fth_table_increase(table, row, 7, one->subcall->bytes);
}

static bool is_better(const struct fth_asking *asking, int64_t latency, int64_t than)
{
    return asking->query->kind == FTH_QUERY_MAX ? latency > than : latency < than;
}

static void add_extreme(struct fth_asking *asking, const struct one *one)
{
    struct fth_table *calls = asking->answer->tables[0], *servers = asking->answer->tables[1];
    struct fth_cell function = fth_cell_text(one->subcall->function->name);
    size_t row = GROUP(calls, one->rank, one->proc, one->id);
    if (is_new(calls, row, 4) || is_better(asking, one->latency, cell(calls, row, 4)))
        SET_ROW(calls, row, one->rank, one->proc, one->id, function, integer(one->latency),
                integer(one->number), one->server, one->name);
    row = GROUP(servers, one->server, one->name);
    if (is_new(servers, row, 2) || is_better(asking, one->latency, cell(servers, row, 2)))
        SET_ROW(servers, row, one->server, one->name, integer(one->latency), one->rank, one->proc,
                one->id, integer(one->number), function);
}

static void add_average(struct fth_asking *asking, const struct one *one)
{
    struct fth_table *table = asking->answer->tables[0];
    size_t row = GROUP(table, one->id);
    if (is_new(table, row, 1))
        fth_table_set(table, row, 1, one->function);
    fth_table_increase(table, row, 2,
                       is_first(asking, 'p', (int64_t)one->call->id, (int64_t)one->call->proc));
    add_duration(table, row, 3, 4, one->latency);
}

/* Rates of processes at a server are added up: they work at the same time (eq. 2.2). */
static void add_rate(struct fth_asking *asking, const struct one *one)
{
    struct fth_table *table = asking->answer->tables[0];
    size_t row = GROUP(table, one->rank, one->proc, one->id, one->server, one->name);
    if (is_new(table, row, 5))
        fth_table_set(table, row, 5, one->function);
    fth_table_increase(table, row, 6, one->subcall->bytes);
    fth_table_increase(table, row, 7, (uint64_t)one->latency);
}

static void end_rates(struct fth_asking *asking)
{
    struct fth_table *calls = asking->answer->tables[0], *servers = asking->answer->tables[1];
    for (size_t row = 0; row < fth_table_rows(calls); row++) {
        int64_t bytes = cell(calls, row, 6), time = cell(calls, row, 7);
        double rate = time ? (double)bytes * 1e9 / (double)time : 0;
        uint64_t whole = rate < 9e18 ? (uint64_t)rate : 0;
        fth_table_set(calls, row, 8, integer((int64_t)whole));
        const struct fth_cell *cells = fth_table_row(calls, row);
        size_t to = GROUP(servers, cells[2], cells[3], cells[4]);
        fth_table_increase(servers, to, 3, 1);
        fth_table_increase(servers, to, 4, (uint64_t)bytes);
        fth_table_increase(servers, to, 5, (uint64_t)time);
        fth_table_increase(servers, to, 6, whole);
    }
}

/* Subcalls of a call follow one another on a thread: their union is their sum. */
static void add_energy(struct fth_asking *asking, const struct one *one)
{
    struct fth_table *table = asking->answer->tables[0];
    struct fth_query_state *state = asking->state;
    size_t row = GROUP(table, one->rank, one->proc, one->id, one->server, one->name);
    fth_table_increase(table, row, 5, (uint64_t)one->latency);
    fth_table_set(table, row, 6, integer(one->call->end - one->call->start));
    size_t server =
        one->server.type == FTH_CELL_NULL ? state->server_count : (size_t)one->server.integer;
    fth_spans_add(&state->active[server], one->subcall->start, one->subcall->end);
    struct fth_spans *spans = &state->spans[server];
    if (!spans->count || spans->list[spans->count - 1].start != one->call->start)
        fth_spans_add(spans, one->call->start, one->call->end);
}

/* E = active power * active time + inactive power * the rest of the time. */
static struct fth_cell joules(const struct fth_query *query, int64_t active, int64_t span)
{
    return fth_cell_real(query->active * (double)active / 1e9 +
                         query->inactive * (double)(span - active) / 1e9);
}

static void end_energy(struct fth_asking *asking)
{
    struct fth_table *calls = asking->answer->tables[0], *servers = asking->answer->tables[1];
    struct fth_query_state *state = asking->state;
    for (size_t row = 0; row < fth_table_rows(calls); row++)
        fth_table_set(calls, row, 7,
                      joules(asking->query, cell(calls, row, 5), cell(calls, row, 6)));
    for (size_t i = 0; i <= state->server_count; i++) {
        int64_t active = fth_spans_length(&state->active[i]),
                span = fth_spans_length(&state->spans[i]);
        if (!span)
            continue;
        size_t row = fth_table_add_row(servers);
        bool known = i < state->server_count;
        SET_ROW(servers, row, known ? integer((int64_t)i) : fth_cell_null(),
                fth_cell_text(fth_analysis_server_name(asking->servers, (int64_t)i)),
                integer(active), integer(span), joules(asking->query, active, span));
    }
}

static void add_issued(struct fth_asking *asking, const struct one *one)
{
    struct fth_table *calls = asking->answer->tables[0], *servers = asking->answer->tables[1];
    size_t row = GROUP(calls, one->rank, one->proc, one->server, one->name);
    bool first = is_new(calls, row, 4);
    fth_table_increase(calls, row, 4, 1);
    fth_table_increase(calls, row, 5, one->subcall->bytes);
    row = GROUP(servers, one->server, one->name);
    fth_table_increase(servers, row, 2, first);
    fth_table_increase(servers, row, 3, 1);
    fth_table_increase(servers, row, 4, one->subcall->bytes);
}

static void add_listed(struct fth_asking *asking, const struct one *one)
{
    struct fth_table *table = asking->answer->tables[0];
    SET_ROW(table, fth_table_add_row(table), one->rank, one->proc, one->id, integer(one->number),
            one->server, one->name, fth_cell_text(one->subcall->function->name),
            integer((int64_t)one->subcall->bytes), integer(one->subcall->start),
            integer(one->latency));
}

/* Also a call that became none has a row. */
static void begin_access(struct fth_asking *asking, const struct one *one)
{
    struct fth_table *table = asking->answer->tables[0];
    size_t row = GROUP(table, one->rank, one->proc, one->id);
    fth_table_set(table, row, 3, one->function);
    fth_table_increase(table, row, 4, 0);
    fth_table_increase(table, row, 5, 0);
}

static void add_access(struct fth_asking *asking, const struct one *one)
{
    struct fth_table *table = asking->answer->tables[0];
    size_t row = GROUP(table, one->rank, one->proc, one->id);
    fth_table_increase(table, row, 4, 1);
    fth_table_increase(table, row, 5, one->subcall->bytes);
}

static void add_subcall(struct fth_asking *asking, const struct one *one)
{
    switch (asking->query->kind) {
    case FTH_QUERY_LIST:
        add_listed(asking, one);
        return;
    case FTH_QUERY_MAX:
    case FTH_QUERY_MIN:
        add_extreme(asking, one);
        return;
    case FTH_QUERY_AVERAGE:
        add_average(asking, one);
        return;
    case FTH_QUERY_THROUGHPUT:
        add_rate(asking, one);
        return;
    case FTH_QUERY_ENERGY:
        add_energy(asking, one);
        return;
    case FTH_QUERY_CALLS:
        add_issued(asking, one);
        return;
    case FTH_QUERY_ACCESSES:
        add_access(asking, one);
        return;
    case FTH_QUERY_NODES:
        add_to_nodes(asking, one);
        return;
    default:
        return;
    }
}

static void add_subcalls(struct fth_asking *asking, const struct fth_numbered_call *call)
{
    struct one one = of_call(asking, call);
    if (asking->query->kind == FTH_QUERY_ACCESSES)
        begin_access(asking, &one);
    if (asking->query->kind == FTH_QUERY_NODES)
        begin_nodes(asking, &one);
    for (uint32_t i = 0; i < call->subcall_count; i++) {
        const struct fth_subcall *subcall = &call->subcalls[i];
        int64_t server =
            subcall->server_process >= 0
                ? fth_analysis_server_process(asking->servers, (size_t)subcall->server_process)
                : fth_analysis_server_of(asking->servers, call->proc, subcall->file);
        if (!fth_query_has(&asking->query->subcalls, i) ||
            !fth_query_has(&asking->query->servers, server))
            continue;
        one.subcall = subcall;
        one.number = i;
        one.latency = one.subcall->end - one.subcall->start;
        one.server = integer(server);
        one.name = fth_cell_text(fth_analysis_server_name(asking->servers, server));
        add_subcall(asking, &one);
    }
}

static struct fth_query_state *new_state(const struct fth_asking *asking)
{
    struct fth_query_state *state = fth_new(1, sizeof *state);
    state->server_count = fth_analysis_server_count(asking->servers);
    state->active = fth_new(state->server_count + 1, sizeof *state->active);
    state->spans = fth_new(state->server_count + 1, sizeof *state->spans);
    return state;
}

void fth_query_add(struct fth_asking *asking, const struct fth_numbered_call *call)
{
    if (!asking->state)
        asking->state = new_state(asking);
    switch (asking->query->kind) {
    case FTH_QUERY_INCLUSIVE:
    case FTH_QUERY_EXCLUSIVE:
        add_breakdown(asking, call);
        return;
    case FTH_QUERY_COMMUNICATION:
        add_communication(asking, call);
        return;
    case FTH_QUERY_SEGMENT:
        add_to_segment(asking, call);
        return;
    default:
        add_subcalls(asking, call);
    }
}

/* ---- at the end ---- */

static void list_servers(struct fth_asking *asking)
{
    struct fth_table *table = asking->answer->tables[0];
    for (size_t i = 0; i < fth_analysis_server_count(asking->servers); i++)
        SET_ROW(table, fth_table_add_row(table), integer((int64_t)i),
                fth_cell_text(fth_analysis_server_name(asking->servers, (int64_t)i)));
}

void fth_query_end(struct fth_asking *asking)
{
    enum fth_query_kind kind = asking->query->kind;
    if (kind == FTH_QUERY_SERVERS)
        list_servers(asking);
    if (kind == FTH_QUERY_THROUGHPUT)
        end_rates(asking);
    if (kind == FTH_QUERY_ENERGY && asking->state)
        end_energy(asking);
    /* Calls of several threads come in the order of their ends. */
    for (size_t i = 0; i < asking->answer->count; i++) {
        size_t keys = fth_table_shape(asking->answer->tables[i])->key_count;
        fth_table_sort(asking->answer->tables[i], (size_t[]){0, 1, 2, 3, 4}, keys ? keys : 4);
    }
    if (kind == FTH_QUERY_CALLS)
        fth_table_sort_by_sum(asking->answer->tables[1], (size_t[]){3}, 1);
    if (!asking->state)
        return;
    fth_intern_free(&asking->state->seen);
    fth_spans_free(asking->state->active, asking->state->server_count + 1);
    fth_spans_free(asking->state->spans, asking->state->server_count + 1);
    free(asking->state);
    asking->state = NULL;
}

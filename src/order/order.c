/* The order of a run: from the builders of its processes to the answer to what came before what. */
#include "order/order.h"
#include "base/memory.h"
#include "order/clocks/vector_clock.h"
#include "order/build/builder.h"
#include "order/build/known_files.h"
#include "order/incorrect_calls.h"
#include "order/imported.h"
#include "order/match/match.h"
#include "order/possible.h"
#include "base/text.h"

#include <string.h>

/* Order of threads may depend on that of others: so often it is looked for anew. */
enum { MOST_ROUNDS = 8 };

struct fth_order {
    struct fth_trace *trace;
    size_t process_count, timeline_count;
    struct fth_order_operations *operations;
    struct fth_order_builder *builders;
    struct fth_order_semantics_table *semantics_table;
    struct fth_known_files known_files;
    struct fth_clocks *clocks;
    struct fth_clocks *barriers; /* edges only: fth_matching.barriers */
    struct fth_order_findings *findings;
    bool settled, wants_possible;
    struct fth_shared shared;
    struct fth_possible_uses uses;
    struct fth_order *possible, *synchronized; /* this one, with other clocks; or NULL */
};

/* ---- life ---- */

/* Processes of one host have the same number. */
static uint32_t host_of(const struct fth_trace *trace, size_t proc)
{
    const char *host = fth_trace_process(trace, proc)->host;
    for (size_t i = 0; i < proc; i++) {
        const char *other = fth_trace_process(trace, i)->host;
        if (fth_text_same(host, other))
            return (uint32_t)i;
    }
    return (uint32_t)proc;
}

struct fth_order *fth_order_new(struct fth_trace *trace)
{
    struct fth_order *order = fth_new(1, sizeof *order);
    order->trace = trace;
    order->process_count = fth_trace_process_count(trace);
    order->operations = fth_new(order->process_count + 1, sizeof *order->operations);
    order->builders = fth_new(order->process_count + 1, sizeof *order->builders);
    order->semantics_table = fth_order_semantics_table_new(trace);
    order->known_files = fth_known_files_of(trace);
    for (size_t i = 0; i < order->process_count; i++) {
        const struct fth_process *process = fth_trace_process(trace, i);
        struct fth_order_operations *operations = &order->operations[i];
        bool has_rank = process->world >= 0 && process->world < UINT32_MAX && process->rank >= 0 &&
                        process->rank < UINT32_MAX;
        operations->first_timeline = (uint32_t)order->timeline_count;
        operations->timeline_count = (uint32_t)process->thread_count;
        operations->mpi.world = has_rank ? (uint32_t)process->world : FTH_NO_GROUP;
        operations->mpi.rank = has_rank ? (uint32_t)process->rank : FTH_NO_GROUP;
        operations->host = host_of(trace, i);
        operations->clock_error = process->clock_error;
        operations->start = process->start;
        order->timeline_count += process->thread_count;
    }
    order->clocks = fth_clocks_new(order->timeline_count);
    for (size_t i = 0; i < order->process_count; i++) {
        struct fth_order_builder *builder = &order->builders[i];
        builder->proc = i;
        builder->trace = order->trace;
        builder->operations = &order->operations[i];
        builder->clocks = order->clocks;
        builder->semantics_table = order->semantics_table;
        builder->known_files = &order->known_files;
        builder->mpi_abi = fth_trace_process(trace, i)->mpi_abi;
        builder->thread_count = order->operations[i].timeline_count;
    }
    return order;
}

static void free_copy(struct fth_order *copy)
{
    if (copy)
        fth_clocks_free(copy->clocks);
    free(copy);
}

void fth_order_free(struct fth_order *order)
{
    if (!order)
        return;
    for (size_t i = 0; i < order->process_count; i++) {
        fth_builder_free(&order->builders[i]);
        fth_order_operations_free(&order->operations[i]);
    }
    if (order->wants_possible) {
        fth_shared_free(&order->shared);
        fth_possible_uses_free(&order->uses);
    }
    free_copy(order->possible);
    free_copy(order->synchronized);
    free(order->operations);
    free(order->builders);
    fth_order_semantics_table_free(order->semantics_table);
    fth_known_files_free(&order->known_files);
    fth_clocks_free(order->clocks);
    fth_clocks_free(order->barriers);
    fth_order_findings_free(order->findings);
    free(order);
}

/* ---- what may have come before ---- */

/* What makes one path of another does, unless it is another name of the same file. */
static bool renames(const struct fth_function *function)
{
    size_t paths = 0;
    for (size_t i = 0; i < function->parameter_count; i++)
        paths += strncmp(function->parameters[i].role, "path", 4) == 0;
    return strcmp(function->kind, "name") == 0 && paths == 2 && !function->links_name;
}

static bool watches(const struct fth_function *function)
{
    return function->orders && strcmp(function->orders, "watch") == 0;
}

/* May a process of the run have called such a function? */
static bool has_any(const struct fth_trace *trace, bool (*wanted)(const struct fth_function *))
{
    for (size_t i = 0; i < fth_trace_function_count(trace); i++)
        if (wanted(fth_trace_function(trace, i)))
            return true;
    return false;
}

void fth_order_want_bytes(struct fth_order *order)
{
    for (size_t i = 0; i < order->process_count; i++)
        order->operations[i].has_bytes = true;
}

void fth_order_want_accesses(struct fth_order *order)
{
    for (size_t i = 0; i < order->process_count; i++) {
        order->operations[i].mpi.accesses.columns = 4;
        order->operations[i].mpi.lists_accesses = true;
    }
}

void fth_order_want_possible(struct fth_order *order)
{
    bool has_renames = has_any(order->trace, renames), has_watches = has_any(order->trace, watches);
    order->wants_possible = true;
    order->shared = fth_shared_of(order->trace);
    for (size_t i = 0; i < order->process_count; i++) {
        struct fth_order_builder *builder = &order->builders[i];
        builder->possible.watches = true;
        builder->possible.pools = builder->thread_count > 1;
        builder->possible.shares = order->shared.has_any[i];
        builder->names.renames = has_renames;
        builder->flags.watches = has_watches;
    }
}

bool fth_order_pools_threads(const struct fth_order *order, uint32_t proc)
{
    return order->builders[proc].possible.pools;
}

const struct fth_order *fth_order_possible(const struct fth_order *order)
{
    return order->possible;
}

static struct fth_order *copy_with(const struct fth_order *order, struct fth_clocks *clocks)
{
    struct fth_order *copy = fth_new(1, sizeof *copy);
    *copy = *order;
    copy->clocks = clocks;
    return copy;
}

static void find_possible(struct fth_order *order, const struct fth_matching *matching)
{
    struct fth_clocks *clocks = fth_possible_clocks(matching, &order->shared);
    order->uses = fth_possible_uses_of(matching, &order->shared);
    if (clocks)
        order->possible = copy_with(order, clocks);
}

static void ignore_circle(void *context, struct fth_event waiting)
{
    (void)context, (void)waiting;
}

const struct fth_order *fth_order_synchronized(struct fth_order *order)
{
    if (order->synchronized || !order->barriers || !fth_clocks_hubs(order->barriers))
        return order->synchronized;
    const struct fth_order *known = order->possible ? order->possible : order;
    struct fth_clocks *clocks = fth_clocks_copy(known->clocks);
    fth_clocks_add(clocks, order->barriers);
    fth_clocks_compute(clocks, ignore_circle, NULL);
    order->synchronized = copy_with(order, clocks);
    return order->synchronized;
}

size_t fth_order_means(const struct fth_order *order, uint32_t a, uint32_t b, int64_t from,
                       int64_t to, const char **texts, size_t limit)
{
    size_t count = 0;
    const struct fth_possible_uses *uses = &order->uses;
    for (size_t i = 0; i < uses->count; i++) {
        const struct fth_possible_use *one = &uses->all[i];
        if (one->proc != a || one->last < from || one->first > to)
            continue;
        size_t first = i; /* those of one means stand together */
        while (first > 0 && uses->all[first - 1].means == one->means)
            first--;
        for (size_t k = first; k < uses->count && uses->all[k].means == one->means; k++) {
            const struct fth_possible_use *other = &uses->all[k];
            size_t length;
            if (other->proc != b || other->last < from || other->first > to)
                continue;
            if (count < limit)
                texts[count] = (const char *)fth_interned(&uses->means, one->means, &length);
            count++;
        }
    }
    return count;
}

/* ---- feeding ---- */

struct fth_order_builder *fth_order_feed(struct fth_order *order, size_t proc)
{
    struct fth_order_builder *builder = &order->builders[proc];
    if (!builder->threads && !builder->ended)
        fth_builder_begin(builder);
    return builder;
}

struct fth_moment fth_order_moment(const struct fth_order *order, struct fth_order_ticket ticket)
{
    return order->builders[ticket.proc].tickets.moments[ticket.number];
}

size_t fth_order_timelines(const struct fth_order *order)
{
    return order->timeline_count;
}

uint32_t fth_order_timeline(const struct fth_order *order, size_t proc, uint32_t thread)
{
    return proc < order->process_count && thread < order->operations[proc].timeline_count
               ? order->operations[proc].first_timeline + thread
               : UINT32_MAX;
}

/* ---- settling ---- */

/* A communicator that is used although nobody knows who is in it is reported once, with the first
 * call on it. */
static void report_unknown_members(struct fth_order *order)
{
    for (size_t i = 0; i < order->process_count; i++) {
        struct fth_order_operations *process = &order->operations[i];
        bool any = false;
        for (size_t k = 0; k < process->mpi.member_count; k++)
            any |=
                process->mpi.members[k].group == FTH_NO_GROUP && !process->mpi.members[k].reported;
        for (size_t k = 0; any && k < process->operation_count; k++) {
            struct fth_order_operation operation = fth_order_operation(process, (uint32_t)k);
            if (operation.member >= process->mpi.member_count ||
                process->mpi.members[operation.member].group != FTH_NO_GROUP ||
                process->mpi.members[operation.member].reported)
                continue;
            process->mpi.members[operation.member].reported = true;
            fth_order_find(order->findings, FTH_ORDER_UNKNOWN_COMMUNICATOR, i, &operation, NULL);
        }
    }
}

static void report_leaks(struct fth_order *order)
{
    for (size_t i = 0; i < order->process_count; i++) {
        for (size_t k = 0; k < order->builders[i].tickets.leaked_count; k++) {
            struct fth_order_operation operation =
                fth_order_operation(&order->operations[i], order->builders[i].tickets.leaked[k]);
            if (operation.kind != FTH_SYNC_NONE)
                fth_order_find(order->findings, FTH_ORDER_LEAKED_REQUEST, i, &operation, NULL);
        }
    }
}

/* What was made and not given up when MPI went down, with the call that made it. */
static void report_leaked_handles(struct fth_order *order)
{
    for (size_t i = 0; i < order->process_count; i++) {
        const struct fth_order_operations *process = &order->operations[i];
        for (size_t k = 0; process->mpi.finalized && k < process->mpi.creation_count; k++) {
            uint32_t made = process->mpi.creations[k].made;
            if (made >= process->mpi.member_count || process->mpi.members[made].given_up)
                continue;
            struct fth_order_operation operation =
                fth_order_operation(process, process->mpi.creations[k].operation);
            fth_order_find(order->findings, FTH_ORDER_LEAKED_HANDLE, i, &operation, NULL);
        }
    }
}

/* An event that waits in a circle, as a call: the last one of its thread that began before it. */
static void report_circle(void *context, struct fth_event waiting)
{
    struct fth_order *order = context;
    size_t proc = 0;
    while (proc < order->process_count &&
           waiting.timeline - order->operations[proc].first_timeline >=
               order->operations[proc].timeline_count)
        proc++;
    if (proc == order->process_count)
        return;
    struct fth_order_operation found = {
        .begin = waiting, .function = UINT16_MAX, .member = FTH_NO_MEMBER};
    const struct fth_order_operations *process = &order->operations[proc];
    for (uint32_t i = 0; i < process->operation_count; i++) {
        struct fth_order_operation operation = fth_order_operation(process, i);
        if (operation.end.timeline == waiting.timeline && operation.end.step == waiting.step)
            found = operation;
    }
    fth_order_find(order->findings, FTH_ORDER_CYCLE, proc, &found, NULL);
}

/* Threads that share a channel or a communicator are ordered, or not, by all other edges: those
 * that are bring edges of their own. */
static void compute(struct fth_order *order, struct fth_matching *matching)
{
    bool any = matching->threaded_count || matching->shared_count;
    for (size_t i = 0; i < order->process_count && !any; i++)
        fth_order_operations_forget_next(&order->operations[i]);
    if (any || !matching->options.only_edges)
        fth_clocks_compute(order->clocks, report_circle, order);
    for (unsigned round = 0; any && round < MOST_ROUNDS; round++) {
        any = fth_match_threaded_groups(matching);
        any |= fth_match_threaded_channels(matching);
        if (any)
            fth_clocks_compute(order->clocks, ignore_circle, order);
    }
    fth_match_report_threaded_groups(matching);
    fth_match_report_threaded_channels(matching);
}

bool fth_order_settle(struct fth_order *order, struct fth_order_options options,
                      struct fth_error **error)
{
    if (order->settled) {
        fth_fail(error, "the order of a run is settled only once");
        return false;
    }
    order->settled = true;
    for (size_t i = 0; i < order->process_count; i++)
        fth_order_feed_end(fth_order_feed(order, i));
    order->findings = fth_order_findings_new(order->trace, order->operations, order->process_count,
                                             order->semantics_table, options.most_findings);
    if (options.asks_synchronized)
        order->barriers = fth_clocks_new(order->timeline_count);
    struct fth_matching matching = {.processes = order->operations,
                                    .process_count = order->process_count,
                                    .clocks = order->clocks,
                                    .barriers = order->barriers,
                                    .options = options,
                                    .find = fth_order_find,
                                    .context = order->findings};
    report_leaks(order);
    report_leaked_handles(order);
    fth_match_processes(&matching, order->trace);
    fth_match_threads(&matching);
    fth_match_pipes(&matching, order->trace);
    fth_match_contacts(&matching);
    fth_match_tallies(&matching, order->trace);
    fth_match_groups(&matching);
    fth_match_report_groups(&matching);
    fth_match_locks(&matching, order->trace);
    fth_match_epochs(&matching);
    fth_match_messages(&matching);
    report_unknown_members(order);
    compute(order, &matching);
    if (order->wants_possible) {
        fth_match_remotes(&matching);
        fth_match_names(&matching);
        fth_match_flags(&matching);
        fth_match_readiness(&matching, order->trace);
        find_possible(order, &matching);
    }
    fth_match_free(&matching);
    for (size_t i = 0; i < order->process_count; i++)
        fth_order_operations_free(&order->operations[i]);
    fth_order_findings_sort(order->findings);
    return true;
}

bool fth_order_before(const struct fth_order *order, struct fth_moment a, struct fth_moment b)
{
    return fth_clocks_before(order->clocks, a, b);
}

const struct fth_vector_clock *fth_order_known(const struct fth_order *order, struct fth_moment b)
{
    return fth_clocks_known(order->clocks, b);
}

bool fth_order_knows(const struct fth_vector_clock *known, struct fth_moment a)
{
    return known && fth_clock_known(known, a.timeline) > a.step;
}

uint32_t fth_order_known_events(const struct fth_vector_clock *known, uint32_t timeline)
{
    return fth_clock_known(known, timeline);
}

const struct fth_rows *fth_order_edges(const struct fth_order *order, uint32_t timeline)
{
    return fth_clocks_edges(order->clocks, timeline);
}

size_t fth_order_hubs(const struct fth_order *order)
{
    return fth_clocks_hubs(order->clocks);
}

size_t fth_order_hub_size(const struct fth_order *order, size_t hub, bool *chained)
{
    return fth_clocks_hub_size(order->clocks, hub, chained);
}

struct fth_event fth_order_hub_input(const struct fth_order *order, struct fth_rows_place *place,
                                     size_t hub, size_t i)
{
    return fth_clocks_hub_input(order->clocks, place, hub, i);
}

const struct fth_order_finding *fth_order_findings(const struct fth_order *order, size_t *count)
{
    return fth_order_findings_kept(order->findings, count);
}

uint64_t fth_order_finding_count(const struct fth_order *order, enum fth_order_finding_kind kind)
{
    return fth_order_findings_counted(order->findings, kind);
}

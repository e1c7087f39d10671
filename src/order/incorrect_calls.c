/* Findings: counted, and the first of each kind kept with a sentence for people. */
#include "order/incorrect_calls.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

struct fth_order_findings {
    const struct fth_trace *trace;
    const struct fth_order_operations *operations; /* of processes */
    size_t process_count;
    const struct fth_order_semantics_table *semantics_table;
    size_t most;
    uint64_t counts[FTH_ORDER_FINDING_KINDS];
    struct fth_order_finding *kept;
    size_t kept_count;
};

enum { DEFAULT_MOST = 100 };

struct fth_order_findings *
fth_order_findings_new(const struct fth_trace *trace, const struct fth_order_operations *operations,
                       size_t process_count,
                       const struct fth_order_semantics_table *semantics_table, size_t most)
{
    struct fth_order_findings *findings = fth_new(1, sizeof *findings);
    *findings = (struct fth_order_findings){.trace = trace,
                                            .operations = operations,
                                            .process_count = process_count,
                                            .semantics_table = semantics_table,
                                            .most = most ? most : DEFAULT_MOST};
    return findings;
}

const char *fth_order_finding_word(enum fth_order_finding_kind kind)
{
    static const char *const words[FTH_ORDER_FINDING_KINDS] = {
        [FTH_ORDER_MISMATCHED_COLLECTIVE] = "mismatched collective",
        [FTH_ORDER_MISSING_COLLECTIVE] = "missing collective",
        [FTH_ORDER_UNMATCHED_SEND] = "unmatched send",
        [FTH_ORDER_UNMATCHED_RECEIVE] = "unmatched receive",
        [FTH_ORDER_MISMATCHED_ARGUMENTS] = "mismatched arguments",
        [FTH_ORDER_LEAKED_REQUEST] = "leaked request",
        [FTH_ORDER_LEAKED_HANDLE] = "leaked handle",
        [FTH_ORDER_AMBIGUOUS] = "ambiguous",
        [FTH_ORDER_UNKNOWN_SOURCE] = "unknown source",
        [FTH_ORDER_UNKNOWN_COMMUNICATOR] = "unknown communicator",
        [FTH_ORDER_CYCLE] = "cycle",
        [FTH_ORDER_UNORDERED] = "unordered",
    };
    return words[kind];
}

/* ---- sentences ---- */

static const char *problem(enum fth_order_finding_kind kind)
{
    static const char *const problems[FTH_ORDER_FINDING_KINDS] = {
        [FTH_ORDER_MISMATCHED_COLLECTIVE] = "does not match the collective call or root of other "
                                            "members: later calls on it order nothing",
        [FTH_ORDER_MISSING_COLLECTIVE] = "is missing on some members",
        [FTH_ORDER_UNMATCHED_SEND] = "is never received",
        [FTH_ORDER_UNMATCHED_RECEIVE] = "matches no recorded send",
        [FTH_ORDER_MISMATCHED_ARGUMENTS] = "transfers another amount of data than on other "
                                           "members, or reduces with another operation",
        [FTH_ORDER_LEAKED_REQUEST] = "is never completed",
        [FTH_ORDER_LEAKED_HANDLE] = "creates a handle that is never freed or closed",
        [FTH_ORDER_AMBIGUOUS] = "is made by one of several unordered threads",
        [FTH_ORDER_UNKNOWN_SOURCE] = "received from any source, and the trace does not show which: "
                                     "later receives on it order nothing",
        [FTH_ORDER_UNKNOWN_COMMUNICATOR] = "orders nothing: its members are unknown",
        [FTH_ORDER_CYCLE] = "waits in a cycle",
        [FTH_ORDER_UNORDERED] = "orders nothing",
    };
    return problems[kind];
}

static const char *member_name(const struct fth_order_findings *findings, size_t proc,
                               const struct fth_order_operation *operation)
{
    if (proc >= findings->process_count ||
        operation->member >= findings->operations[proc].mpi.member_count)
        return NULL;
    const char *name = findings->operations[proc].mpi.members[operation->member].name;
    return name ? name : "an unnamed communicator";
}

static char *sentence(const struct fth_order_findings *findings, enum fth_order_finding_kind kind,
                      size_t proc, const struct fth_order_operation *operation, const char *why)
{
    const struct fth_function *function =
        fth_order_function(findings->semantics_table, operation->function);
    const char *on = member_name(findings, proc, operation);
    char peer[96] = "";
    bool message = operation->kind == FTH_SYNC_SEND || operation->kind == FTH_SYNC_RECEIVE;
    if (message && operation->peer >= 0 && operation->tag != FTH_TAG_ANY)
        snprintf(peer, sizeof peer, " %s rank %d with tag %d",
                 operation->kind == FTH_SYNC_SEND ? "to" : "from", operation->peer, operation->tag);
    return fth_text_format("%s%s%s%s %s%s%s", function ? function->name : "a call", peer,
                           on ? " on " : "", on ? on : "", problem(kind), why ? ": " : "",
                           why ? why : "");
}

void fth_order_find(void *context, enum fth_order_finding_kind kind, size_t proc,
                    const struct fth_order_operation *operation, const char *why)
{
    struct fth_order_findings *findings = context;
    if (findings->counts[kind]++ >= findings->most)
        return;
    uint32_t first = proc < findings->process_count ? findings->operations[proc].first_timeline : 0;
    FTH_GROW(findings->kept, findings->kept_count);
    findings->kept[findings->kept_count++] =
        (struct fth_order_finding){.kind = kind,
                                   .proc = proc,
                                   .thread = operation->begin.timeline - first,
                                   .call = operation->call,
                                   .text = sentence(findings, kind, proc, operation, why)};
}

/* ---- what is asked for ---- */

static int by_kind_and_call(const void *one, const void *other)
{
    const struct fth_order_finding *a = one, *b = other;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->proc != b->proc)
        return a->proc < b->proc ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return (a->call > b->call) - (a->call < b->call);
}

void fth_order_findings_sort(struct fth_order_findings *findings)
{
    if (findings->kept_count)
        qsort(findings->kept, findings->kept_count, sizeof *findings->kept, by_kind_and_call);
}

const struct fth_order_finding *fth_order_findings_kept(const struct fth_order_findings *findings,
                                                        size_t *count)
{
    *count = findings ? findings->kept_count : 0;
    return findings ? findings->kept : NULL;
}

uint64_t fth_order_findings_counted(const struct fth_order_findings *findings,
                                    enum fth_order_finding_kind kind)
{
    return findings ? findings->counts[kind] : 0;
}

void fth_order_findings_free(struct fth_order_findings *findings)
{
    for (size_t i = 0; findings && i < findings->kept_count; i++)
        free((char *)(uintptr_t)findings->kept[i].text);
    if (findings)
        free(findings->kept);
    free(findings);
}

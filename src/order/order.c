/* The order of a run, from the calls of its processes to the answer to what came before what. So far: program order. */
#include "order/order.h"
#include "base/memory.h"

struct fth_order_feeder {
    size_t proc;
};

struct fth_order {
    struct fth_trace *trace;
    size_t process_count;
    struct fth_order_feeder *feeders;
};

struct fth_order *fth_order_new(struct fth_trace *trace)
{
    struct fth_order *order = fth_new(1, sizeof *order);
    order->trace = trace;
    order->process_count = fth_trace_process_count(trace);
    order->feeders = fth_new(order->process_count + 1, sizeof *order->feeders);
    return order;
}

void fth_order_free(struct fth_order *order)
{
    if (!order)
        return;
    free(order->feeders);
    free(order);
}

struct fth_order_feeder *fth_order_feed(struct fth_order *order, size_t proc)
{
    order->feeders[proc].proc = proc;
    return &order->feeders[proc];
}

bool fth_order_call(struct fth_order_feeder *feeder, const struct fth_call *call,
                    struct fth_error **error)
{
    (void)feeder, (void)call, (void)error;
    return true;
}

struct fth_moment fth_order_here(struct fth_order_feeder *feeder)
{
    return (struct fth_moment){(uint32_t)feeder->proc, 0};
}

struct fth_order_ticket fth_order_behind(struct fth_order_feeder *feeder)
{
    return (struct fth_order_ticket){(uint32_t)feeder->proc, 0};
}

void fth_order_feed_end(struct fth_order_feeder *feeder)
{
    (void)feeder;
}

struct fth_moment fth_order_moment(const struct fth_order *order, struct fth_order_ticket ticket)
{
    (void)order;
    return (struct fth_moment){ticket.proc, 0};
}

bool fth_order_settle(struct fth_order *order, struct fth_order_options options,
                      struct fth_error **error)
{
    (void)order, (void)options, (void)error;
    return true;
}

bool fth_order_before(const struct fth_order *order, struct fth_moment a, struct fth_moment b)
{
    (void)order;
    return a.strand == b.strand && a.step <= b.step;
}

size_t fth_order_strands(const struct fth_order *order)
{
    return order->process_count;
}

uint32_t fth_order_strand(const struct fth_order *order, size_t proc, uint32_t thread)
{
    return proc < order->process_count && thread == 0 ? (uint32_t)proc : UINT32_MAX;
}

const char *fth_order_finding_word(enum fth_order_finding_kind kind)
{
    static const char *const words[FTH_ORDER_FINDING_KINDS] = {
        "mismatched collective",
        "missing collective",
        "unmatched send",
        "unmatched receive",
        "leaked request",
        "ambiguous",
        "unknown source",
        "unknown communicator",
        "cycle",
        "unordered",
    };
    return words[kind];
}

const struct fth_order_finding *fth_order_findings(const struct fth_order *order, size_t *count)
{
    (void)order;
    *count = 0;
    return NULL;
}

uint64_t fth_order_finding_count(const struct fth_order *order, enum fth_order_finding_kind kind)
{
    (void)order, (void)kind;
    return 0;
}

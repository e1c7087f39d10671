/* What waiting means for each function: from its kind, and from how it orders those who take
 * part. */
#include "analysis/survey/working.h"
#include "base/memory.h"
#include "path/run_flow.h"
#include "trace/record/builtin.h"

#include <string.h>

static const char *const names[FTH_WAITS][2] = {
    [FTH_WAIT_LATE_SENDER] = {"late_sender", "Late sender"},
    [FTH_WAIT_WRONG_ORDER] = {"late_sender_wrong_order", "Late sender, messages in wrong order"},
    [FTH_WAIT_LATE_RECEIVER] = {"late_receiver", "Late receiver"},
    [FTH_WAIT_BARRIER] = {"wait_at_barrier", "Wait at barrier"},
    [FTH_WAIT_NXN] = {"wait_at_nxn", "Wait at N x N"},
    [FTH_WAIT_EARLY_REDUCE] = {"early_reduce", "Root waits for the others (early reduce)"},
    [FTH_WAIT_LATE_BROADCAST] = {"late_broadcast", "Wait for the root (late broadcast)"},
    [FTH_WAIT_SCAN] = {"early_scan", "Wait for lower ranks"},
    [FTH_WAIT_COLLECTIVE_IO] = {"late_in_collective_io",
                                "Wait for the last rank in collective I/O"},
    [FTH_WAIT_WRITER] = {"wait_for_io_of_others", "Wait for aggregators in collective I/O"},
    [FTH_WAIT_COLLECTIVE] = {"wait_at_collective", "Wait at other collective calls"},
    [FTH_WAIT_START] = {"wait_at_start", "Wait at the start of MPI"},
    [FTH_WAIT_END] = {"wait_at_end", "Wait at the end of MPI"},
    [FTH_WAIT_ONE_SIDED] = {"wait_for_epoch", "Wait for an epoch of a window"},
    [FTH_WAIT_LOCK] = {"wait_for_lock", "Wait for a lock"},
    [FTH_WAIT_PIPE] = {"wait_for_pipe", "Wait for data or room in a pipe"},
    [FTH_WAIT_THREAD] = {"wait_for_thread", "Wait for another thread"},
    [FTH_WAIT_CHILD] = {"wait_for_child", "Wait for a process"},
    [FTH_WAIT_OTHER] = {"other", "Other"},
};

const char *fth_wait_name(enum fth_wait wait)
{
    return names[wait][0];
}

const char *fth_wait_title(enum fth_wait wait)
{
    return names[wait][1];
}

static enum fth_wait awaited_together(const struct fth_function *function)
{
    static const struct {
        const char *word;
        enum fth_wait wait;
    } words[] = {
        {"barrier", FTH_WAIT_BARRIER},
        {"all", FTH_WAIT_NXN},
        {"each", FTH_WAIT_NXN},
        {"neighbours", FTH_WAIT_NXN},
        {"to_root", FTH_WAIT_EARLY_REDUCE},
        {"from_root", FTH_WAIT_LATE_BROADCAST},
        {"upwards", FTH_WAIT_SCAN},
        {"fence", FTH_WAIT_ONE_SIDED},
        {"free", FTH_WAIT_ONE_SIDED},
    };
    for (size_t i = 0; function->orders && i < sizeof words / sizeof *words; i++)
        if (strcmp(function->orders, words[i].word) == 0)
            return words[i].wait;
    return FTH_WAIT_COLLECTIVE;
}

/* What it is to wait for a call of this function to begin. */
static enum fth_wait awaited_of(const struct fth_function *function,
                                const struct fth_call_class *class)
{
    if (function->collective)
        return class->io ? FTH_WAIT_COLLECTIVE_IO : awaited_together(function);
    switch (class->kind) {
    case FTH_CALLS_SEND:
    case FTH_CALLS_EXCHANGE:
    case FTH_CALLS_START:
        return FTH_WAIT_LATE_SENDER;
    case FTH_CALLS_RECV:
    case FTH_CALLS_PROBE:
        return FTH_WAIT_LATE_RECEIVER;
    case FTH_CALLS_RMA:
        return FTH_WAIT_ONE_SIDED;
    case FTH_CALLS_READ:
    case FTH_CALLS_WRITE:
        return FTH_WAIT_PIPE;
    case FTH_CALLS_LOCK:
    case FTH_CALLS_CLOSE:
    case FTH_CALLS_CONTROL:
        return FTH_WAIT_LOCK;
    default:
        break;
    }
    return fth_function_starts_mpi(function)                  ? FTH_WAIT_START
           : fth_function_ends_mpi(function)                  ? FTH_WAIT_END
           : strcmp(function->kind, "mutex") == 0             ? FTH_WAIT_LOCK
           : fth_layer_is(function->layer, FTH_LAYER_THREADS) ? FTH_WAIT_THREAD
                                                              : FTH_WAIT_OTHER;
}

static bool has_role(const struct fth_function *function, const char *start)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (strncmp(function->parameters[i].role, start, strlen(start)) == 0)
            return true;
    return false;
}

void fth_path_note_functions(struct fth_path *path)
{
    path->classes = fth_call_classes_new(path->trace);
    path->facts = fth_new(path->classes->count + 1, sizeof *path->facts);
    for (size_t i = 0; i < path->classes->count; i++) {
        const struct fth_function *function = fth_trace_function(path->trace, i);
        const struct fth_call_class *class = &path->classes->list[i];
        path->facts[i] = (struct fth_flow_facts){
            .class = class,
            .takes_first = class->kind == FTH_CALLS_WAIT && has_role(function, "out["),
            .is_mpi = fth_function_starts_mpi(function) || fth_function_ends_mpi(function),
            .tests = class->kind == FTH_CALLS_TEST,
            .sends = class->kind == FTH_CALLS_SEND && !has_role(function, "new request"),
            .polls =
                class->kind == FTH_CALLS_POLL && fth_layer_is(function->layer, FTH_LAYER_SYSTEM),
            .finds_ready = function->orders && strcmp(function->orders, "ready") == 0,
            .awaited = awaited_of(function, class),
        };
        path->knows_polls |= path->facts[i].polls;
    }
}

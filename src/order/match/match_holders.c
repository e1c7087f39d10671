/* Who has something open that was opened once: the process that opened it, its children that were
 * made while it was open, what they become by exec, unless that closes it, and so on. So many need
 * no call for that, and each of them must have closed it, or be over, before the last one has. */
#include "order/match/match_holders.h"
#include "base/memory.h"

#include <string.h>

struct finding {
    const struct fth_matching *matching;
    const struct fth_trace *trace;
    struct fth_holders *holders;
    size_t *holder_of; /* by descriptor of the process at hand: its holder, plus 1 */
};

/* How a process comes from another one. */
enum descent { OF_NOBODY, AS_COPY, AS_PROGRAM, BY_EXEC };

const struct fth_order_descriptor *fth_holder_root(const struct fth_matching *matching,
                                                   const struct fth_holder *holder)
{
    return &matching->processes[holder->root_proc].descriptors.all[holder->root];
}

bool fth_holder_is_root(const struct fth_matching *matching, const struct fth_holder *holder)
{
    return holder->proc == holder->root_proc && holder->own == fth_holder_root(matching, holder);
}

const char *fth_holder_name(const struct fth_matching *matching, const struct fth_holder *holder)
{
    const struct fth_order_operations *process = &matching->processes[holder->root_proc];
    const struct fth_order_descriptor *root = fth_holder_root(matching, holder);
    const char *name = root->creation
                           ? process->pipes.creations[root->creation - 1].names[root->side]
                           : root->name;
    return name ? name : root->name;
}

static bool same_program(const struct fth_process *one, const struct fth_process *other)
{
    if (one->argument_count != other->argument_count || !one->executable || !other->executable ||
        strcmp(one->executable, other->executable) != 0)
        return false;
    for (size_t i = 0; i < one->argument_count; i++)
        if (strcmp(one->arguments[i], other->arguments[i]) != 0)
            return false;
    return true;
}

static enum descent descent_of(const struct finding *finding, size_t proc)
{
    const struct fth_birth_of *birth = &finding->matching->births[proc];
    if (birth->is_exec || !birth->is_known)
        return birth->is_exec ? BY_EXEC : OF_NOBODY;
    const struct fth_process *process = fth_trace_process(finding->trace, proc);
    if ((size_t)process->parent_proc >= proc)
        return OF_NOBODY;
    return same_program(fth_trace_process(finding->trace, (size_t)process->parent_proc), process)
               ? AS_COPY
               : AS_PROGRAM;
}

/* Of two moments in different threads it is not known which one is first. */
static bool is_before(struct fth_moment one, struct fth_moment other)
{
    return one.timeline == other.timeline && one.step <= other.step;
}

/* Did the process have it when it made a child at that moment, or, `at_end`, at its end? */
static bool has_it(const struct fth_holder *holder, struct fth_moment moment, bool at_end)
{
    const struct fth_order_descriptor *own = holder->own;
    if (!own)
        return true;
    bool is_left = own->closed.timeline == FTH_NO_TIMELINE;
    if (at_end)
        return is_left;
    struct fth_moment behind = {moment.timeline, moment.step + 1};
    return (own->was_there || is_before(own->opened, moment)) &&
           (is_left || is_before(behind, own->closed));
}

static void add(struct finding *finding, struct fth_holder holder)
{
    const struct fth_order_operations *process = &finding->matching->processes[holder.proc];
    if (holder.own)
        finding->holder_of[holder.own - process->descriptors.all] = finding->holders->count + 1;
    FTH_GROW(finding->holders->all, finding->holders->count);
    finding->holders->all[finding->holders->count++] = holder;
}

/* What the process itself did with a descriptor that it has from its parent; NULL: nothing. */
static const struct fth_order_descriptor *own_of(const struct fth_order_operations *process,
                                                 int64_t value, bool *taken)
{
    for (uint32_t i = 0; i < process->descriptors.count; i++) {
        const struct fth_order_descriptor *own = &process->descriptors.all[i];
        if (!own->was_there || own->value != value || taken[i])
            continue;
        taken[i] = true;
        return own;
    }
    return NULL;
}

static void inherit(struct finding *finding, uint32_t proc, enum descent descent, bool *taken)
{
    const struct fth_matching *matching = finding->matching;
    size_t parent = (size_t)fth_trace_process(finding->trace, proc)->parent_proc;
    const struct fth_birth_of *birth = &matching->births[proc];
    const struct fth_order_operations *before = &matching->processes[parent];
    for (size_t i = finding->holders->firsts[parent]; i < finding->holders->firsts[parent + 1];
         i++) {
        struct fth_holder holder = finding->holders->all[i];
        if (!has_it(&holder, birth->moment, descent == BY_EXEC) ||
            (descent != AS_COPY && holder.closes_on_exec))
            continue;
        const struct fth_order_descriptor *own =
            own_of(&matching->processes[proc], holder.value, taken);
        const char *name = fth_holder_name(matching, &holder);
        if (own && own->name && name && strcmp(own->name, name) != 0)
            continue;
        holder.proc = proc;
        holder.own = own;
        holder.is_certain &= descent != AS_PROGRAM || birth->is_plain;
        if (before->descriptors.closed_unnamed &&
            !is_before(birth->moment, before->descriptors.unnamed))
            holder.is_certain = false;
        if (own) {
            holder.is_certain = true;
            holder.writes |= own->writes;
            holder.closes_on_exec = own->is_marked ? own->closes_on_exec : holder.closes_on_exec;
        }
        add(finding, holder);
    }
}

/* Where the original of a descriptor of the process was opened: here, or by an ancestor. */
static void set_root(const struct finding *finding, struct fth_holder *holder)
{
    size_t original = finding->holder_of[holder->own->original];
    const struct fth_holder *other = original ? &finding->holders->all[original - 1] : NULL;
    holder->root_proc = other ? other->root_proc : holder->proc;
    holder->root = other ? other->root : holder->own->original;
}

static void find_process(struct finding *finding, uint32_t proc)
{
    const struct fth_order_operations *process = &finding->matching->processes[proc];
    bool *taken = fth_new(process->descriptors.count + 1, sizeof *taken);
    finding->holder_of = fth_new(process->descriptors.count + 1, sizeof *finding->holder_of);
    enum descent descent = descent_of(finding, proc);
    finding->holders->firsts[proc] = finding->holders->count;
    if (descent != OF_NOBODY)
        inherit(finding, proc, descent, taken);
    for (uint32_t i = 0; i < process->descriptors.count; i++) {
        const struct fth_order_descriptor *own = &process->descriptors.all[i];
        struct fth_holder holder = {.proc = proc,
                                    .value = own->value,
                                    .own = own,
                                    .writes = own->writes,
                                    .closes_on_exec = own->closes_on_exec,
                                    .is_certain = true};
        if (taken[i])
            continue;
        set_root(finding, &holder);
        add(finding, holder);
    }
    finding->holders->firsts[proc + 1] = finding->holders->count;
    free(finding->holder_of);
    free(taken);
}

struct fth_holders fth_holders_of(const struct fth_matching *matching,
                                  const struct fth_trace *trace)
{
    struct fth_holders holders = {.firsts = fth_new(matching->process_count + 2, sizeof(size_t))};
    struct finding finding = {matching, trace, &holders, NULL};
    for (uint32_t i = 0; i < matching->process_count; i++)
        find_process(&finding, i);
    for (size_t i = 0; i < holders.count; i++)
        holders.shares_locked |= !fth_holder_is_root(matching, &holders.all[i]) &&
                                 fth_holder_root(matching, &holders.all[i])->is_locked;
    return holders;
}

void fth_holders_free(struct fth_holders *holders)
{
    free(holders->all);
    free(holders->firsts);
}

struct fth_order_transfer fth_holder_end(const struct fth_matching *matching,
                                         const struct fth_trace *trace,
                                         const struct fth_holder *holder)
{
    const struct fth_order_operations *process = &matching->processes[holder->proc];
    int64_t end = fth_trace_process(trace, holder->proc)->end;
    bool inherited = holder->root_proc != holder->proc;
    if (holder->own && holder->own->closed.timeline != FTH_NO_TIMELINE)
        return (struct fth_order_transfer){.start = holder->own->closed_at,
                                           .end = holder->own->closed_end,
                                           .operation = holder->own->closing,
                                           .inherited = inherited,
                                           .kind = FTH_TRANSFER_CLOSE};
    if (holder->is_certain && process->descriptors.closed_unnamed)
        return (struct fth_order_transfer){.start = process->descriptors.closed_at,
                                           .end = process->descriptors.closed_end,
                                           .operation = process->descriptors.closing,
                                           .inherited = inherited,
                                           .kind = FTH_TRANSFER_CLOSE};
    return (struct fth_order_transfer){.start = end,
                                       .end = end,
                                       .operation = FTH_NO_OPERATION,
                                       .inherited = inherited,
                                       .kind = holder->is_certain ? FTH_TRANSFER_LEFT
                                                                  : FTH_TRANSFER_MAYBE_LEFT};
}

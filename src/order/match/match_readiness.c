/* Descriptors that are ready: who finds one so (poll, select, epoll) may know what others did
 * before they wrote to a pipe or socket that it has, took something out of it, closed it or
 * connected to it; or added to something that counts. Which descriptors were ready is not recorded,
 * so it may be any that the process has. */
#include "base/memory.h"
#include "order/match/match.h"
#include "order/match/match_holders.h"
#include "order/match/pipe_names.h"

#include <stdio.h>
#include <string.h>

/* Pipes, and pairs of sockets, by number. */
struct links {
    struct fth_matching *matching;
    const struct fth_trace *trace;
    struct fth_holders holders;
    struct fth_pipe_names names;
    struct fth_intern keys;
    uint32_t **of_pipes;  /* by process and number of the pipe there */
    uint32_t *of_holders; /* by number of the holder */
};

/* Of sockets the other end may not be known: all of these have one number, as any may be that. */
static uint32_t number_of(struct links *links, uint32_t host, const char *name)
{
    char key[600];
    const struct fth_pipe_name *known = fth_pipe_named(&links->names, host, name);
    bool of_pair = known && known->other;
    if (of_pair && strcmp(known->other, name) < 0)
        name = known->other;
    else if (!of_pair && strncmp(name, "socket:", 7) == 0)
        name = "sockets";
    int length = snprintf(key, sizeof key, "%u %.500s", of_pair ? UINT32_MAX : host, name);
    return fth_intern(&links->keys, key, (size_t)length + 1);
}

/* An end that nobody has used has the name of the other one, or none. */
static uint32_t number_of_holder(struct links *links, const struct fth_holder *holder)
{
    const struct fth_order_descriptor *root = fth_holder_root(links->matching, holder);
    const struct fth_order_operations *process = &links->matching->processes[holder->root_proc];
    const char *name = fth_holder_name(links->matching, holder);
    char key[64];
    if (!name && root->creation)
        name = process->pipes.creations[root->creation - 1].names[1 - root->side];
    if (name)
        return number_of(links, process->host, name);
    int length = snprintf(key, sizeof key, "made by %u: %u", holder->root_proc,
                          root->creation ? root->creation : UINT32_MAX - holder->root);
    return fth_intern(&links->keys, key, (size_t)length + 1);
}

static struct links links_of(struct fth_matching *matching, const struct fth_trace *trace)
{
    struct links links = {.matching = matching, .trace = trace};
    links.names = fth_pipe_names_of(matching, trace);
    links.holders = fth_holders_of(matching, trace);
    links.of_pipes = fth_new(matching->process_count + 1, sizeof *links.of_pipes);
    links.of_holders = fth_new(links.holders.count + 1, sizeof *links.of_holders);
    for (size_t i = 0; i < matching->process_count; i++) {
        const struct fth_order_operations *process = &matching->processes[i];
        links.of_pipes[i] = fth_new(process->pipes.count + 1, sizeof **links.of_pipes);
        for (uint32_t k = 0; k < process->pipes.count; k++)
            links.of_pipes[i][k] = number_of(&links, process->host, process->pipes.all[k].name);
    }
    for (size_t i = 0; i < links.holders.count; i++)
        links.of_holders[i] = number_of_holder(&links, &links.holders.all[i]);
    return links;
}

static void free_links(struct links *links)
{
    for (size_t i = 0; i < links->matching->process_count; i++)
        free(links->of_pipes[i]);
    free(links->of_pipes);
    free(links->of_holders);
    free(links->names.all);
    fth_holders_free(&links->holders);
    fth_intern_free(&links->keys);
}

/* ---- one process that finds descriptors ready ---- */

static void leave(struct fth_matching *matching, const char *means, uint32_t proc,
                  uint32_t operation, int64_t start, int64_t end, bool releases)
{
    fth_match_unfollowed(matching, means,
                         (struct fth_unfollowed){.proc = proc,
                                                 .operation = operation,
                                                 .start = start,
                                                 .end = end,
                                                 .releases = releases,
                                                 .acquires = !releases});
}

/* Which pipes and sockets the process has, by number. */
static bool *those_of(const struct links *links, uint32_t proc)
{
    bool *has = fth_new(links->keys.count + 1, sizeof *has);
    for (uint32_t k = 0; k < links->matching->processes[proc].pipes.count; k++)
        has[links->of_pipes[proc][k]] = true;
    for (size_t i = links->holders.firsts[proc]; i < links->holders.firsts[proc + 1]; i++)
        has[links->of_holders[i]] = true;
    return has;
}

static bool has_listened(const struct fth_order_operations *process)
{
    for (size_t i = 0; i < process->contact_count; i++)
        if (process->contacts[i].kind == FTH_CONTACT_LISTEN)
            return true;
    return false;
}

/* What another process did to something that this one may have waited for. */
static void release_by(const struct links *links, const char *means, uint32_t proc, const bool *has,
                       bool listens)
{
    const struct fth_order_operations *process = &links->matching->processes[proc];
    for (size_t i = 0; i < process->pipes.transfer_count; i++) {
        const struct fth_order_transfer *transfer = &process->pipes.transfers[i];
        if (has[links->of_pipes[proc][transfer->pipe]] && !transfer->of_library)
            leave(links->matching, means, proc, transfer->operation, transfer->start, transfer->end,
                  true);
    }
    for (size_t i = links->holders.firsts[proc]; i < links->holders.firsts[proc + 1]; i++) {
        struct fth_order_transfer end =
            fth_holder_end(links->matching, links->trace, &links->holders.all[i]);
        if (has[links->of_holders[i]])
            leave(links->matching, means, proc, end.operation, end.start, end.end, true);
    }
    for (size_t i = 0; listens && i < process->contact_count; i++) {
        const struct fth_order_contact *contact = &process->contacts[i];
        if (contact->kind == FTH_CONTACT_CONNECT)
            leave(links->matching, means, proc, contact->operation, contact->start, contact->end,
                  true);
    }
    for (size_t i = 0; i < process->tallies.tick_count; i++) {
        const struct fth_order_tick *tick = &process->tallies.ticks[i];
        if (!process->tallies.all[tick->tally].sender)
            leave(links->matching, means, proc, tick->operation, tick->start, tick->end, true);
    }
}

static void one_process(const struct links *links, uint32_t proc)
{
    const struct fth_order_operations *process = &links->matching->processes[proc];
    bool *has = those_of(links, proc);
    char means[100];
    snprintf(means, sizeof means, "a descriptor that process %u found ready (poll, select)", proc);
    for (size_t i = 0; i < process->finding_count; i++)
        leave(links->matching, means, proc, process->findings[i].operation,
              process->findings[i].start, process->findings[i].end, false);
    for (uint32_t other = 0; other < links->matching->process_count; other++)
        if (other != proc)
            release_by(links, means, other, has, has_listened(process));
    free(has);
}

void fth_match_readiness(struct fth_matching *matching, const struct fth_trace *trace)
{
    bool any = false;
    for (size_t i = 0; i < matching->process_count; i++)
        any |= matching->processes[i].finding_count > 0;
    if (!any)
        return;
    struct links links = links_of(matching, trace);
    for (uint32_t i = 0; i < matching->process_count; i++)
        if (matching->processes[i].finding_count)
            one_process(&links, i);
    free_links(&links);
}

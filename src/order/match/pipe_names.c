/* Whoever makes a pipe knows its descriptors; the system's name of it is seen only where a
 * descriptor is used, by a child mostly, that has it under the same number. So names find their way
 * back to the ancestor that made the pipe, and with it to the other end. */
#include "order/match/pipe_names.h"
#include "base/memory.h"
#include "order/match/match_connections.h"

#include <string.h>

static int by_host_and_name(const void *one, const void *other)
{
    const struct fth_pipe_name *a = one, *b = other;
    if (a->host != b->host)
        return a->host < b->host ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* The newest one that made this descriptor before `time`; *side says which of the two it is. */
static struct fth_order_pipe_creation *creation_of(const struct fth_order_operations *process,
                                                   int64_t value, int64_t time, int *side)
{
    for (uint32_t i = process->pipes.creation_count; i-- > 0;) {
        struct fth_order_pipe_creation *creation = &process->pipes.creations[i];
        for (*side = 0; *side < 2; ++*side)
            if (creation->values[*side] == value && creation->time <= time)
                return creation;
    }
    return NULL;
}

/* A descriptor that was there when the process began comes from the next ancestor that made it. */
static void name_of_ancestor(const struct fth_matching *matching, const struct fth_trace *trace,
                             size_t proc, const struct fth_order_pipe *pipe)
{
    size_t child = proc;
    int64_t parent;
    while ((parent = fth_trace_process(trace, child)->parent_proc) >= 0 && (size_t)parent < child) {
        int side;
        struct fth_order_pipe_creation *creation =
            creation_of(&matching->processes[parent], pipe->value,
                        fth_trace_process(trace, child)->start, &side);
        if (creation) {
            if (!creation->names[side])
                creation->names[side] = pipe->name;
            return;
        }
        child = (size_t)parent;
    }
}

static void add(struct fth_pipe_names *names, struct fth_pipe_name name)
{
    if (!name.name)
        return;
    FTH_GROW(names->all, names->count);
    names->all[names->count++] = name;
}

static void add_connected(void *context, struct fth_pipe_name name)
{
    add(context, name);
}

/* Each once: the one whose other end is known. */
static void sort(struct fth_pipe_names *names)
{
    size_t kept = 0;
    if (names->count)
        qsort(names->all, names->count, sizeof *names->all, by_host_and_name);
    for (size_t i = 0; i < names->count; i++) {
        if (!kept || by_host_and_name(&names->all[kept - 1], &names->all[i]) != 0)
            names->all[kept++] = names->all[i];
        else if (!names->all[kept - 1].other)
            names->all[kept - 1] = names->all[i];
    }
    names->count = kept;
}

struct fth_pipe_names fth_pipe_names_of(const struct fth_matching *matching,
                                        const struct fth_trace *trace)
{
    struct fth_pipe_names names = {NULL, 0};
    for (size_t i = 0; i < matching->process_count; i++) {
        const struct fth_order_operations *process = &matching->processes[i];
        for (uint32_t k = 0; k < process->pipes.count; k++)
            if (process->pipes.all[k].value >= 0)
                name_of_ancestor(matching, trace, i, &process->pipes.all[k]);
    }
    for (size_t i = 0; i < matching->process_count; i++) {
        const struct fth_order_operations *process = &matching->processes[i];
        for (uint32_t k = 0; k < process->pipes.creation_count; k++) {
            const struct fth_order_pipe_creation *creation = &process->pipes.creations[k];
            const char *one = creation->names[0], *other = creation->names[1];
            bool differ = one && other && strcmp(one, other) != 0;
            add(&names, (struct fth_pipe_name){process->host, one, differ ? other : NULL,
                                               process->host, creation->packets});
            add(&names, (struct fth_pipe_name){process->host, other, differ ? one : NULL,
                                               process->host, creation->packets});
        }
    }
    fth_match_connections(matching, trace, add_connected, &names);
    sort(&names);
    return names;
}

const struct fth_pipe_name *fth_pipe_named(const struct fth_pipe_names *names, uint32_t host,
                                           const char *name)
{
    struct fth_pipe_name wanted = {.host = host, .name = name};
    return names->count
               ? bsearch(&wanted, names->all, names->count, sizeof *names->all, by_host_and_name)
               : NULL;
}

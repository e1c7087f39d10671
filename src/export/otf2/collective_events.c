/* OTF2 has a number for each collective operation that blocks. Bytes are those of the buffers of
 * the process, where they follow from one count: where a count may be ignored (MPI_IN_PLACE), they
 * do not. */
#ifdef FATHOM_OTF2
#include "export/otf2/collective_events.h"

#include <string.h>

enum moves { NOT_KNOWN, NOTHING, FROM_ROOT, TO_ROOT, BOTH };

/* As MPI calls it, behind its prefix. */
static const struct collective {
    const char *name;
    OTF2_CollectiveOp operation;
    enum moves moves;
} collectives[] = {
    {"Barrier", OTF2_COLLECTIVE_OP_BARRIER, NOTHING},
    {"Bcast", OTF2_COLLECTIVE_OP_BCAST, FROM_ROOT},
    {"Gather", OTF2_COLLECTIVE_OP_GATHER, NOT_KNOWN},
    {"Gatherv", OTF2_COLLECTIVE_OP_GATHERV, NOT_KNOWN},
    {"Scatter", OTF2_COLLECTIVE_OP_SCATTER, NOT_KNOWN},
    {"Scatterv", OTF2_COLLECTIVE_OP_SCATTERV, NOT_KNOWN},
    {"Allgather", OTF2_COLLECTIVE_OP_ALLGATHER, NOT_KNOWN},
    {"Allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV, NOT_KNOWN},
    {"Alltoall", OTF2_COLLECTIVE_OP_ALLTOALL, NOT_KNOWN},
    {"Alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV, NOT_KNOWN},
    {"Alltoallw", OTF2_COLLECTIVE_OP_ALLTOALLW, NOT_KNOWN},
    {"Allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE, BOTH},
    {"Reduce", OTF2_COLLECTIVE_OP_REDUCE, TO_ROOT},
    {"Reduce_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER, NOT_KNOWN},
    {"Reduce_scatter_block", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, NOT_KNOWN},
    {"Scan", OTF2_COLLECTIVE_OP_SCAN, BOTH},
    {"Exscan", OTF2_COLLECTIVE_OP_EXSCAN, BOTH},
};
enum { COLLECTIVES = sizeof collectives / sizeof *collectives };

/* Also of a function with large counts. */
static const struct collective *find(const struct fth_function *function)
{
    const char *name = strchr(function->name, '_');
    size_t length = name ? strlen(++name) : 0;
    if (length > 2 && !strcmp(name + length - 2, "_c"))
        length -= 2;
    for (int i = 0; i < COLLECTIVES; i++)
        if (length && strlen(collectives[i].name) == length &&
            !memcmp(collectives[i].name, name, length))
            return &collectives[i];
    return NULL;
}

static int parameter(const struct fth_function *function, const char *name)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (!strcmp(function->parameters[i].name, name))
            return (int)i;
    return -1;
}

/* OTF2_UNDEFINED_UINT64: not known. */
static uint64_t bytes_of_buffer(const struct fth_export_part *part, const struct fth_call *call)
{
    int count = parameter(call->function, "count"), type = parameter(call->function, "datatype");
    const struct fth_datatype *datatype = count >= 0 && type >= 0 && part->accesses
                                              ? fth_accesses_datatype(part->accesses, type)
                                              : NULL;
    if (!datatype || datatype->size < 0 || call->arguments[count].type != FTH_VALUE_INTEGER)
        return OTF2_UNDEFINED_UINT64;
    return (uint64_t)call->arguments[count].integer * (uint64_t)datatype->size;
}

static void set_bytes(struct fth_otf2_event *event, enum moves moves, bool is_root, uint64_t bytes)
{
    bool sends = moves == BOTH || moves == TO_ROOT || (moves == FROM_ROOT && is_root),
         receives =
             moves == BOTH || (moves == TO_ROOT && is_root) || (moves == FROM_ROOT && !is_root);
    event->bytes = sends ? bytes : 0;
    event->id = receives ? bytes : 0;
    if (moves == NOT_KNOWN)
        event->bytes = event->id = OTF2_UNDEFINED_UINT64;
}

void fth_otf2_put_collective(const struct fth_otf2_definitions *definitions,
                             struct fth_otf2_location *location, const struct fth_export_part *part,
                             const struct fth_call *call)
{
    const struct fth_exported_communicators *all = &definitions->communicators;
    struct fth_otf2_event event = {.kind = FTH_OTF2_COLLECTIVE_BEGIN};
    if (strcmp(call->function->kind, "collective") != 0 || call->function->nonblocking ||
        call->error_number || !call->group)
        return;
    const struct collective *collective = find(call->function);
    event.handle = fth_exported_communicators_find(all, call->group);
    if (!collective || event.handle == OTF2_UNDEFINED_COMM)
        return;
    int root = parameter(call->function, "root");
    event.other = root < 0 ? OTF2_COLLECTIVE_ROOT_NONE : (uint32_t)call->arguments[root].integer;
    event.mode = collective->operation;
    bool is_root =
        fth_exported_communicator_rank(&all->list[event.handle], call->proc) == event.other;
    set_bytes(&event, collective->moves, is_root, bytes_of_buffer(part, call));
    fth_otf2_put(location, call->start, &event);
    event.kind = FTH_OTF2_COLLECTIVE_END;
    fth_otf2_put_at_end(location, &event);
}
#endif

/* Lists of operations and members. */
#include "order/build/operations.h"
#include "base/intern.h"
#include "base/memory.h"

#include <string.h>

enum {
    FEWEST_LIKES = 1000,
    KEPT =
        1 << 15, /* operations that came last are kept as they are, these and up to as many more */
};

static struct fth_order_like like_of(const struct fth_order_operation *operation)
{
    bool ends = operation->end.timeline != FTH_NO_TIMELINE;
    return (struct fth_order_like){.begin_timeline = operation->begin.timeline,
                                   .end_timeline = operation->end.timeline,
                                   .length = ends ? operation->end.step - operation->begin.step : 0,
                                   .member = operation->member,
                                   .peer = operation->peer,
                                   .tag = operation->tag,
                                   .function = operation->function,
                                   .kind = operation->kind,
                                   .flags = operation->flags};
}

static void free_packed(struct fth_packed_operations *packed)
{
    if (!packed)
        return;
    if (packed->likes && packed->likes != (const void *)packed->known.store.data)
        free((void *)(uintptr_t)packed->likes);
    fth_intern_free(&packed->known);
    fth_intern_trail_free(&packed->trail);
    fth_rows_leave(&packed->place);
    fth_rows_free(&packed->rows);
    free(packed->next);
    free(packed);
}

/* ---- packing ---- */

/* All as they were. */
static void unpack(struct fth_order_operations *operations)
{
    struct fth_packed_operations *packed = operations->packed;
    size_t packed_count = operations->packed_count,
           kept = operations->operation_count - packed_count;
    operations->packs_none = true;
    if (!packed)
        return;
    struct fth_order_operation *all =
        fth_resize(NULL, operations->operation_count + KEPT, sizeof *all);
    for (size_t i = 0; i < packed_count; i++)
        all[i] = fth_order_packed_operation(packed, (uint32_t)i);
    if (kept)
        memcpy(all + packed_count, operations->operations, kept * sizeof *all);
    free(operations->operations);
    free_packed(packed);
    operations->operations = all;
    operations->operation_room = operations->operation_count + KEPT;
    operations->packed = NULL;
    operations->packed_count = 0;
}

static void pack_one(struct fth_packed_operations *packed,
                     const struct fth_order_operation *operation)
{
    const struct fth_order_like like = like_of(operation);
    uint32_t number = packed->rows.count;
    fth_rows_add(&packed->rows,
                 (int64_t[]){operation->begin.step,
                             fth_intern_next(&packed->known, &packed->trail, &like, sizeof like),
                             operation->call, operation->bytes});
    if (number >= packed->next_room) {
        packed->next_room += packed->next_room / 2 + KEPT;
        packed->next = fth_resize(packed->next, packed->next_room, sizeof *packed->next);
    }
    packed->next[number] = operation->next;
}

/* The first ones of those that are kept as they are. */
static void pack(struct fth_order_operations *operations, size_t count)
{
    size_t kept = operations->operation_count - operations->packed_count;
    if (!operations->packed) {
        operations->packed = fth_new(1, sizeof *operations->packed);
        operations->packed->rows.columns = operations->has_bytes ? 4 : 3;
    }
    struct fth_packed_operations *packed = operations->packed;
    size_t done = 0;
    for (; done < count && packed->known.count <= FEWEST_LIKES + packed->rows.count / 2; done++)
        pack_one(packed, &operations->operations[done]);
    packed->likes = (const void *)packed->known.store.data;
    if (done < count) { /* too few are alike: those that were packed now are still there, too */
        unpack(operations);
        return;
    }
    operations->packed_count += count;
    if (kept > count)
        memmove(operations->operations, operations->operations + count,
                (kept - count) * sizeof *operations->operations);
}

uint32_t fth_order_operations_add(struct fth_order_operations *operations,
                                  struct fth_order_operation operation)
{
    size_t kept = operations->operation_count - operations->packed_count;
    if (kept == (size_t)2 * KEPT && !operations->packs_none) {
        pack(operations, KEPT);
        kept = operations->operation_count - operations->packed_count;
    }
    if (kept == operations->operation_room) {
        operations->operation_room += operations->operation_room / 2 + 64;
        operations->operations = fth_resize(operations->operations, operations->operation_room,
                                            sizeof *operations->operations);
    }
    operation.next = FTH_NO_OPERATION;
    operations->kinds |= FTH_SYNC_BIT(operation.kind);
    operations->operations[kept] = operation;
    return (uint32_t)operations->operation_count++;
}

struct fth_order_operation *fth_order_operation_to_change(struct fth_order_operations *operations,
                                                          uint32_t number)
{
    if (number < operations->packed_count)
        unpack(operations);
    return &operations->operations[number - operations->packed_count];
}

/* Nothing is left that is only needed to pack more. */
static void end_packed(struct fth_packed_operations *packed)
{
    struct fth_order_like *likes = fth_new((size_t)packed->known.count + 1, sizeof *likes);
    if (packed->known.count)
        memcpy(likes, packed->known.store.data, packed->known.store.length);
    packed->likes = likes;
    fth_intern_free(&packed->known);
    fth_intern_trail_free(&packed->trail);
    fth_rows_end(&packed->rows);
    packed->next_room = (size_t)packed->rows.count + 1;
    packed->next = fth_resize(packed->next, packed->next_room, sizeof *packed->next);
}

void fth_order_operations_pack(struct fth_order_operations *operations)
{
    pack(operations, operations->operation_count - operations->packed_count);
    if (!operations->packed) /* too few are alike */
        return;
    end_packed(operations->packed);
    free(operations->operations);
    operations->operations = NULL;
    operations->operation_room = 0;
}

void fth_order_operations_forget_next(struct fth_order_operations *operations)
{
    if (!operations->packed)
        return;
    free(operations->packed->next);
    operations->packed->next = NULL;
}

struct fth_order_operation fth_order_packed_operation(struct fth_packed_operations *packed,
                                                      uint32_t number)
{
    const int64_t *row = fth_rows_at(&packed->rows, &packed->place, number);
    const struct fth_order_like *like = &packed->likes[row[1]];
    uint32_t begin = (uint32_t)row[0];
    return (struct fth_order_operation){{like->begin_timeline, begin},
                                        {like->end_timeline, begin + like->length},
                                        like->member,
                                        like->peer,
                                        like->tag,
                                        packed->next ? packed->next[number] : FTH_NO_OPERATION,
                                        (uint32_t)row[2],
                                        like->function,
                                        like->kind,
                                        like->flags,
                                        packed->rows.columns == 4 ? row[3] : -1};
}

uint32_t fth_order_operations_add_member(struct fth_order_operations *operations,
                                         enum fth_member_origin origin, const char *name)
{
    FTH_GROW(operations->mpi.members, operations->mpi.member_count);
    operations->mpi.members[operations->mpi.member_count] = (struct fth_member){
        .origin = origin,
        .handle = UINT64_MAX,
        .name = name ? fth_text_copy(name) : NULL,
        .rank = -1,
        .size = -1,
        .first = FTH_NO_OPERATION,
        .last = FTH_NO_OPERATION,
        .group = FTH_NO_GROUP,
    };
    return (uint32_t)operations->mpi.member_count++;
}

void fth_order_operations_chain(struct fth_order_operations *operations, uint32_t operation)
{
    struct fth_member *member =
        &operations->mpi.members[fth_order_operation(operations, operation).member];
    if (member->first == FTH_NO_OPERATION)
        member->first = operation;
    else
        *fth_order_next(operations, member->last) = operation;
    member->last = operation;
}

/* A program that repeats itself has the same ones again and again. */
uint32_t fth_order_operations_add_counts(struct fth_order_operations *operations,
                                         struct fth_order_counts counts)
{
    const struct fth_order_counts *last =
        operations->mpi.counts_count ? &operations->mpi.counts[operations->mpi.counts_count - 1]
                                     : NULL;
    size_t bytes = FTH_WORDS_OF_COUNTS(counts.size) * sizeof *counts.some;
    if (last && last->size == counts.size && last->of_members == counts.of_members &&
        memcmp(last->some, counts.some, bytes) == 0) {
        free(counts.some);
        return (uint32_t)operations->mpi.counts_count - 1;
    }
    FTH_GROW(operations->mpi.counts, operations->mpi.counts_count);
    operations->mpi.counts[operations->mpi.counts_count++] = counts;
    return (uint32_t)operations->mpi.counts_count - 1;
}

static bool are_terms(const struct fth_order_terms *terms, int64_t sent, int64_t received,
                      const char *operation)
{
    return terms->sent == sent && terms->received == received && !terms->reduction == !operation &&
           (!operation || strcmp(terms->reduction, operation) == 0);
}

/* There are few, and those that came last come again. */
uint32_t fth_order_operations_add_terms(struct fth_order_operations *operations, int64_t sent,
                                        int64_t received, const char *operation)
{
    enum { LOOKED_AT = 16 };
    for (size_t i = operations->mpi.terms_count;
         i > 0 && i + LOOKED_AT > operations->mpi.terms_count; i--)
        if (are_terms(&operations->mpi.terms[i - 1], sent, received, operation))
            return (uint32_t)i;
    if (operations->mpi.terms_count == FTH_MOST_TERMS)
        return 0;
    FTH_GROW(operations->mpi.terms, operations->mpi.terms_count);
    operations->mpi.terms[operations->mpi.terms_count++] =
        (struct fth_order_terms){sent, received, operation ? fth_text_copy(operation) : NULL};
    return (uint32_t)operations->mpi.terms_count;
}

struct fth_order_partitioned *
fth_order_operations_partitioned(const struct fth_order_operations *operations, uint32_t operation)
{
    size_t low = 0, high = operations->mpi.partitioned_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (operations->mpi.partitioned[middle].operation < operation)
            low = middle + 1;
        else
            high = middle;
    }
    return low < operations->mpi.partitioned_count &&
                   operations->mpi.partitioned[low].operation == operation
               ? &operations->mpi.partitioned[low]
               : NULL;
}

struct fth_topology *fth_order_operations_add_topology(struct fth_order_operations *operations)
{
    FTH_GROW(operations->mpi.topologies, operations->mpi.topology_count);
    return operations->mpi.topologies[operations->mpi.topology_count++] =
               fth_new(1, sizeof **operations->mpi.topologies);
}

static void free_topology(struct fth_topology *topology)
{
    if (topology->graph) {
        free(topology->graph->from.all);
        free(topology->graph->degrees.all);
        free(topology->graph->to.all);
        free(topology->graph->asked.all);
    }
    free(topology->graph);
    free(topology->sources);
    free(topology->dims);
    free(topology->periods);
    free(topology->remains);
    free(topology);
}

void fth_order_operations_free(struct fth_order_operations *operations)
{
    for (size_t i = 0; i < operations->mpi.member_count; i++)
        free(operations->mpi.members[i].name);
    for (size_t i = 0; i < operations->mpi.terms_count; i++)
        free(operations->mpi.terms[i].reduction);
    free(operations->mpi.terms);
    for (size_t i = 0; i < operations->mpi.topology_count; i++)
        free_topology(operations->mpi.topologies[i]);
    free(operations->mpi.topologies);
    for (size_t i = 0; i < operations->mpi.node_count; i++)
        free(operations->mpi.nodes[i].ranks);
    for (size_t i = 0; i < operations->mpi.counts_count; i++)
        free(operations->mpi.counts[i].some);
    free(operations->mpi.counts);
    free(operations->mpi.partitioned);
    free(operations->mpi.parts);
    for (size_t i = 0; i < operations->mpi.creation_count; i++)
        free(operations->mpi.creations[i].text);
    free(operations->operations);
    free_packed(operations->packed);
    free(operations->mpi.members);
    free(operations->mpi.creations);
    for (uint32_t i = 0; i < operations->locks.file_count; i++)
        free(operations->locks.files[i]);
    free(operations->locks.files);
    free(operations->locks.all);
    for (uint32_t i = 0; i < operations->pipes.count; i++)
        free(operations->pipes.all[i].name), free(operations->pipes.all[i].connection);
    free(operations->pipes.all);
    for (uint32_t i = 0; i < operations->tallies.count; i++)
        free(operations->tallies.all[i].key), free(operations->tallies.all[i].called);
    free(operations->tallies.all);
    free(operations->tallies.ticks);
    free(operations->pipes.creations);
    free(operations->pipes.transfers);
    free(operations->descriptors.all);
    free(operations->contacts);
    free(operations->findings);
    free(operations->possible.touches);
    free(operations->possible.pool);
    free(operations->mpi.remotes);
    fth_rows_free(&operations->mpi.accesses);
    fth_intern_free(&operations->mpi.likes);
    fth_intern_free(&operations->names.all);
    free(operations->names.uses);
    free(operations->openings);
    fth_intern_free(&operations->flags.all);
    free(operations->flags.things);
    free(operations->flags.uses);
    free(operations->flags.links);
    for (size_t i = 0; i < operations->flags.watch_count; i++)
        free(operations->flags.watches[i].path);
    free(operations->flags.watches);
    free(operations->mpi.nodes);
    free(operations->steps);
    free(operations->starters);
    free(operations->mpi.meetings);
    *operations = (struct fth_order_operations){.first_timeline = operations->first_timeline,
                                                .timeline_count = operations->timeline_count};
}

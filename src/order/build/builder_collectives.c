/* Collective calls: how their members wait for each other, and what each of them gives and gets. */
#include "base/memory.h"
#include "order/build/builder.h"

#include <string.h>

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

/* Bits of the assertion of a fence, by library; of another one any bit may be both. */
struct fence_bits {
    int64_t no_precede, no_succeed;
};
static struct fence_bits fence_bits(const struct fth_order_builder *builder)
{
    return is(builder->mpi_abi, "openmpi")    ? (struct fence_bits){2, 16}
           : is(builder->mpi_abi, "mpich")    ? (struct fence_bits){8192, 16384}
           : is(builder->mpi_abi, "standard") ? (struct fence_bits){2048, 16384}
                                              : (struct fence_bits){-1, -1};
}

/* A fence that ends no epoch, as none was begun or the program says so, need not wait. */
static enum fth_order_rule fence(const struct fth_order_builder *builder, uint32_t window)
{
    struct fth_member *member = &builder->operations->mpi.members[window];
    struct fence_bits bits = fence_bits(builder);
    int64_t assert = fth_builder_integer(builder, 0, 0);
    bool ends = member->fenced && !(assert &bits.no_precede);
    member->fenced = !(assert &bits.no_succeed);
    return ends ? FTH_RULE_BARRIER : FTH_RULE_NONE;
}

/* Nobody returns before all have called it (MPI 4.1, 12.2.5), unless the hint no_locks was given
 * to the window, when it was made or later. Which hints those were is not looked up: then it is a
 * use of the window like a one-sided access. */
static enum fth_order_rule freeing(struct fth_order_builder *builder,
                                   const struct fth_order_semantics *semantics, uint32_t window,
                                   struct fth_event begin)
{
    if (!builder->operations->mpi.members[window].hinted)
        return FTH_RULE_BARRIER;
    if (builder->possible.watches)
        fth_builder_remote(builder, semantics, begin);
    return FTH_RULE_NONE;
}

static enum fth_order_rule rule_of(struct fth_order_builder *builder,
                                   const struct fth_order_semantics *semantics, uint32_t member,
                                   struct fth_event begin)
{
    enum fth_order_rule rule = semantics->collective.rule;
    return rule == FTH_RULE_FENCE  ? fence(builder, member)
           : rule == FTH_RULE_FREE ? freeing(builder, semantics, member, begin)
                                   : rule;
}

/* Is the datatype in a parameter known to have no data? Then whatever the count is, nothing is
 * moved. */
static bool is_empty(const struct fth_order_builder *builder, int parameter)
{
    const struct fth_datatype *type = builder->accesses && parameter >= 0
                                          ? fth_accesses_datatype(builder->accesses, parameter)
                                          : NULL;
    return type && type->size == 0;
}

/* Of a call that says how much it gets of each. What all give is the rule, and needs no list. */
static void note_received(struct fth_order_builder *builder,
                          const struct fth_order_semantics *semantics, const struct fth_value *list,
                          struct fth_order_operation *operation)
{
    struct fth_order_counts counts = {.size = (uint32_t)list->count,
                                      .of_members = semantics->collective.reduces};
    size_t with_some = 0;
    bool empty = is_empty(builder, semantics->collective.last_datatype);
    counts.some = fth_new(FTH_WORDS_OF_COUNTS(list->count) + 1, sizeof *counts.some);
    for (size_t i = 0; i < list->count; i++) {
        if (list->integers[i] == 0 || empty)
            continue;
        counts.some[i / 64] |= (uint64_t)1 << i % 64;
        with_some++;
    }
    bool may_be_more = list->count == FTH_MOST_INTEGERS; /* of which nothing is known */
    operation->flags = (uint8_t)(FTH_SYNC_GIVES | (with_some || may_be_more ? FTH_SYNC_GETS : 0));
    if ((with_some == list->count || !with_some) && !may_be_more) {
        free(counts.some);
        return;
    }
    operation->flags |= FTH_SYNC_COUNTS;
    operation->peer = (int32_t)fth_order_operations_add_counts(builder->operations, counts);
}

static uint8_t data_flags(const struct fth_order_builder *builder,
                          const struct fth_order_semantics *semantics)
{
    int64_t counts[FTH_MOST_COUNTS];
    bool any = semantics->collective.count_count == 0;
    for (int i = 0; i < semantics->collective.count_count; i++) {
        counts[i] = fth_builder_integer(builder, semantics->collective.counts[i], 1);
        int type = semantics->collective.datatype > semantics->collective.counts[i]
                       ? semantics->collective.datatype
                       : semantics->collective.last_datatype;
        if (is_empty(builder, type))
            counts[i] = 0;
        any |= counts[i] != 0;
    }
    if (!semantics->collective.count_count)
        return FTH_SYNC_GIVES | FTH_SYNC_GETS;
    const struct fth_value *type = fth_builder_value(builder, semantics->collective.datatype);
    bool in_place = type && type->type == FTH_VALUE_HANDLE && type->integer == FTH_HANDLE_NULL;
    bool gives = semantics->collective.rule == FTH_RULE_TO_ROOT ? counts[0] != 0 || in_place
                                                                : any || in_place;
    /* The last one is how much it gets: of an intercommunicator that is not what it gives. */
    bool gets =
        counts[semantics->collective.count_count - 1] != 0 ||
        (semantics->collective.rule != FTH_RULE_FROM_ROOT && semantics->collective.gets_unknown);
    return (uint8_t)((gives ? FTH_SYNC_GIVES : 0) | (gets ? FTH_SYNC_GETS : 0));
}

/* ---- what all agree on ---- */

/* Of those that MPI has made; "" of the program's own. */
static const char *operation_in(const struct fth_order_builder *builder, int parameter)
{
    for (size_t i = 0; parameter >= 0 && i < builder->call->use_count; i++)
        if (builder->call->uses[i].parameter == parameter)
            return builder->call->uses[i].handle->name ? builder->call->uses[i].handle->name : "";
    return NULL;
}

static uint32_t terms_of(const struct fth_order_builder *builder,
                         const struct fth_order_semantics *semantics)
{
    const char *operation = operation_in(builder, semantics->collective.reduction);
    bool alike = semantics->collective.count_count > 0 && !semantics->collective.each_its_own &&
                 semantics->collective.rule != FTH_RULE_NONE &&
                 semantics->collective.rule != FTH_RULE_NEIGHBOURS;
    if (!alike && !operation)
        return 0;
    int64_t sent = alike ? fth_builder_bytes(builder, semantics->collective.counts[0],
                                             semantics->collective.datatype)
                         : -1;
    int64_t received = sent;
    if (alike && semantics->collective.count_count > 1)
        received = fth_builder_bytes(builder, semantics->collective.counts[1],
                                     semantics->collective.last_datatype);
    return fth_order_operations_add_terms(builder->operations, sent, received, operation);
}

/* A persistent collective is one communicator of its own, on which each start is a call: those of
 * one request belong together. */
static void note_persistent(struct fth_order_builder *builder,
                            const struct fth_order_semantics *semantics,
                            struct fth_order_operation *operation, uint32_t init)
{
    const struct fth_member *parent = &builder->operations->mpi.members[operation->member];
    const char *name = parent->name;
    struct fth_topology *topology = parent->topology;
    uint32_t own = fth_order_operations_add_member(builder->operations, FTH_MEMBER_MADE, name);
    builder->operations->mpi.members[own].topology = topology;
    builder->operations->mpi.members[own].given_up = true;
    fth_order_operation_to_change(builder->operations, init)->flags |= FTH_SYNC_MAKES;
    FTH_GROW(builder->operations->mpi.creations, builder->operations->mpi.creation_count);
    builder->operations->mpi.creations[builder->operations->mpi.creation_count++] =
        (struct fth_order_creation){.operation = init, .made = own, .form = FTH_MAKES_SAME};
    operation->member = own;
    fth_builder_start(builder, semantics, operation, 1);
}

void fth_builder_collective(struct fth_order_builder *builder,
                            const struct fth_order_semantics *semantics, struct fth_event begin)
{
    struct fth_order_operation operation =
        fth_builder_operation(builder, semantics, FTH_SYNC_COLLECTIVE, begin);
    operation.member = fth_builder_member(builder, semantics->object, false);
    if (operation.member == FTH_NO_MEMBER)
        return;
    if (semantics->made < 0) /* else the hints are for what is made */
        builder->operations->mpi.members[operation.member].hinted |=
            fth_builder_has_hints(builder, semantics);
    enum fth_order_rule rule = rule_of(builder, semantics, operation.member, begin);
    operation.tag = fth_order_tag_of(rule, terms_of(builder, semantics));
    builder->operations->mpi.members[operation.member].given_up |= semantics->collective.gives_up;
    operation.peer = semantics->collective.root >= 0
                         ? fth_builder_peer_in(builder, semantics->collective.root)
                         : 0;
    const struct fth_value *received = fth_builder_value(builder, semantics->collective.received);
    if (received && received->type == FTH_VALUE_INTEGERS && received->count < UINT32_MAX)
        note_received(builder, semantics, received, &operation);
    else
        operation.flags = data_flags(builder, semantics);
    if (semantics->persistent) {
        struct fth_order_operation init = operation;
        init.tag = fth_order_tag_of(FTH_RULE_NONE, 0);
        uint32_t number = fth_order_operations_add(builder->operations, init);
        fth_order_operations_chain(builder->operations, number);
        fth_builder_complete(builder, number);
        note_persistent(builder, semantics, &operation, number);
        return;
    }
    bool makes = semantics->made >= 0;
    if (makes)
        operation.flags |= FTH_SYNC_MAKES;
    uint32_t number = (uint32_t)builder->operations->operation_count;
    if (semantics->request.started >= 0) {
        fth_builder_start(builder, semantics, &operation, 1);
    } else {
        fth_order_operations_add(builder->operations, operation);
        fth_order_operations_chain(builder->operations, number);
        fth_builder_complete(builder, number);
    }
    if (makes)
        fth_builder_creation(builder, semantics, number);
}

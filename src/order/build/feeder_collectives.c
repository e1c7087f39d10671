/* Collective calls: how their members wait for each other, and what each of them gives and gets. */
#include "base/memory.h"
#include "order/build/feeder.h"

#include <string.h>

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

/* Bits of the assertion of a fence, by library; of another one any bit may be both. */
struct fence_bits {
    int64_t no_precede, no_succeed;
};
static struct fence_bits fence_bits(const struct fth_order_feeder *feeder)
{
    return is(feeder->mpi_abi, "openmpi")    ? (struct fence_bits){2, 16}
           : is(feeder->mpi_abi, "mpich")    ? (struct fence_bits){8192, 16384}
           : is(feeder->mpi_abi, "standard") ? (struct fence_bits){2048, 16384}
                                             : (struct fence_bits){-1, -1};
}

/* A fence that ends no epoch, as none was begun or the program says so, need not wait. */
static enum fth_order_rule fence(const struct fth_order_feeder *feeder, uint32_t window)
{
    struct fth_member *member = &feeder->deeds->members[window];
    struct fence_bits bits = fence_bits(feeder);
    int64_t assert = fth_feeder_integer(feeder, 0, 0);
    bool ends = member->fenced && !(assert &bits.no_precede);
    member->fenced = !(assert &bits.no_succeed);
    return ends ? FTH_RULE_BARRIER : FTH_RULE_NONE;
}

/* Is the datatype in a parameter known to have no data? Then whatever the count is, nothing is
 * moved. */
static bool is_empty(const struct fth_order_feeder *feeder, int parameter)
{
    const struct fth_datatype *type = feeder->accesses && parameter >= 0
                                          ? fth_accesses_datatype(feeder->accesses, parameter)
                                          : NULL;
    return type && type->size == 0;
}

/* Of a call that says how much it gets of each. What all give is the rule, and needs no list. */
static void note_received(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                          const struct fth_value *list, struct fth_order_deed *deed)
{
    struct fth_order_counts counts = {.size = (uint32_t)list->count, .of_members = sense->reduces};
    size_t with_some = 0;
    bool empty = is_empty(feeder, sense->last_datatype);
    counts.some = fth_new(FTH_WORDS_OF_COUNTS(list->count) + 1, sizeof *counts.some);
    for (size_t i = 0; i < list->count; i++) {
        if (list->integers[i] == 0 || empty)
            continue;
        counts.some[i / 64] |= (uint64_t)1 << i % 64;
        with_some++;
    }
    bool may_be_more = list->count == FTH_MOST_INTEGERS; /* of which nothing is known */
    deed->flags = (uint8_t)(FTH_DEED_GIVES | (with_some || may_be_more ? FTH_DEED_GETS : 0));
    if ((with_some == list->count || !with_some) && !may_be_more) {
        free(counts.some);
        return;
    }
    deed->flags |= FTH_DEED_COUNTS;
    deed->peer = (int32_t)fth_order_deeds_add_counts(feeder->deeds, counts);
}

static uint8_t data_flags(const struct fth_order_feeder *feeder,
                          const struct fth_order_sense *sense)
{
    int64_t counts[FTH_MOST_COUNTS];
    bool any = sense->count_count == 0;
    for (int i = 0; i < sense->count_count; i++) {
        counts[i] = fth_feeder_integer(feeder, sense->counts[i], 1);
        int type = sense->datatype > sense->counts[i] ? sense->datatype : sense->last_datatype;
        if (is_empty(feeder, type))
            counts[i] = 0;
        any |= counts[i] != 0;
    }
    if (!sense->count_count)
        return FTH_DEED_GIVES | FTH_DEED_GETS;
    const struct fth_value *type = fth_feeder_value(feeder, sense->datatype);
    bool in_place = type && type->type == FTH_VALUE_HANDLE && type->integer == FTH_HANDLE_NULL;
    bool gives = sense->rule == FTH_RULE_TO_ROOT ? counts[0] != 0 || in_place : any || in_place;
    /* The last one is how much it gets: of an intercommunicator that is not what it gives. */
    bool gets = counts[sense->count_count - 1] != 0 ||
                (sense->rule != FTH_RULE_FROM_ROOT && sense->gets_unknown);
    return (uint8_t)((gives ? FTH_DEED_GIVES : 0) | (gets ? FTH_DEED_GETS : 0));
}

/* ---- what all agree on ---- */

static int64_t bytes_in(const struct fth_order_feeder *feeder, int count, int type)
{
    const struct fth_datatype *datatype =
        feeder->accesses && type >= 0 ? fth_accesses_datatype(feeder->accesses, type) : NULL;
    int64_t times = fth_feeder_integer(feeder, count, -1), bytes;
    if (!datatype || times < 0 || __builtin_mul_overflow(times, (int64_t)datatype->size, &bytes))
        return -1;
    return bytes;
}

/* Of those that MPI has made; "" of the program's own. */
static const char *operation_in(const struct fth_order_feeder *feeder, int parameter)
{
    for (size_t i = 0; parameter >= 0 && i < feeder->call->use_count; i++)
        if (feeder->call->uses[i].parameter == parameter)
            return feeder->call->uses[i].handle->name ? feeder->call->uses[i].handle->name : "";
    return NULL;
}

static uint32_t terms_of(const struct fth_order_feeder *feeder, const struct fth_order_sense *sense)
{
    const char *operation = operation_in(feeder, sense->operation);
    bool alike = sense->count_count > 0 && !sense->each_its_own && sense->rule != FTH_RULE_NONE &&
                 sense->rule != FTH_RULE_NEIGHBOURS;
    if (!alike && !operation)
        return 0;
    int64_t sent = alike ? bytes_in(feeder, sense->counts[0], sense->datatype) : -1;
    int64_t received = sent;
    if (alike && sense->count_count > 1)
        received = bytes_in(feeder, sense->counts[1], sense->last_datatype);
    return fth_order_deeds_add_terms(feeder->deeds, sent, received, operation);
}

/* A persistent collective is one communicator of its own, on which each start is a call: those of
 * one request belong together. */
static void note_persistent(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                            struct fth_order_deed *deed, uint32_t init)
{
    const struct fth_member *parent = &feeder->deeds->members[deed->member];
    const char *name = parent->name;
    struct fth_topology *topology = parent->topology;
    uint32_t own = fth_order_deeds_add_member(feeder->deeds, FTH_MEMBER_MADE, name);
    feeder->deeds->members[own].topology = topology;
    feeder->deeds->members[own].given_up = true;
    feeder->deeds->deeds[init].flags |= FTH_DEED_MAKES;
    FTH_GROW(feeder->deeds->makings, feeder->deeds->making_count);
    feeder->deeds->makings[feeder->deeds->making_count++] =
        (struct fth_order_making){.deed = init, .made = own, .form = FTH_MAKES_SAME};
    deed->member = own;
    fth_feeder_start(feeder, sense, deed, 1);
}

void fth_feeder_collective(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                           struct fth_event begin)
{
    struct fth_order_deed deed = fth_feeder_deed(feeder, sense, FTH_DEED_COLLECTIVE, begin);
    deed.member = fth_feeder_member(feeder, sense->object, false);
    if (deed.member == FTH_NO_MEMBER)
        return;
    enum fth_order_rule rule =
        sense->rule == FTH_RULE_FENCE ? fence(feeder, deed.member) : sense->rule;
    deed.tag = fth_order_tag_of(rule, terms_of(feeder, sense));
    feeder->deeds->members[deed.member].given_up |= sense->gives_up;
    deed.peer = sense->root >= 0 ? fth_feeder_peer_in(feeder, sense->root) : 0;
    const struct fth_value *received = fth_feeder_value(feeder, sense->received);
    if (received && received->type == FTH_VALUE_INTEGERS && received->count < UINT32_MAX)
        note_received(feeder, sense, received, &deed);
    else
        deed.flags = data_flags(feeder, sense);
    if (sense->persistent) {
        struct fth_order_deed init = deed;
        init.tag = fth_order_tag_of(FTH_RULE_NONE, 0);
        uint32_t number = fth_order_deeds_add(feeder->deeds, init);
        fth_order_deeds_chain(feeder->deeds, number);
        fth_feeder_complete(feeder, number);
        note_persistent(feeder, sense, &deed, number);
        return;
    }
    bool makes = sense->made >= 0;
    if (makes)
        deed.flags |= FTH_DEED_MAKES;
    uint32_t number = (uint32_t)feeder->deeds->deed_count;
    if (sense->started >= 0) {
        fth_feeder_start(feeder, sense, &deed, 1);
    } else {
        fth_order_deeds_add(feeder->deeds, deed);
        fth_order_deeds_chain(feeder->deeds, number);
        fth_feeder_complete(feeder, number);
    }
    if (makes)
        fth_feeder_making(feeder, sense, number);
}

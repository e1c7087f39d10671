/* What a call was given, and who is meant by it: integers, peers, tags, members of a group. */
#include "base/memory.h"
#include "order/build/builder.h"

#include <string.h>

const struct fth_value *fth_builder_value(const struct fth_order_builder *builder, int parameter)
{
    if (parameter < 0 || (size_t)parameter >= builder->call->function->parameter_count)
        return NULL;
    return &builder->call->arguments[parameter];
}

int64_t fth_builder_integer(const struct fth_order_builder *builder, int parameter,
                            int64_t otherwise)
{
    const struct fth_value *value = fth_builder_value(builder, parameter);
    return value && value->type == FTH_VALUE_INTEGER ? value->integer : otherwise;
}

int64_t fth_builder_bytes(const struct fth_order_builder *builder, int count, int type)
{
    const struct fth_datatype *datatype =
        builder->accesses && type >= 0 ? fth_accesses_datatype(builder->accesses, type) : NULL;
    int64_t times = fth_builder_integer(builder, count, -1), bytes;
    if (!datatype || times < 0 || __builtin_mul_overflow(times, (int64_t)datatype->size, &bytes))
        return -1;
    return bytes;
}

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

int32_t fth_builder_peer(int64_t integer, const char *text)
{
    if (is(text, "MPI_ANY_SOURCE"))
        return FTH_PEER_ANY;
    if (is(text, "MPI_ROOT"))
        return FTH_PEER_ROOT;
    return text || integer < 0 || integer > INT32_MAX ? FTH_PEER_NOBODY : (int32_t)integer;
}

int32_t fth_builder_tag(int64_t integer, const char *text)
{
    return is(text, "MPI_ANY_TAG") || integer <= INT32_MIN || integer > INT32_MAX
               ? FTH_TAG_ANY
               : (int32_t)integer;
}

uint32_t fth_builder_node(const struct fth_order_builder *builder, int parameter)
{
    const struct fth_value *value = fth_builder_value(builder, parameter);
    bool known = value && value->type == FTH_VALUE_HANDLE && value->integer >= 0 &&
                 value->integer < builder->groups.node_room &&
                 builder->groups.nodes[value->integer];
    return known ? builder->groups.nodes[value->integer] - 1 : UINT32_MAX;
}

int32_t fth_builder_peer_in(const struct fth_order_builder *builder, int parameter)
{
    const struct fth_value *value = fth_builder_value(builder, parameter);
    return value && value->type == FTH_VALUE_INTEGER ? fth_builder_peer(value->integer, value->text)
                                                     : FTH_PEER_NOBODY;
}

int32_t fth_builder_tag_in(const struct fth_order_builder *builder, int parameter)
{
    const struct fth_value *value = fth_builder_value(builder, parameter);
    return value && value->type == FTH_VALUE_INTEGER ? fth_builder_tag(value->integer, value->text)
                                                     : 0;
}

static enum fth_member_origin origin_of(const struct fth_handle *handle)
{
    return is(handle->name, "MPI_COMM_WORLD")  ? FTH_MEMBER_WORLD
           : is(handle->name, "MPI_COMM_SELF") ? FTH_MEMBER_SELF
                                               : FTH_MEMBER_UNKNOWN;
}

uint32_t fth_builder_only_member(struct fth_order_builder *builder, enum fth_member_origin origin,
                                 const char *name)
{
    for (uint32_t i = 0; i < builder->operations->mpi.member_count; i++)
        if (builder->operations->mpi.members[i].origin == origin)
            return i;
    return fth_order_operations_add_member(builder->operations, origin, name);
}

uint32_t fth_builder_member(struct fth_order_builder *builder, int parameter, bool made)
{
    const struct fth_call *call = builder->call;
    for (size_t i = 0; parameter >= 0 && i < call->use_count; i++) {
        const struct fth_handle_use *use = &call->uses[i];
        if (use->parameter != parameter || (use->kind == FTH_HANDLE_OPENED) != made)
            continue;
        const struct fth_handle *handle = use->handle;
        if (handle->number >= FTH_BUILDER_MOST_HANDLES ||
            handle->origin == FTH_HANDLE_UNKNOWN_ORIGIN)
            return FTH_NO_MEMBER;
        builder->groups.members =
            fth_reach(builder->groups.members, &builder->groups.member_room,
                      (uint32_t)handle->number, sizeof *builder->groups.members);
        uint32_t *known = &builder->groups.members[handle->number];
        if (*known)
            return *known - 1;
        enum fth_member_origin origin = made ? FTH_MEMBER_MADE : origin_of(handle);
        const char *name = handle->name ? handle->name : handle->path;
        uint32_t member = origin == FTH_MEMBER_SELF ? fth_builder_only_member(builder, origin, name)
                          : origin == FTH_MEMBER_WORLD && builder->groups.world != FTH_NO_MEMBER
                              ? builder->groups.world
                              : fth_order_operations_add_member(builder->operations, origin, name);
        *known = member + 1;
        builder->operations->mpi.members[member].handle = handle->number;
        return member;
    }
    return FTH_NO_MEMBER;
}

struct fth_order_operation fth_builder_operation(const struct fth_order_builder *builder,
                                                 const struct fth_order_semantics *semantics,
                                                 enum fth_order_operation_kind kind,
                                                 struct fth_event begin)
{
    uint64_t number = builder->call->number;
    return (struct fth_order_operation){.begin = begin,
                                        .end = {FTH_NO_TIMELINE, 0},
                                        .member = FTH_NO_MEMBER,
                                        .call = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX,
                                        .function = semantics->function,
                                        .kind = (uint8_t)kind,
                                        .bytes = -1};
}

/* Connections that are made, and FIFOs that are opened: who waits for the other side. */
#include "base/memory.h"
#include "order/build/builder.h"
#include "order/build/known_files.h"

#include <errno.h>

enum { AT_ONCE = 04000 /* O_NONBLOCK */ };

static const struct fth_handle *opened(const struct fth_call *call)
{
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].kind == FTH_HANDLE_OPENED)
            return call->uses[i].handle;
    return NULL;
}

/* The FIFO that the call has opened; or NULL. */
static const char *fifo_of(const struct fth_order_builder *builder)
{
    const struct fth_handle *handle = opened(builder->call);
    return handle && handle->path ? fth_known_files_find(&builder->known_files->fifos, handle->path)
                                  : NULL;
}

/* A connection may be on its way when the call returns (EINPROGRESS). What a library connects
 * inside its own calls is no business of the program. */
bool fth_builder_contacts(struct fth_order_builder *builder,
                          const struct fth_order_semantics *semantics)
{
    int64_t error = builder->call->error_number;
    if (semantics->contact.kind == FTH_CONTACT_BOTH)
        return !error && builder->known_files->fifos.count && fifo_of(builder);
    return !builder->call->depth &&
           (!error || (semantics->contact.kind == FTH_CONTACT_CONNECT && error == EINPROGRESS));
}

static enum fth_contact_kind side_of(const struct fth_handle *handle)
{
    return handle->access == FTH_ACCESS_READ    ? FTH_CONTACT_READER
           : handle->access == FTH_ACCESS_WRITE ? FTH_CONTACT_WRITER
                                                : FTH_CONTACT_BOTH;
}

void fth_builder_contact(struct fth_order_builder *builder,
                         const struct fth_order_semantics *semantics, struct fth_event begin)
{
    struct fth_order_operations *operations = builder->operations;
    uint32_t operation = fth_order_operations_add(
        operations, fth_builder_operation(builder, semantics, FTH_SYNC_CONTACT, begin));
    struct fth_order_contact contact = {.start = builder->call->start,
                                        .end = builder->call->end,
                                        .operation = operation,
                                        .kind = semantics->contact.kind};
    fth_builder_complete(builder, operation);
    contact.waits = contact.kind != FTH_CONTACT_LISTEN && !builder->call->error_number;
    if (contact.kind == FTH_CONTACT_BOTH) {
        contact.name = fifo_of(builder);
        contact.kind = side_of(opened(builder->call));
        /* to open it for writing fails as long as nobody reads, if it must not wait */
        bool at_once = fth_builder_integer(builder, semantics->contact.flags, 0) & AT_ONCE;
        contact.waits =
            contact.kind == FTH_CONTACT_WRITER || (contact.kind == FTH_CONTACT_READER && !at_once);
    }
    FTH_GROW(operations->contacts, operations->contact_count);
    operations->contacts[operations->contact_count++] = contact;
}

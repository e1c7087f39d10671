/* Blocks that read or write at a place are kept; those that do nothing (LIO_NOP) are none. */
#include "model/calls/control_blocks.h"

#include "base/memory.h"
#include "catalog/values.h"
#include "model/handles/handle_places.h"

enum { BLOCK_READS = 0, BLOCK_WRITES = 1 }; /* LIO_READ, LIO_WRITE */

void fth_control_blocks_put(struct fth_control_blocks *blocks, const struct fth_trace *trace,
                            struct fth_call *call)
{
    call->blocks = NULL;
    call->block_count = 0;
    if (!call->function->starts || call->reads || call->writes || call->error_number)
        return;
    const struct fth_meaning *meaning = &trace->meanings[call->function - trace->functions];
    int field = meaning->row ? fth_field_with_role(meaning->row, FTH_ROLE_AIO_LIST) : -1;
    const struct fth_value *value = field >= 0 ? &call->arguments[field] : NULL;
    if (!value || value->type != FTH_VALUE_INTEGERS)
        return;
    if (blocks->room < value->count / FTH_AIO_NUMBERS) {
        blocks->room = value->count / FTH_AIO_NUMBERS;
        blocks->list = fth_resize(blocks->list, blocks->room, sizeof *blocks->list);
    }
    for (size_t i = 0; i + FTH_AIO_NUMBERS <= value->count; i += FTH_AIO_NUMBERS) {
        const int64_t *numbers = value->integers + i; /* descriptor, offset, bytes, operation */
        if ((numbers[3] != BLOCK_READS && numbers[3] != BLOCK_WRITES) || numbers[1] < 0 ||
            numbers[2] <= 0)
            continue;
        blocks->list[call->block_count++] =
            (struct fth_control_block){.descriptor = numbers[0],
                                       .writes = numbers[3] == BLOCK_WRITES,
                                       .offset = (uint64_t)numbers[1],
                                       .bytes_asked = (uint64_t)numbers[2],
                                       .bytes = (uint64_t)numbers[2]};
    }
    call->blocks = blocks->list;
}

static const struct fth_handle *handle_at(const struct fth_call *call, int64_t descriptor)
{
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].handle->value == descriptor)
            return call->uses[i].handle;
    return NULL;
}

void fth_control_blocks_put_handles(struct fth_control_blocks *blocks, const struct fth_call *call)
{
    for (size_t i = 0; i < call->block_count; i++) {
        struct fth_control_block *block = &blocks->list[i];
        block->handle = handle_at(call, block->descriptor);
        if (!block->handle)
            continue;
        struct fth_handle *moves = &fth_node_of(block->handle)->shown;
        moves->bytes_read += block->writes ? 0 : block->bytes;
        moves->bytes_written += block->writes ? block->bytes : 0;
    }
}

void fth_control_blocks_free(struct fth_control_blocks *blocks)
{
    free(blocks->list);
}

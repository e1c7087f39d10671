/* `dump --ranges`: what the blocks of a list access, as lio_listio starts several operations at
 * once, each with a file and a place of its own. */
#include "base/json.h"
#include "views/calls/dump_calls.h"
#include "views/output/display_text.h"

static const char *file_of(const struct fth_control_block *block)
{
    return block->handle ? block->handle->path : NULL;
}

void fth_views_dump_blocks(struct fth_dump *dump)
{
    struct fth_sink *sink = &dump->output->sink;
    const struct fth_call *call = &dump->access->call;
    for (size_t i = 0; i < call->block_count; i++) {
        const struct fth_control_block *block = &call->blocks[i];
        fth_sink_text(sink, "        bytes ");
        fth_sink_integer(sink, (int64_t)block->offset);
        fth_sink_text(sink, " to ");
        fth_sink_integer(sink, (int64_t)(block->offset + block->bytes_asked - 1));
        fth_sink_text(sink, block->writes ? " written to " : " read from ");
        if (file_of(block))
            fth_views_put_text(sink, file_of(block), 0, FTH_CUT_END, true);
        else
            fth_sink_text(sink, "an unknown descriptor");
        fth_sink_char(sink, '\n');
    }
}

void fth_views_dump_blocks_json(struct fth_dump *dump)
{
    struct fth_sink *sink = &dump->output->sink;
    const struct fth_call *call = &dump->access->call;
    if (!call->block_count)
        return;
    fth_sink_text(sink, ",\"blocks\":[");
    for (size_t i = 0; i < call->block_count; i++) {
        const struct fth_control_block *block = &call->blocks[i];
        struct fth_json json;
        fth_sink_text(sink, i ? ",{\"file\":" : "{\"file\":");
        fth_json_open(&json, sink, 0);
        fth_json_text(&json, file_of(block));
        fth_sink_text(sink, block->writes ? ",\"writes\":true,\"range\":["
                                          : ",\"writes\":false,\"range\":[");
        fth_sink_integer(sink, (int64_t)block->offset);
        fth_sink_char(sink, ',');
        fth_sink_integer(sink, (int64_t)block->bytes_asked);
        fth_sink_text(sink, "]}");
    }
    fth_sink_char(sink, ']');
}

/* `dump --ranges`: what the blocks of a list access, as lio_listio starts several operations at
 * once, each with a file and a place of its own. */
#include "base/json.h"
#include "views/calls/dump_calls.h"
#include "views/output/display_text.h"

#include <string.h>

enum { BLOCK_READS, BLOCK_WRITES, NUMBERS_OF_BLOCK = 4 /* descriptor, offset, bytes, operation */ };

/* NULL: the call starts no list, or it has more blocks than a trace keeps. */
static const struct fth_value *list_of(const struct fth_call *call)
{
    const struct fth_function *function = call->function;
    for (size_t i = 0; function->starts && i < function->parameter_count; i++)
        if (strncmp(function->parameters[i].role, "aio[", 4) == 0 &&
            call->arguments[i].type == FTH_VALUE_INTEGERS)
            return &call->arguments[i];
    return NULL;
}

static const char *file_of(const struct fth_call *call, int64_t descriptor)
{
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].handle->value == descriptor)
            return call->uses[i].handle->path;
    return NULL;
}

/* The next block that reads or writes, from *at; NULL: there is none. */
static const int64_t *next_block(const struct fth_value *list, size_t *at)
{
    while (*at + NUMBERS_OF_BLOCK <= list->count) {
        const int64_t *block = list->integers + *at;
        *at += NUMBERS_OF_BLOCK;
        if ((block[3] == BLOCK_READS || block[3] == BLOCK_WRITES) && block[1] >= 0 && block[2] > 0)
            return block;
    }
    return NULL;
}

void fth_views_dump_blocks(struct fth_dump *dump)
{
    struct fth_sink *sink = &dump->output->sink;
    const struct fth_call *call = &dump->access->call;
    const struct fth_value *list = list_of(call);
    const int64_t *block;
    size_t at = 0;
    while (list && (block = next_block(list, &at))) {
        const char *file = file_of(call, block[0]);
        fth_sink_text(sink, "        bytes ");
        fth_sink_integer(sink, block[1]);
        fth_sink_text(sink, " to ");
        fth_sink_integer(sink, block[1] + block[2] - 1);
        fth_sink_text(sink, block[3] == BLOCK_WRITES ? " written to " : " read from ");
        if (file)
            fth_views_put_text(sink, file, 0, FTH_CUT_END, true);
        else
            fth_sink_text(sink, "an unknown descriptor");
        fth_sink_char(sink, '\n');
    }
}

void fth_views_dump_blocks_json(struct fth_dump *dump)
{
    struct fth_sink *sink = &dump->output->sink;
    const struct fth_call *call = &dump->access->call;
    const struct fth_value *list = list_of(call);
    const int64_t *block;
    size_t at = 0;
    bool first = true;
    if (!list)
        return;
    fth_sink_text(sink, ",\"blocks\":[");
    while ((block = next_block(list, &at))) {
        struct fth_json json;
        fth_sink_text(sink, first ? "{\"file\":" : ",{\"file\":");
        fth_json_open(&json, sink, 0);
        fth_json_text(&json, file_of(call, block[0]));
        fth_sink_text(sink, block[3] == BLOCK_WRITES ? ",\"writes\":true,\"range\":["
                                                     : ",\"writes\":false,\"range\":[");
        fth_sink_integer(sink, block[1]);
        fth_sink_char(sink, ',');
        fth_sink_integer(sink, block[2]);
        fth_sink_text(sink, "]}");
        first = false;
    }
    fth_sink_char(sink, ']');
}

/* Control blocks of asynchronous I/O as arguments. */
#include "proxy/written_call.h"

#include <stdlib.h>

static void put_number(struct fth_written_call *call, uint32_t number)
{
    int64_t constant;
    bool is_constant;
    char *text = fth_proxy_write_number(call->writing, call->item, number, &constant, &is_constant);
    fprintf(call->text.file, ", %s", text);
    free(text);
}

/* The descriptor of an operation is in the block that began it. */
void fth_proxy_put_block(struct fth_written_call *call, size_t field)
{
    const struct fth_argument *argument = &call->form->arguments[field];
    FILE *to = call->text.file;
    call->writing->needs |= FTH_NEEDS_BLOCKS | FTH_NEEDS_BUFFER;
    fputs(argument->handle_count ? "control(&" : "ended(&", to);
    fth_proxy_put_variable(call, FTH_BLOCK_CLASS, argument->block);
    if (argument->handle_count) {
        fputs(", ", to);
        fth_proxy_put_variable(call, call->writing->descriptor_class, argument->variables[0]);
        put_number(call, argument->first);
        put_number(call, argument->first + 1);
    }
    fputc(')', to);
}

/* A descriptor of a FIFO looks like one of a file: only whoever made the name said what it is, and
 * that may be another process than those that use it. So the names are known before calls are
 * fed. */
#include "order/build/fifos.h"
#include "base/memory.h"
#include "order/build/called.h"

#include <string.h>

enum { MOST_FIFOS = 4096, TYPE_OF_FILE = 0170000, IS_FIFO = 0010000 };

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

/* mkfifo always makes one, mknod when its mode says so. */
static bool names_fifo(const struct fth_function *function)
{
    return is(function->orders, "fifo") || is(function->orders, "node");
}

static bool makes_one(const struct fth_call *call)
{
    const struct fth_function *function = call->function;
    if (call->error_number || !call->file || !names_fifo(function))
        return false;
    bool says_so = is(function->orders, "fifo");
    for (size_t i = 0; i < function->parameter_count; i++)
        if (is(function->parameters[i].role, "mode"))
            says_so |= call->arguments[i].type == FTH_VALUE_INTEGER &&
                       (call->arguments[i].integer & TYPE_OF_FILE) == IS_FIFO;
    return says_so;
}

static void add(struct fth_order_fifos *fifos, const char *name)
{
    if (fifos->count == MOST_FIFOS || fth_order_fifos_have(fifos, name))
        return;
    FTH_GROW(fifos->names, fifos->count);
    fifos->names[fifos->count++] = fth_text_copy(name);
}

struct fth_order_fifos fth_order_fifos_of(struct fth_trace *trace)
{
    struct fth_order_fifos fifos = {NULL, 0};
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++) {
        struct fth_error *error = NULL;
        if (!fth_order_may_have_called(trace, proc, names_fifo))
            continue;
        struct fth_call call;
        struct fth_calls *calls = fth_calls_open(trace, proc, &error);
        while (calls && fth_calls_next(calls, &call, &error) == 1)
            if (makes_one(&call))
                add(&fifos, call.file);
        fth_calls_close(calls);
        fth_error_free(error);
    }
    return fifos;
}

bool fth_order_fifos_have(const struct fth_order_fifos *fifos, const char *name)
{
    for (size_t i = 0; i < fifos->count; i++)
        if (strcmp(fifos->names[i], name) == 0)
            return true;
    return false;
}

void fth_order_fifos_free(struct fth_order_fifos *fifos)
{
    for (size_t i = 0; i < fifos->count; i++)
        free(fifos->names[i]);
    free(fifos->names);
}

/* What all functions of a trace mean for the order; made once, before calls are fed. */
#include "base/memory.h"
#include "order/build/order_semantics.h"

#include <string.h>

struct entry {
    const struct fth_function *function;
    struct fth_order_semantics semantics;
};

struct fth_order_semantics_table {
    const struct fth_trace *trace;
    struct entry *table; /* by address */
    size_t size;
};

static size_t place_of(const struct fth_order_semantics_table *semantics_table,
                       const struct fth_function *function)
{
    size_t at = (size_t)(((uintptr_t)function >> 4) * 0x9e3779b97f4a7c15u >> 20);
    for (at &= semantics_table->size - 1; semantics_table->table[at].function;
         at = (at + 1) & (semantics_table->size - 1))
        if (semantics_table->table[at].function == function)
            break;
    return at;
}

/* "MPI_Send" for "MPI_Send_c": processes may call the one where others call the other. */
static size_t narrow_number(const struct fth_trace *trace, size_t number)
{
    const char *name = fth_trace_function(trace, number)->name;
    size_t length = strlen(name);
    if (length < 2 || strcmp(name + length - 2, "_c") != 0)
        return number;
    for (size_t i = 0; i < fth_trace_function_count(trace); i++) {
        const char *other = fth_trace_function(trace, i)->name;
        if (strlen(other) == length - 2 && strncmp(other, name, length - 2) == 0)
            return i;
    }
    return number;
}

struct fth_order_semantics_table *fth_order_semantics_table_new(const struct fth_trace *trace)
{
    struct fth_order_semantics_table *semantics_table = fth_new(1, sizeof *semantics_table);
    size_t count = fth_trace_function_count(trace);
    semantics_table->trace = trace;
    for (semantics_table->size = 16; semantics_table->size < 2 * count;)
        semantics_table->size *= 2;
    semantics_table->table = fth_new(semantics_table->size, sizeof *semantics_table->table);
    for (size_t i = 0; i < count; i++) {
        const struct fth_function *function = fth_trace_function(trace, i);
        struct entry *entry = &semantics_table->table[place_of(semantics_table, function)];
        entry->function = function;
        entry->semantics = fth_order_semantics_of(function, narrow_number(trace, i));
    }
    return semantics_table;
}

const struct fth_order_semantics *
fth_order_semantics(const struct fth_order_semantics_table *semantics_table,
                    const struct fth_function *function)
{
    const struct entry *entry = &semantics_table->table[place_of(semantics_table, function)];
    return entry->function && entry->semantics.what != FTH_ORDERS_NOTHING ? &entry->semantics
                                                                          : NULL;
}

const struct fth_function *
fth_order_function(const struct fth_order_semantics_table *semantics_table, uint16_t number)
{
    return number < fth_trace_function_count(semantics_table->trace)
               ? fth_trace_function(semantics_table->trace, number)
               : NULL;
}

void fth_order_semantics_table_free(struct fth_order_semantics_table *semantics_table)
{
    if (!semantics_table)
        return;
    free(semantics_table->table);
    free(semantics_table);
}

/* What all functions of a trace mean for the order; made once, before calls are fed. */
#include "base/memory.h"
#include "order/build/sense.h"

#include <string.h>

struct entry {
    const struct fth_function *function;
    struct fth_order_sense sense;
};

struct fth_order_senses {
    const struct fth_trace *trace;
    struct entry *table; /* by address */
    size_t size;
};

static size_t place_of(const struct fth_order_senses *senses, const struct fth_function *function)
{
    size_t at = (size_t)(((uintptr_t)function >> 4) * 0x9e3779b97f4a7c15u >> 20);
    for (at &= senses->size - 1; senses->table[at].function; at = (at + 1) & (senses->size - 1))
        if (senses->table[at].function == function)
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

struct fth_order_senses *fth_order_senses_new(const struct fth_trace *trace)
{
    struct fth_order_senses *senses = fth_new(1, sizeof *senses);
    size_t count = fth_trace_function_count(trace);
    senses->trace = trace;
    for (senses->size = 16; senses->size < 2 * count;)
        senses->size *= 2;
    senses->table = fth_new(senses->size, sizeof *senses->table);
    for (size_t i = 0; i < count; i++) {
        const struct fth_function *function = fth_trace_function(trace, i);
        struct entry *entry = &senses->table[place_of(senses, function)];
        entry->function = function;
        entry->sense = fth_order_sense_of(function, narrow_number(trace, i));
    }
    return senses;
}

const struct fth_order_sense *fth_order_sense(const struct fth_order_senses *senses,
                                              const struct fth_function *function)
{
    const struct entry *entry = &senses->table[place_of(senses, function)];
    return entry->function && entry->sense.what != FTH_ORDERS_NOTHING ? &entry->sense : NULL;
}

const struct fth_function *fth_order_function(const struct fth_order_senses *senses,
                                              uint16_t number)
{
    return number < fth_trace_function_count(senses->trace)
               ? fth_trace_function(senses->trace, number)
               : NULL;
}

void fth_order_senses_free(struct fth_order_senses *senses)
{
    if (!senses)
        return;
    free(senses->table);
    free(senses);
}

/* States of trace files: see the header. */
#ifdef FATHOM_EXPAT
#include "import/hdtrace/traced_state.h"

#include "base/memory.h"
#include "catalog/hdtrace_names.h"
#include "trace/record/builtin.h"

#include <string.h>

uint32_t fth_traced_function(const char *state)
{
    char name[128] = "MPI_";
    size_t length = strlen(state);
    if (length >= sizeof name - 4)
        return UINT32_MAX;
    memcpy(name + 4, state, length);
    bool is_upper = *state >= 'A' && *state <= 'Z';
    uint32_t function = is_upper ? fth_imported_function(name, length + 4) : UINT32_MAX;
    return function == UINT32_MAX ? fth_imported_function(state, length) : function;
}

/* ---- texts ---- */

void fth_traced_state_clear(struct fth_traced_state *state)
{
    state->texts.length = 0;
    state->attribute_count = state->body_count = 0;
}

void fth_traced_state_free(struct fth_traced_state *state)
{
    free(state->name);
    free(state->pairs);
    fth_bytes_free(&state->texts);
}

static uint32_t put(struct fth_traced_state *state, const char *text, size_t length)
{
    uint32_t at = (uint32_t)state->texts.length;
    fth_bytes_put(&state->texts, text, length);
    fth_bytes_put(&state->texts, "", 1);
    return at;
}

void fth_traced_state_add(struct fth_traced_state *state, bool is_body, const char *name,
                          const char *value, size_t length)
{
    uint32_t number = state->attribute_count + state->body_count;
    state->pairs = fth_reach(state->pairs, &state->pair_limit, number, sizeof *state->pairs);
    state->pairs[number].name = put(state, name, strlen(name));
    state->pairs[number].value = put(state, value, length);
    state->attribute_count += !is_body;
    state->body_count += is_body;
}

static const char *text_at(const struct fth_traced_state *state, uint32_t at)
{
    return (const char *)state->texts.data + at;
}

const char *fth_traced_attribute(const struct fth_traced_state *state, const char *name)
{
    for (uint32_t i = 0; i < state->attribute_count; i++) {
        const char *own = text_at(state, state->pairs[i].name);
        if (*own == *name && !strcmp(own, name))
            return text_at(state, state->pairs[i].value);
    }
    return NULL;
}

const char *fth_traced_described(const struct fth_traced_state *state, const char *name,
                                 const char *what)
{
    size_t length = strlen(name);
    for (uint32_t i = 0; i < state->attribute_count; i++) {
        const char *own = text_at(state, state->pairs[i].name);
        if (*own == *name && !strncmp(own, name, length) && !strcmp(own + length, what))
            return text_at(state, state->pairs[i].value);
    }
    return NULL;
}

const char *fth_traced_body(const struct fth_traced_state *state, const char *name, uint32_t *at)
{
    for (; *at < state->body_count; ++*at) {
        uint32_t number = state->attribute_count + *at;
        if (!strcmp(text_at(state, state->pairs[number].name), name)) {
            ++*at;
            return text_at(state, state->pairs[number].value);
        }
    }
    return NULL;
}

/* ---- names ---- */

static bool has_receiver(const struct fth_row *row)
{
    for (size_t i = 0; i < row->field_count; i++)
        if (!strcmp(row->fields[i].name, "dest"))
            return true;
    return false;
}

const char *const *fth_traced_names(struct fth_traced_reading *reading, uint32_t function)
{
    const struct fth_catalog *catalog = fth_builtin_catalog();
    const struct fth_row *row = &catalog->rows[function];
    bool is_mpi = fth_hdtrace_is_mpi(row->name), sends = has_receiver(row);
    if (!reading->names)
        reading->names = fth_new(catalog->row_count, sizeof *reading->names);
    char **names = reading->names[function];
    if (!names)
        names = reading->names[function] = fth_new(row->field_count + 1, sizeof *names);
    for (size_t i = 0; i < row->field_count && !names[i]; i++) {
        char room[FTH_HDTRACE_LONGEST];
        names[i] = fth_text_copy(fth_hdtrace_attribute(is_mpi, sends, row->fields[i].name, room));
    }
    return (const char *const *)names;
}

void fth_traced_names_free(struct fth_traced_reading *reading)
{
    const struct fth_catalog *catalog = fth_builtin_catalog();
    for (size_t i = 0; reading->names && i < catalog->row_count; i++) {
        for (size_t k = 0; reading->names[i] && k < catalog->rows[i].field_count; k++)
            free(reading->names[i][k]);
        free(reading->names[i]);
    }
    free(reading->names);
}

/* ---- processes ---- */

void fth_traced_process_free(struct fth_traced_process *process)
{
    fth_keyed_free(&process->slots);
    fth_keyed_free(&process->handles);
    fth_intern_free(&process->texts);
    free(process->class_slots);
    *process = (struct fth_traced_process){0};
}
#endif

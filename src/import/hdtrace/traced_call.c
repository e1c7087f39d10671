/* States become calls: see the header. A state with the name of a function of the catalogue is a
 * call of it; any other one is a region of the application, with its name and time. */
#ifdef FATHOM_EXPAT
#include "import/hdtrace/traced_call.h"

#include "import/hdtrace/state_values.h"
#include "trace/record/builtin.h"
#include "trace/record/spill.h"

#include <string.h>

/* Which lock or thread a call is about is not known: threads count as not recorded. */
static bool can_be_known(const struct fth_row *row)
{
    return !fth_layer_is(row->layer, FTH_LAYER_NOTES) &&
           !fth_layer_is(row->layer, FTH_LAYER_THREADS);
}

static const struct fth_row *row_of(uint32_t function)
{
    const struct fth_row *row =
        function == UINT32_MAX ? NULL : &fth_builtin_catalog()->rows[function];
    return row && can_be_known(row) ? row : NULL;
}

/* Flags of a call inside the states around it: of a layer, and of files. */
static uint32_t flags_inside(const struct fth_traced_reading *reading, const struct fth_row *row)
{
    uint32_t flags = 0;
    for (uint32_t i = 0; i < reading->depth; i++)
        flags |= fth_imported_flags_inside(row, row_of(reading->outer[i]));
    return flags;
}

static void put_region(struct fth_traced_reading *reading, const char *name,
                       struct fth_imported_call *call)
{
    call->function = fth_imported_function("mark_region", strlen("mark_region"));
    int64_t values[FTH_MOST_VALUES] = {
        fth_imported_stream_text(reading->stream, name, strlen(name))};
    fth_imported_stream_call(reading->stream, call, values);
}

static void put_call(struct fth_traced_reading *reading, struct fth_project_xml *xml,
                     const struct fth_traced_state *state, const struct fth_row *row,
                     struct fth_imported_call *call)
{
    int64_t values[FTH_MOST_VALUES + 1];
    fth_state_values(reading, xml, state, row, values);
    call->function = state->function;
    fth_imported_stream_call(reading->stream, call, values);
}

/* In which relative paths are. */
static void note_folder(struct fth_traced_reading *reading, const char *folder)
{
    if (!folder)
        return;
    int64_t values[FTH_MOST_VALUES] = {
        fth_imported_stream_text(reading->stream, folder, strlen(folder))};
    fth_imported_stream_note(reading->stream, fth_imported_function("fathom_cwd", 10), values);
}

void fth_traced_call_put(struct fth_traced_reading *reading, struct fth_project_xml *xml,
                         const struct fth_traced_state *state)
{
    const struct fth_row *known = row_of(state->function), *row = known;
    if (row && !fth_state_is_known(reading, state, row))
        row = NULL;
    struct fth_imported_call call = {.depth = reading->depth,
                                     .flags = flags_inside(reading, row),
                                     .holds = reading->holds,
                                     .entry = fth_imported_ticks(reading->run, state->begin),
                                     .exit = fth_imported_ticks(reading->run, state->end)};
    fth_imported_stream_begin(reading->stream);
    note_folder(reading, fth_traced_attribute(state, "directory"));
    if (row)
        put_call(reading, xml, state, row, &call);
    else
        put_region(reading, state->name, &call);
    reading->without_value += known && !row;
    reading->imported->calls++;
    if (state->begin < reading->process->facts.start)
        reading->process->facts.start = state->begin;
    if (state->end > reading->process->facts.last)
        reading->process->facts.last = state->end;
}

#endif

/* An OTF2 archive, by the OTF2 library: for Vampir, otf2-print, Score-P's tools, Python. Each
 * thread is a location with a file of its own, so that threads of the export write different ones
 * at the same time. */
#include "export/otf2/otf2.h"

#include "export/shared/exporter.h"

#ifdef FATHOM_OTF2
#include "base/memory.h"
#include "export/otf2/collective_events.h"
#include "export/otf2/referred.h"
#include "export/otf2/io_events.h"
#include "export/otf2/library.h"
#include "export/otf2/location.h"
#include "export/otf2/message_events.h"
#include "export/otf2/write_definitions.h"

const bool fth_otf2_is_built_in = true;

struct shared {
    struct fth_otf2_library library;
    struct fth_otf2_definitions definitions;
    struct fth_otf2_messages messages;
};

struct state {
    struct fth_otf2_io io;
    struct fth_otf2_location *locations; /* of the process */
    size_t location_count;
};

/* What is done with the library, which is left where it fails. */
struct use {
    struct fth_export_part *part;
    struct shared *shared;
    size_t proc;
    const struct fth_call *call;
};

static void use(struct fth_export_part *part, void (*function)(void *use), size_t proc,
                const struct fth_call *call)
{
    struct use use = {part, part->of->shared, proc, call};
    struct fth_error *error = NULL;
    if (fth_otf2_use(&use.shared->library, function, &use, part->error ? NULL : &error) && error)
        part->error = error;
}

/* ---- begin and end ---- */

static int begin(struct fth_exported *exported, struct fth_output *output, struct fth_error **error)
{
    (void)output;
    struct shared *shared = exported->shared = fth_new(1, sizeof *shared);
    if (fth_otf2_definitions_begin(&shared->definitions, exported, error) ||
        fth_otf2_messages_begin(&shared->messages, exported, error))
        return -1;
    return fth_otf2_open(&shared->library, exported->folder, error);
}

static uint64_t location_count(const struct fth_otf2_definitions *definitions)
{
    return definitions->first_location[fth_trace_process_count(definitions->of->trace)];
}

/* Ranks that are not exported are members of communicators all the same. */
static void finish_events(void *argument)
{
    struct shared *shared = argument;
    OTF2_Archive *archive = shared->library.archive;
    for (uint64_t i = 0; i < location_count(&shared->definitions); i++)
        if (!shared->definitions.events[i])
            OTF2_Archive_CloseEvtWriter(archive, OTF2_Archive_GetEvtWriter(archive, i));
    OTF2_Archive_CloseEvtFiles(archive);
}

static void write_local_definitions(void *argument)
{
    struct shared *shared = argument;
    OTF2_Archive *archive = shared->library.archive;
    OTF2_Archive_OpenDefFiles(archive);
    for (uint64_t i = 0; i < location_count(&shared->definitions); i++)
        OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, i));
    OTF2_Archive_CloseDefFiles(archive);
}

static int end(struct fth_exported *exported, struct fth_output *output, struct fth_error **error)
{
    (void)output;
    struct shared *shared = exported->shared;
    struct fth_otf2_library *library = &shared->library;
    int result = *error ? -1 : fth_otf2_use(library, finish_events, shared, error);
    if (!result)
        result = fth_otf2_use(library, write_local_definitions, shared, error);
    if (!result)
        result = fth_otf2_write_definitions(&shared->definitions, library, error);
    if (fth_otf2_close(library, *error ? NULL : error))
        result = -1;
    fth_otf2_messages_end(&shared->messages);
    fth_otf2_definitions_end(&shared->definitions);
    free(shared);
    return result;
}

/* ---- parts ---- */

static void begin_part(struct fth_export_part *part)
{
    part->state = fth_new(1, sizeof(struct state));
}

static void end_part(struct fth_export_part *part)
{
    free(part->state);
}

static void open_locations(void *argument)
{
    const struct use *use = argument;
    struct state *state = use->part->state;
    uint64_t first = use->shared->definitions.first_location[use->proc];
    for (size_t i = 0; i < state->location_count; i++)
        state->locations[i].writer =
            OTF2_Archive_GetEvtWriter(use->shared->library.archive, first + i);
}

static void begin_process(struct fth_export_part *part, size_t proc)
{
    struct state *state = part->state;
    struct shared *shared = part->of->shared;
    const uint64_t *first = &shared->definitions.first_location[proc];
    state->io.definitions = &shared->definitions;
    state->location_count = (size_t)(first[1] - first[0]);
    state->locations = fth_new(state->location_count, sizeof *state->locations);
    for (size_t i = 0; i < state->location_count; i++)
        fth_otf2_messages_of(&shared->messages, proc, (uint32_t)i, &state->locations[i]);
    use(part, open_locations, proc, NULL);
}

static void close_locations(void *argument)
{
    const struct use *use = argument;
    const struct state *state = use->part->state;
    struct fth_otf2_definitions *definitions = &use->shared->definitions;
    for (size_t i = 0; i < state->location_count; i++) {
        struct fth_otf2_location *location = &state->locations[i];
        fth_otf2_leave_before(location, NULL);
        OTF2_EvtWriter_GetNumberOfEvents(
            location->writer, &definitions->events[definitions->first_location[use->proc] + i]);
        OTF2_Archive_CloseEvtWriter(use->shared->library.archive, location->writer);
    }
}

static void end_process(struct fth_export_part *part, size_t proc)
{
    struct state *state = part->state;
    use(part, close_locations, proc, NULL);
    for (size_t i = 0; i < state->location_count; i++)
        fth_otf2_location_free(&state->locations[i]);
    free(state->locations);
    fth_otf2_io_free(&state->io);
}

static void put_call(void *argument)
{
    const struct use *use = argument;
    const struct fth_call *call = use->call;
    struct state *state = use->part->state;
    struct shared *shared = use->shared;
    struct fth_otf2_location *location = &state->locations[call->thread];
    fth_otf2_leave_before(location, call);
    fth_otf2_enter(location, call, fth_otf2_region(&shared->definitions, call));
    fth_otf2_put_messages(&shared->messages, &shared->definitions, location, call);
    fth_otf2_put_collective(&shared->definitions, location, use->part, call);
    fth_otf2_put_io(&state->io, location, use->part, call);
}

static void write_call(struct fth_export_part *part, const struct fth_call *call)
{
    use(part, put_call, call->proc, call);
}

static bool wants_accesses(const struct fth_exported *exported)
{
    (void)exported;
    return true;
}
#else
const bool fth_otf2_is_built_in = false;

static int begin(struct fth_exported *exported, struct fth_output *output, struct fth_error **error)
{
    (void)exported;
    (void)output;
    return fth_fail(error, "this fathom was built without the OTF2 library");
}
#endif

const struct fth_exporter fth_exporter_otf2 = {
    .name = "otf2",
    .extension = ".otf2",
    .help = "a folder, the archive of Vampir, otf2-print, Score-P",
    .is_folder = true,
    .mark = "traces.otf2",
    .begin = begin,
#ifdef FATHOM_OTF2
    .wants_handles = true,
    .wants_accesses = wants_accesses,
    .begin_part = begin_part,
    .begin_process = begin_process,
    .call = write_call,
    .end_process = end_process,
    .end_part = end_part,
    .end = end,
#endif
};

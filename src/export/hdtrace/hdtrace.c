/* A project of HDTrace (the tools around PIOsimHD): a project file, a trace file for each thread,
 * and statistics of nodes. Threads of the export write different files at the same time. */
#include "export/shared/exporter.h"

#include "base/memory.h"
#include "export/hdtrace/datatypes.h"
#include "export/hdtrace/project_file.h"
#include "export/hdtrace/state_text.h"
#include "export/hdtrace/hdtrace_statistics.h"
#include "export/hdtrace/trace_file.h"
#include "export/hdtrace/xml.h"

struct state {
    struct fth_hdtrace_file *files; /* of the process, by thread */
    uint32_t file_limit;
    struct fth_hdtrace_datatypes datatypes;
    struct fth_keyed known; /* files of handles that the project lists */
};

/* ---- begin and end ---- */

static int begin(struct fth_exported *exported, struct fth_output *output, struct fth_error **error)
{
    (void)output;
    struct fth_hdtrace_project *project = exported->shared = fth_new(1, sizeof *project);
    pthread_mutex_init(&project->lock, NULL);
    fth_hdtrace_places_begin(&project->places, exported);
    project->threads =
        fth_new(fth_trace_process_count(exported->trace) + 1, sizeof *project->threads);
    return fth_exported_communicators_begin(&project->communicators, exported->trace, error);
}

static int end(struct fth_exported *exported, struct fth_output *output, struct fth_error **error)
{
    (void)output;
    struct fth_hdtrace_project *project = exported->shared;
    int result = *error ? -1
                        : fth_hdtrace_write_statistics(&project->places, exported,
                                                       &project->statistic_count, error);
    if (!result)
        result = fth_hdtrace_write_project(project, exported, error);
    fth_exported_communicators_end(&project->communicators);
    fth_hdtrace_places_end(&project->places);
    fth_intern_free(&project->files);
    pthread_mutex_destroy(&project->lock);
    free(project->threads);
    free(project);
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

static void begin_process(struct fth_export_part *part, size_t proc)
{
    struct state *state = part->state;
    *state = (struct state){0};
    state->known.size = sizeof(uint64_t);
    fth_hdtrace_datatypes_begin(&state->datatypes,
                                fth_hdtrace_info_path(part->of->shared, part->of->folder, proc),
                                part->of->names);
}

static void end_process(struct fth_export_part *part, size_t proc)
{
    struct state *state = part->state;
    struct fth_hdtrace_project *project = part->of->shared;
    uint32_t used = 0;
    for (uint32_t i = 0; i < state->file_limit; i++) {
        used = state->files[i].path ? i + 1 : used;
        fth_hdtrace_file_end(&state->files[i], &part->error);
    }
    project->threads[proc] = used;
    fth_hdtrace_datatypes_end(&state->datatypes, &part->error);
    free(state->files);
    fth_keyed_free(&state->known);
}

/* ---- calls ---- */

/* The time is wide enough to be overwritten in place. */
static void put_program(struct fth_sink *to, const struct fth_exported *exported,
                        const struct fth_call *call)
{
    int64_t start = fth_trace_info(exported->trace)->start_realtime;
    const struct fth_process *process = fth_exported_process(exported, call->proc);
    char *time = fth_text_format("%011lld.%09lld", (long long)(start / 1000000000),
                                 (long long)(start % 1000000000));
    fth_sink_text(to, "<?xml version='1.0' encoding='UTF-8'?>\n<Program");
    fth_xml_text(to, "timeAdjustment", time);
    fth_xml_integer(to, "pid", process->pid);
    fth_xml_integer(to, "tid", call->tid);
    fth_xml_time(to, "start", process->start);
    fth_xml_time(to, "end", process->end);
    if (process->executable)
        fth_xml_text(to, "executable", process->executable);
    if (process->directory)
        fth_xml_text(to, "directory", process->directory);
    if (process->mpi)
        fth_xml_text(to, "mpi", process->mpi);
    if (process->mpi_abi) /* whose numbers the constants are */
        fth_xml_text(to, "mpiAbi", process->mpi_abi);
    fth_sink_text(to, ">\n");
    free(time);
}

static struct fth_hdtrace_file *file_of(struct fth_export_part *part, const struct fth_call *call)
{
    struct state *state = part->state;
    struct fth_hdtrace_project *project = part->of->shared;
    state->files = fth_reach(state->files, &state->file_limit, call->thread, sizeof *state->files);
    struct fth_hdtrace_file *file = &state->files[call->thread];
    if (!file->path) {
        fth_hdtrace_file_begin(
            file, fth_hdtrace_path(&project->places, part->of->folder, call->proc, call->thread));
        put_program(&file->text, part->of, call);
    }
    return file;
}

static void list_files(struct fth_export_part *part, const struct fth_call *call)
{
    struct state *state = part->state;
    struct fth_hdtrace_project *project = part->of->shared;
    for (size_t i = 0; i < call->use_count; i++) {
        const struct fth_handle *handle = call->uses[i].handle;
        bool is_file = handle->path && handle->type && !strcmp(handle->type, "file") &&
                       fth_hdtrace_id(handle) >= 0;
        if (!is_file || !fth_hdtrace_is_new(&state->known, handle))
            continue;
        char *name = fth_pseudonym(part->of->names, handle->path);
        pthread_mutex_lock(&project->lock);
        fth_intern(&project->files, name, strlen(name));
        pthread_mutex_unlock(&project->lock);
        free(name);
    }
}

static void write_call(struct fth_export_part *part, const struct fth_call *call)
{
    struct state *state = part->state;
    struct fth_hdtrace_file *file = file_of(part, call);
    struct fth_sink *to = fth_hdtrace_file_enter(file, call, &part->error);
    fth_hdtrace_put_state(to, part, call, &file->known, &file->directory);
    fth_hdtrace_datatypes_of(&state->datatypes, call, &part->error);
    list_files(part, call);
}

static bool wants_accesses(const struct fth_exported *exported)
{
    (void)exported;
    return true;
}

const struct fth_exporter fth_exporter_hdtrace = {
    .name = "hdtrace",
    .extension = ".hdtrace",
    .help = "a folder, the project of HDTrace, PIOsimHD",
    .is_folder = true,
    .mark = FTH_HDTRACE_PROJECT,
    .wants_handles = true,
    .wants_accesses = wants_accesses,
    .begin = begin,
    .begin_part = begin_part,
    .begin_process = begin_process,
    .call = write_call,
    .end_process = end_process,
    .end_part = end_part,
    .end = end,
};

/* Projects of HDTrace (the tools around PIOsimHD; `fathom export --to hdtrace`): the project file
 * says which event sources there are, and each of them has a file of states or of relations. */
#include "import/shared/importer.h"

#include "import/hdtrace/project.h"

#include "base/memory.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef FATHOM_EXPAT
#include "base/phrase.h"
#include "import/hdtrace/relation_file.h"
#include "import/hdtrace/statistics_file.h"
#include "import/hdtrace/traced_file.h"
#include "trace/program/hides.h"
#include "trace/record/builtin.h"

const bool fth_project_is_built_in = true;

/* The file of a node's events; NULL: it has none. To be freed. */
static char *events_of(const struct fth_traced_project *project, uint32_t node, bool *is_relation)
{
    static const char *const ends[] = {".trc", ".rel"};
    for (int i = 0; i < 2; i++) {
        char *path = fth_traced_project_file(project, node, ends[i]);
        *is_relation = i;
        if (access(path, F_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

static int begins(const char *path, bool is_relation, struct fth_traced_program *program,
                  struct fth_error **error)
{
    return is_relation ? fth_relation_file_begins(path, program, error)
                       : fth_traced_file_begins(path, program, error);
}

/* The run begins when the first of its files does. */
static int find_start(struct fth_traced_reading *reading, struct fth_error **error)
{
    struct fth_imported_run *run = reading->run;
    int result = 0;
    bool is_relation, any = false;
    for (uint32_t node = 0; !result && node < reading->project.node_count; node++) {
        struct fth_traced_program program;
        char *path = events_of(&reading->project, node, &is_relation);
        if (!path)
            continue;
        result = begins(path, is_relation, &program, error);
        if (!any || program.adjustment < run->start)
            run->start = program.adjustment;
        any = true;
        fth_traced_program_free(&program);
        free(path);
    }
    run->end = run->start;
    return result || any ? result
                         : fth_fail(error, "there is no file '%s_... .trc' of the project",
                                    reading->project.prefix);
}

/* ---- processes ---- */

/* The node of the process to which a node belongs. */
static uint32_t process_of(const struct fth_traced_project *project, uint32_t node)
{
    uint32_t rank = fth_traced_project_at(project, node, "Rank");
    return rank == FTH_PROJECT_NONE ? node : rank;
}

static char *host_of(const struct fth_traced_project *project, uint32_t node)
{
    uint32_t host = fth_traced_project_at(project, node, "Hostname");
    while (host == FTH_PROJECT_NONE && project->nodes[node].parent != FTH_PROJECT_NONE)
        node = project->nodes[node].parent;
    return fth_traced_project_text(project,
                                   project->nodes[host == FTH_PROJECT_NONE ? node : host].name);
}

static void begin_process(struct fth_traced_reading *reading, uint32_t node,
                          struct fth_traced_program *program)
{
    struct fth_traced_process *process = reading->process;
    const struct fth_traced_project *project = &reading->project;
    int64_t pid = program->pid > 0 ? program->pid : (int64_t)node + 1;
    int64_t rank = fth_traced_project_rank(project, node);
    bool is_rank = rank >= 0 && project->world_size > rank;
    process->node = node;
    process->slots.size = sizeof(uint32_t);
    process->handles.size = sizeof(struct fth_traced_handle);
    process->class_slots =
        fth_new(fth_builtin_catalog()->class_count, sizeof *process->class_slots);
    process->facts = (struct fth_imported_process){
        .image = fth_imported_image(reading->run, pid),
        .pid = pid,
        /* else that of its first call */
        .start = program->start >= 0 ? program->start : INT64_MAX,
        .last = program->end >= 0 ? program->end : program->adjustment,
        .ended = FTH_END_NOT_KNOWN,
        .rank = is_rank ? rank : -1,
        .size = is_rank ? project->world_size : -1,
        .world = is_rank,
        .host = host_of(project, node),
        .exe = program->executable ? program->executable
                                   : fth_traced_project_text(project, project->application)};
    process->facts.directory = program->directory;
    process->facts.mpi = program->mpi;
    process->facts.mpi_abi = program->mpi_abi;
    program->executable = program->directory = program->mpi = program->mpi_abi = NULL;
    fth_bytes_put(&process->facts.arguments, process->facts.exe, strlen(process->facts.exe) + 1);
}

static void end_process(struct fth_traced_reading *reading)
{
    if (!reading->process->facts.image)
        return;
    if (reading->process->facts.start > reading->process->facts.last)
        reading->process->facts.start = reading->process->facts.last;
    if (reading->process->facts.last > reading->run->end)
        reading->run->end = reading->process->facts.last;
    fth_imported_process_close(reading->run, &reading->process->facts);
    fth_traced_process_free(reading->process);
}

static int read_events(struct fth_traced_reading *reading, uint32_t node, const char *path,
                       bool is_relation, struct fth_error **error)
{
    struct fth_traced_program program;
    uint32_t owner = process_of(&reading->project, node);
    int result = begins(path, is_relation, &program, error);
    if (!result && (!reading->process->facts.image || reading->process->node != owner)) {
        end_process(reading);
        begin_process(reading, owner, &program);
    }
    fth_traced_program_free(&program);
    if (result)
        return result;
    reading->node = node;
    reading->bound = (struct fth_keyed){.size = sizeof(uint32_t)};
    int64_t tid = program.tid > 0 ? program.tid : reading->process->facts.pid;
    if (is_relation)
        result = fth_relation_file_read(path, reading, tid, error);
    else {
        reading->stream =
            fth_imported_thread(reading->run, &reading->process->facts, tid, program.adjustment);
        result = fth_traced_file_read(path, reading, error);
        fth_imported_stream_close(reading->stream);
    }
    fth_keyed_free(&reading->bound);
    return result || reading->run->folder.failed ? -1 : 0;
}

/* ---- the whole ---- */

static void say_unseen(const struct fth_traced_reading *reading)
{
    struct fth_imported *imported = reading->imported;
    fth_imported_unseen(
        imported,
        fth_text_copy(FTH_PROJECT_OF_HDTRACE
                      "how processes and threads began and ended, what their locks are, and calls "
                      "that its writer has left out are not in it"));
    if (reading->without_value)
        fth_imported_unseen(
            imported, fth_text_format(
                          "%s shown as regions: the project does not say how much they moved",
                          fth_phrase_several(reading->without_value, "call is", "calls are").text));
    if (reading->without_status)
        fth_imported_unseen(
            imported, fth_text_format(
                          "how much %s moved: it is taken for what they asked for",
                          fth_phrase_several(reading->without_status, "access", "accesses").text));
    if (!reading->run->start)
        fth_imported_unseen(imported, fth_text_copy("the date of the run: the project has none"));
}

static int read_all(struct fth_traced_reading *reading, struct fth_error **error)
{
    bool is_relation;
    int result = 0;
    char *command = fth_traced_project_text(&reading->project, reading->project.application);
    if (*command)
        fth_bytes_put(&reading->imported->command, command, strlen(command) + 1);
    free(command);
    for (uint32_t node = 0; !result && node < reading->project.node_count; node++) {
        char *path = events_of(&reading->project, node, &is_relation);
        if (path)
            result = read_events(reading, node, path, is_relation, error);
        free(path);
        if (!result)
            result = fth_statistics_file_read(reading, node, error);
    }
    end_process(reading);
    return result;
}

static int read_project(const char *path, struct fth_imported_run *run,
                        struct fth_imported *imported, struct fth_error **error)
{
    struct fth_traced_process process = {0};
    struct fth_traced_reading reading = {.run = run, .imported = imported, .process = &process};
    int result = fth_traced_project_read(&reading.project, path, error);
    if (!result)
        result = find_start(&reading, error);
    if (!result)
        result = read_all(&reading, error);
    if (!result && !imported->calls)
        result = fth_fail(error, "'%s' has no states", path);
    say_unseen(&reading);
    fth_traced_names_free(&reading);
    fth_traced_project_free(&reading.project);
    return result || run->folder.failed ? -1 : 0;
}
#else
const bool fth_project_is_built_in = false;

static int read_project(const char *path, struct fth_imported_run *run,
                        struct fth_imported *imported, struct fth_error **error)
{
    (void)run;
    (void)imported;
    return fth_fail(error, "cannot read '%s': this fathom was built without the Expat library",
                    path);
}
#endif

/* The folder that `fathom export` writes has a project of this name. */
static int import(const char *path, struct fth_imported_run *run, struct fth_imported *imported,
                  struct fth_progress *progress, struct fth_error **error)
{
    struct stat facts;
    bool is_folder = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
    char *file = fth_text_format("%s%s", path, is_folder ? "/trace.proj" : "");
    (void)progress;
    int result = read_project(file, run, imported, error);
    free(file);
    return result;
}

/* The first element is the application; a declaration and comments may stand before it. */
static bool knows(const char *path)
{
    static const char element[] = "<Application";
    char bytes[4096];
    size_t length = fth_imported_beginning(path, bytes, sizeof bytes);
    return fth_imported_has_file(path, "trace.proj") ||
           (length && *bytes == '<' && memmem(bytes, length, element, sizeof element - 1));
}

static const char *const extensions[] = {".proj", ".hdtrace", NULL};

const struct fth_importer fth_importer_hdtrace = {
    .name = "hdtrace",
    .help = "A project of HDTrace (PIOsimHD): its file with the extension .proj, or a folder "
            "with the extension .hdtrace",
    .knows = knows,
    .extensions = extensions,
    .import = import,
};

/* The run that was recorded: which calls there are that parameters have an effect on, and which
 * library makes its MPI-IO. */
#include "tune/tune_files.h"
#include "tune/tune.h"

#include "base/memory.h"
#include "trace/record/builtin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- calls, as a pass ---- */

enum { EFFECTS, CALLS, TIME, WHOLE, OWN_TIME, FOLDER, NO_FOLDER, COLUMNS };
static const struct fth_column columns[COLUMNS] = {
    {"effects", "effects", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"calls", "calls of MPI-IO", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"time", "time of these", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"whole", "time of processes", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"own_time", "time on files", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"folder", "folder of the files", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"no_folder", "why there is none", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"tune", "What can be tuned", columns, COLUMNS, 0};

/* Of a process, and of the run. */
struct seen {
    const struct fth_survey *survey;
    unsigned effects;
    uint64_t calls;
    int64_t time;
    struct fth_indexed files; /* of struct fth_tune_file */
};

static void *begin(const struct fth_survey *survey)
{
    struct seen *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->files.size = sizeof(struct fth_tune_file);
    return run;
}

static void *open_process(void *run, size_t proc)
{
    struct seen *process = fth_new(1, sizeof *process);
    (void)run;
    (void)proc;
    process->files.size = sizeof(struct fth_tune_file);
    return process;
}

/* A call of MPI-IO that no other one of it makes. */
static bool is_asked_for(const struct fth_frame *frame)
{
    const struct fth_frame *around = fth_frame_around(frame);
    return fth_layer_is(frame->function->layer, FTH_LAYER_TOGETHER) &&
           !(around && fth_layer_is(around->function->layer, FTH_LAYER_TOGETHER));
}

static unsigned effects_of(const struct fth_frame *frame)
{
    unsigned effects = 0;
    bool pieces = frame->data.ranges > frame->calls || frame->data.through_view;
    if (frame->writes)
        effects |= (frame->collective ? FTH_TUNE_ON_WRITES_TOGETHER : 0) |
                   (pieces ? FTH_TUNE_ON_PIECES_WRITTEN : 0);
    if (frame->reads)
        effects |= (frame->collective ? FTH_TUNE_ON_READS_TOGETHER : 0) |
                   (pieces ? FTH_TUNE_ON_PIECES_READ : 0);
    if (frame->file.servers > 1 || (frame->file.servers == 1 && frame->file.block))
        effects |= FTH_TUNE_ON_STRIPES;
    return effects;
}

static void take_call(void *process, const struct fth_frame *frame)
{
    struct seen *seen = process;
    const char *layer = frame->function->layer;
    if (!strcmp(layer, "hdf5"))
        seen->effects |= FTH_TUNE_ON_HDF5;
    else if (!strcmp(layer, "pnetcdf"))
        seen->effects |= FTH_TUNE_ON_PNETCDF;
    fth_tune_files_take(&seen->files, frame);
    if (!is_asked_for(frame) || frame->failed)
        return;
    seen->calls += frame->calls;
    seen->time += frame->times.all;
    seen->effects |= effects_of(frame);
}

static void merge(void *run_state, void *process, const uint32_t *files)
{
    struct seen *run = run_state, *seen = process;
    fth_tune_files_merge(&run->files, &seen->files, files);
    run->effects |= seen->effects;
    run->calls += seen->calls;
    run->time += seen->time;
    free(seen);
}

static void put_files(const struct seen *run, struct fth_table *table, size_t row)
{
    const char *why = NULL;
    char *folder = fth_tune_files_folder(&run->files, run->survey->files, &why);
    int64_t time = fth_tune_files_time(&run->files, run->survey->files);
    fth_table_set(table, row, OWN_TIME, fth_cell_integer(time));
    if (folder)
        fth_table_set(table, row, FOLDER, fth_cell_text(folder));
    else
        fth_table_set(table, row, NO_FOLDER, fth_cell_text(why));
    free(folder);
}

static void finish(void *run_state, struct fth_results *results)
{
    struct seen *run = run_state;
    struct fth_table *table = fth_table_new(&shape);
    if (table) {
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, EFFECTS, fth_cell_integer(run->effects));
        fth_table_set(table, row, CALLS, fth_cell_integer((int64_t)run->calls));
        fth_table_set(table, row, TIME, fth_cell_integer(run->time));
        fth_table_set(table, row, WHOLE, fth_cell_integer(run->survey->whole));
        put_files(run, table, row);
    }
    fth_results_add(results, table);
    fth_indexed_free(&run->files);
    free(run);
}

const struct fth_pass fth_tune_pass = {"tune", begin, open_process, take_call, merge, finish,
                                       NULL,   NULL,  NULL,         NULL,      NULL};

/* ---- the library ---- */

/* The component of Open MPI that is ROMIO has the version of it in its name. */
static void name_romio(struct fth_tune_run *run, const char *mpi)
{
    const char *version = strpbrk(mpi, "0123456789");
    int major = version ? atoi(version) : 0;
    snprintf(run->romio, sizeof run->romio, "%s", major >= 5 ? "romio341" : "romio321");
}

static void find_library(struct fth_tune_run *run)
{
    const char *chosen = getenv("OMPI_MCA_io");
    run->library = FTH_TUNE_LIBRARIES;
    for (size_t i = 0; i < fth_trace_process_count(run->trace); i++) {
        const struct fth_process *process = fth_trace_process(run->trace, i);
        if (process->rank == FTH_NO_RANK || !process->mpi_abi)
            continue;
        if ((uint32_t)process->size > run->ranks)
            run->ranks = (uint32_t)process->size;
        if (!strcmp(process->mpi_abi, "mpich")) {
            run->library = FTH_TUNE_ROMIO;
        } else if (!strcmp(process->mpi_abi, "openmpi")) {
            name_romio(run, process->mpi ? process->mpi : "");
            run->library = FTH_TUNE_OMPIO;
            run->has_romio_too = true;
        }
    }
    if (run->library == FTH_TUNE_OMPIO && chosen && strstr(chosen, "romio"))
        snprintf(run->romio, sizeof run->romio, "%.15s", chosen);
}

static void take_results(struct fth_tune_run *run, const struct fth_results *results)
{
    run->findings = &results->findings;
    for (size_t i = 0; i < results->table_count; i++) {
        const struct fth_table *table = results->tables[i];
        if (fth_table_shape(table) != &shape || !fth_table_rows(table))
            continue;
        const struct fth_cell *cells = fth_table_row(table, 0);
        run->effects = (unsigned)cells[EFFECTS].integer;
        run->file_calls = (uint64_t)cells[CALLS].integer;
        run->file_time = cells[TIME].integer;
        run->whole = cells[WHOLE].integer;
        run->own_time = cells[OWN_TIME].integer;
        if (cells[FOLDER].type == FTH_CELL_TEXT)
            run->folder = fth_text_copy(cells[FOLDER].text);
        if (cells[NO_FOLDER].type == FTH_CELL_TEXT)
            run->no_folder = cells[NO_FOLDER].text;
    }
}

static bool is_parameter(const char *key)
{
    for (size_t i = 0; i < fth_tune_parameter_count; i++)
        if (!strcmp(fth_tune_parameters[i].name, key))
            return true;
    return false;
}

void fth_tune_describe(struct fth_tune_run *run, const struct fth_trace *trace,
                       const struct fth_results *results, char *const *hints, size_t hint_count)
{
    *run = (struct fth_tune_run){.trace = trace};
    take_results(run, results);
    find_library(run);
    for (size_t i = 0; i < hint_count; i++) {
        char *key = fth_text_part(hints[i], strcspn(hints[i], "="));
        if (!is_parameter(key)) {
            free(key);
            continue;
        }
        FTH_GROW(run->fixed, run->fixed_count);
        run->fixed[run->fixed_count++] = key;
    }
}

void fth_tune_run_free(struct fth_tune_run *run)
{
    for (size_t i = 0; i < run->fixed_count; i++)
        free(run->fixed[i]);
    free(run->fixed);
    free(run->folder);
}

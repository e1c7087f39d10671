/* Paths of processes become files of the run: one number for each (path, node). */
#include "analysis/survey/run_files.h"

#include "analysis/select/noise.h"
#include "base/memory.h"

#include <string.h>

struct fth_run_files {
    struct fth_trace *trace;
    bool several_nodes;
    struct fth_intern keys; /* path, zero, host or nothing, zero */
    struct fth_survey_file *list;
};

struct fth_run_files *fth_run_files_new(struct fth_trace *trace)
{
    struct fth_run_files *files = fth_new(1, sizeof *files);
    files->trace = trace;
    files->several_nodes = fth_analysis_has_several_nodes(trace);
    return files;
}

static uint32_t add(struct fth_run_files *files, size_t proc, const char *path)
{
    struct fth_survey_file file = {0};
    file.placed = fth_trace_file(files->trace, proc, path, &file.place);
    if (file.placed && files->several_nodes)
        file.host = fth_analysis_node_of(files->trace, proc, &file.place);
    size_t length = strlen(path) + 1, host_length = file.host ? strlen(file.host) + 1 : 0;
    char *key = fth_new(length + host_length, 1);
    memcpy(key, path, length);
    memcpy(key + length, file.host ? file.host : "", host_length);
    uint32_t before = files->keys.count,
             number = fth_intern(&files->keys, key, length + host_length);
    free(key);
    if (number < before)
        return number;
    FTH_GROW(files->list, number);
    file.path = fth_text_copy(path);
    if (!file.path)
        fth_out_of_memory();
    file.noise =
        *path != '/' || fth_analysis_is_noise(path, true); /* pipes and sockets have no places */
    files->list[number] = file;
    return number;
}

uint32_t *fth_run_files_add(struct fth_run_files *files, size_t proc,
                            const struct fth_intern *paths)
{
    uint32_t *numbers = fth_new((size_t)paths->count + 1, sizeof *numbers);
    for (uint32_t i = 0; i < paths->count; i++) {
        size_t length;
        numbers[i] = add(files, proc, (const char *)fth_interned(paths, i, &length));
    }
    return numbers;
}

void fth_run_files_put(struct fth_table *table, size_t row, size_t column,
                       const struct fth_survey_file *file)
{
    fth_table_set(table, row, column, fth_cell_text(file->path));
    fth_table_set(table, row, column + 1, fth_cell_text(file->host));
}

const struct fth_survey_file *fth_run_files_list(const struct fth_run_files *files, size_t *count)
{
    *count = files->keys.count;
    return files->list;
}

void fth_run_files_free(struct fth_run_files *files)
{
    for (uint32_t i = 0; i < files->keys.count; i++)
        free((char *)files->list[i].path);
    free(files->list);
    fth_intern_free(&files->keys);
    free(files);
}

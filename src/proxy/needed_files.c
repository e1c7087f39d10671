/* Which files are there before a run, as far as its calls show. */
#include "proxy/needed_files.h"

#include "base/memory.h"
#include "model/handles/opened.h"
#include "model/reading/trace_functions.h"
#include "trace/record/builtin.h"

#include <string.h>

static struct fth_needed_file *find(struct fth_needed_files *needed, const char *path)
{
    uint32_t count = needed->paths.count, number = fth_intern(&needed->paths, path, strlen(path));
    if (number == count) {
        FTH_GROW(needed->files, count);
        needed->files[number] = (struct fth_needed_file){
            .path = fth_text_copy(path), .made = INT64_MAX, .used = INT64_MAX};
    }
    return &needed->files[number];
}

/* Does the call make its file? */
static bool makes(const struct fth_proxy_calls *kept, const struct fth_row *row)
{
    const struct fth_call *call = &kept->access.call;
    struct fth_open_mode opened = {0};
    if (!strcmp(row->kind, "name"))
        return true;
    if (strcmp(row->kind, "open") != 0)
        return false;
    fth_opened_by_row(&opened, row->opens);
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_value *value = &call->arguments[i];
        const char *words = row->fields[i].role_words;
        const struct fth_flags *flags =
            row->fields[i].role == FTH_ROLE_FLAGS
                ? fth_trace_flags(kept->context.trace, call->proc, words + strlen("flags "))
                : NULL;
        if (flags && value->type == FTH_VALUE_INTEGER)
            fth_opened_by_flags(&opened, flags, value->integer);
        if (row->fields[i].role == FTH_ROLE_STRING && !strcmp(row->fields[i].name, "mode") &&
            value->type == FTH_VALUE_TEXT)
            fth_opened_by_mode(&opened, value->text);
    }
    return opened.creation & (FTH_CREATE | FTH_TRUNCATE) || strstr(row->name, "create");
}

enum { MOST_LINES = 1 << 20 };

/* A line of text, or a part of a stream, which reads on where the last call stopped. */
static void see_stream(struct fth_needed_file *file, const struct fth_proxy_calls *kept,
                       const struct fth_row *row)
{
    const struct fth_call *call = &kept->access.call;
    if (!file->line_count)
        file->reader = call->proc;
    if (file->reader != call->proc || !call->bytes_known || !call->bytes)
        return;
    if (row->result.role == FTH_ROLE_TEXT && file->line_count < MOST_LINES) {
        FTH_GROW(file->lines, file->line_count);
        file->lines[file->line_count++] = call->bytes;
    }
    file->bytes += call->bytes;
}

void fth_needed_files_see(struct fth_needed_files *needed, struct fth_proxy_calls *kept,
                          const struct fth_row *row)
{
    const struct fth_call *call = &kept->access.call;
    if (!call->file || *call->file != '/' || call->error_number)
        return;
    struct fth_needed_file *file = find(needed, call->file);
    bool before_made = file->made == INT64_MAX;
    if (call->start < file->made && makes(kept, row))
        file->made = call->start;
    if (call->start < file->used)
        file->used = call->start;
    file->by_library |= !fth_layer_is(call->function->layer,
                                      FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS | FTH_LAYER_TOGETHER);
    file->is_folder |= !strcmp(call->function->kind, "list");
    if (call->reads && before_made && call->function->buffered &&
        fth_layer_is(call->function->layer, FTH_LAYER_STREAMS))
        see_stream(file, kept, row);
    struct fth_range range;
    while (call->reads && before_made && fth_accesses_range(kept->accesses, &range))
        if (range.offset + range.length > file->bytes)
            file->bytes = range.offset + range.length;
}

bool fth_file_is_needed(const struct fth_needed_file *file)
{
    return file->used < file->made;
}

void fth_needed_files_free(struct fth_needed_files *needed)
{
    for (uint32_t i = 0; i < needed->paths.count; i++) {
        free(needed->files[i].path);
        free(needed->files[i].lines);
    }
    free(needed->files);
    fth_intern_free(&needed->paths);
}

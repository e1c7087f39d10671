/* A run as it stands in run.json, where its trace is to go, and runs of which the spill folder is
 * left. */
#include "cmd/run/run.h"

#include "base/memory.h"
#include "base/path_text.h"
#include "base/sink.h"
#include "cmd/shared/output_file.h"
#include "base/own_folder.h"
#include "trace/record/format.h"
#include "trace/spill/part_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- texts ---- */

json_t *fth_run_text(const char *text)
{
    json_t *plain = json_string(text);
    if (plain)
        return plain;
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    for (size_t left = strlen(text), length; left; text += length, left -= length) {
        length = fth_utf8_length(text, left);
        if (length) {
            fth_sink_bytes(&sink, text, length);
            continue;
        }
        unsigned char byte = (unsigned char)*text;
        fth_sink_char(&sink, (char)(0xc0 | byte >> 6));
        fth_sink_char(&sink, (char)(0x80 | (byte & 0x3f)));
        length = 1;
    }
    json_t *made = json_stringn(sink.bytes, sink.used);
    fth_sink_close_memory(&sink);
    return made ? made : json_null();
}

/* ---- the output ---- */

/* A file that is no trace is not to be replaced. */
static int check_existing(const char *output, struct fth_error **error)
{
    char magic[8];
    int file = open(output, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, magic, sizeof magic);
    if (file >= 0)
        close(file);
    if (length > 0 &&
        (length < (ssize_t)sizeof magic || memcmp(magic, FTH_TRACE_MAGIC, sizeof magic) != 0))
        return fth_fail(error, "'%s' exists and is not a trace: choose another name with --output",
                        output);
    return 0;
}

int fth_run_check_output(const char *output, struct fth_error **error)
{
    return fth_cmd_check_output_file("the trace ", output, error) || check_existing(output, error)
               ? -1
               : 0;
}

char *fth_run_output(const char *path)
{
    char *file = fth_cmd_output_file(path), *absolute = file ? fth_path_absolute(file) : NULL;
    free(file);
    return absolute;
}

/* ---- run.json ---- */

/* Over what was there before, in one write: whoever kills us leaves the old text or the new one.
 * Blanks cover the rest of a longer one. */
static int write_privately(const char *text, const char *path)
{
    struct stat before = {0};
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    size_t length = strlen(text);
    if (file < 0)
        return -1;
    fstat(file, &before);
    size_t all = (size_t)before.st_size > length ? (size_t)before.st_size : length;
    char *covering = malloc(all);
    if (covering) {
        memset(covering, ' ', all);
        memcpy(covering, text, length);
    }
    bool written = covering && write(file, covering, all) == (ssize_t)all;
    free(covering);
    return close(file) || !written ? -1 : 0;
}

int fth_run_save(const struct fth_cmd_run *run, struct fth_error **error)
{
    json_t *all =
        json_pack("{s:o, s:o, s:I, s:I, s:O, s:O}", "output", fth_run_text(run->output), "parts",
                  fth_run_text(run->parts), "start", (json_int_t)run->start, "end",
                  (json_int_t)run->end, "blind_spots", run->blind_spots, "meta", run->meta);
    if (all && run->plugins)
        json_object_set(all, "plugins", run->plugins);
    char *path = fth_run_path_in_spill(run->spill, FTH_RUN_JSON);
    char *text = all ? json_dumps(all, JSON_INDENT(1)) : NULL;
    int result = 0;
    if (!text || !path)
        result = fth_fail(error, "out of memory");
    else if (write_privately(text, path))
        result = fth_fail_errno(error, "cannot write '%s'", path);
    free(path);
    free(text);
    json_decref(all);
    return result;
}

/* A sentence, or an object with one. */
static bool is_blind_spot(const json_t *entry)
{
    return json_is_string(json_is_object(entry) ? json_object_get(entry, "sentence") : entry);
}

/* Everything that run.json has in the form that it is written in. */
static bool is_well_formed(const struct fth_cmd_run *run)
{
    size_t i;
    const json_t *entry;
    json_array_foreach(run->blind_spots, i, entry) if (!is_blind_spot(entry)) return false;
    json_array_foreach(run->plugins, i, entry) if (!json_is_object(entry)) return false;
    return run->output && *run->output == '/' && run->parts && json_is_array(run->blind_spots) &&
           json_is_object(run->meta) && (!run->plugins || json_is_array(run->plugins)) &&
           run->start >= 0 && run->end >= 0;
}

static int take_json(struct fth_cmd_run *run, json_t *all, const char *path,
                     struct fth_error **error)
{
    json_error_t problem;
    const char *output = NULL, *parts = NULL;
    json_int_t start = 0, end = 0;
    if (json_unpack_ex(all, &problem, 0, "{s:s, s:s, s:I, s:I, s:O, s:O, s?:O}", "output", &output,
                       "parts", &parts, "start", &start, "end", &end, "blind_spots",
                       &run->blind_spots, "meta", &run->meta, "plugins", &run->plugins))
        return fth_fail(error, "'%s' does not belong to a recording: %s", path, problem.text);
    run->output = fth_text_copy(output);
    run->parts = fth_text_copy(parts);
    run->start = start;
    run->end = end;
    return is_well_formed(run) ? 0 : fth_fail(error, "'%s' does not belong to a recording", path);
}

static int say_missing(const struct fth_cmd_run *run, struct fth_error **error)
{
    char *remains = fth_run_remains(run);
    if (remains)
        fth_fail(error, "'%s' is an incomplete spill folder: %s", run->spill, remains);
    else
        fth_fail(error, "'%s' is not the spill folder of a recording: it has no " FTH_RUN_JSON,
                 run->spill);
    free(remains);
    return -1;
}

static int read_json(struct fth_cmd_run *run, int folder, const char *path,
                     struct fth_error **error)
{
    enum { MOST_BYTES = 64 << 20 };
    struct stat facts;
    json_error_t problem;
    int file = fth_own_folder_file(folder, FTH_RUN_JSON);
    if (file < 0 && faccessat(folder, FTH_RUN_JSON, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
        return say_missing(run, error);
    if (file < 0)
        return fth_fail(error, "cannot read '%s': it is not a regular file of this user", path);
    bool fits = fstat(file, &facts) == 0 && facts.st_size <= MOST_BYTES;
    json_t *all = fits ? json_loadfd(file, JSON_REJECT_DUPLICATES, &problem) : NULL;
    close(file);
    if (!fits)
        return fth_fail(error, "cannot read '%s': it is too long", path);
    if (!all)
        return fth_fail(error, "cannot read '%s': %s", path, problem.text);
    int result = take_json(run, all, path, error);
    json_decref(all);
    return result;
}

/* Files beside the trace are taken, and removed afterwards, if they are called as those of a
 * recording into this folder are: TRACE.NAME.part, the folder being fathom-NAME. */
static int check_parts(struct fth_cmd_run *run, struct fth_error **error)
{
    const char *name = strrchr(run->spill, '-'), *slash = strrchr(run->spill, '/');
    size_t length = strlen(run->parts), size = name && name > slash ? strlen(name) : 0;
    static const char ending[] = ".part";
    size_t tail = size + sizeof ending - 1;
    if (size > 1 && length > tail && run->parts[length - tail] == '.' &&
        memcmp(run->parts + length - tail + 1, name + 1, size - 1) == 0 &&
        strcmp(run->parts + length - (sizeof ending - 1), ending) == 0)
        return 0;
    struct fth_part_files files;
    fth_part_files_list(&files, run->parts);
    size_t there = files.count;
    fth_part_files_close(&files);
    if (there)
        return fth_fail(error,
                        "'%s' was renamed after the recording, and the files that MPI merged "
                        "beside the trace use the old name ('%s'): rename it back",
                        run->spill, run->parts);
    free(run->parts);
    run->parts = NULL;
    return 0;
}

bool fth_run_is_saved(const struct fth_cmd_run *run)
{
    char *path = fth_run_path_in_spill(run->spill, FTH_RUN_JSON);
    bool saved = path && access(path, F_OK) == 0;
    free(path);
    return saved;
}

int fth_run_load(struct fth_cmd_run *run, const char *spill, struct fth_error **error)
{
    struct stat status;
    if (lstat(spill, &status) != 0)
        return fth_fail_errno(error, "cannot open the spill folder '%s'", spill);
    if (!S_ISDIR(status.st_mode) && !S_ISLNK(status.st_mode))
        return fth_fail(error, "'%s' is not a folder: merge takes the spill folder of a recording",
                        spill);
    run->spill = fth_path_absolute(spill);
    int folder =
        run->spill ? fth_own_folder(AT_FDCWD, run->spill, error) : fth_fail(error, "out of memory");
    if (folder < 0)
        return -1;
    char *path = fth_run_path_in_spill(run->spill, FTH_RUN_JSON);
    int result = path ? read_json(run, folder, path, error) : fth_fail(error, "out of memory");
    free(path);
    close(folder);
    if (result == 0)
        result = check_parts(run, error);
    if (result == 0 && !run->end)
        run->end = fth_run_last_sign(run);
    return result;
}

void fth_run_free(struct fth_cmd_run *run)
{
    free(run->spill);
    free(run->output);
    free(run->parts);
    json_decref(run->meta);
    json_decref(run->blind_spots);
    json_decref(run->plugins);
    *run = (struct fth_cmd_run){0};
}

/* ---- those that are left ---- */

static void visit_folder(const char *path, fth_run_visitor *visit, void *context)
{
    struct stat status;
    struct fth_cmd_run run = {0};
    struct fth_error *error = NULL;
    if (lstat(path, &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != geteuid())
        return;
    if (fth_run_load(&run, path, &error) == 0)
        visit(&run, NULL, context);
    else if (fth_run_is_of_recording(&run))
        visit(&run, fth_error_text(error), context);
    fth_error_free(error);
    fth_run_free(&run);
}

void fth_run_visit_left(const char *parent, fth_run_visitor *visit, void *context)
{
    parent = parent ? parent : fth_run_default_parent();
    DIR *folder = opendir(parent);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char *path = strncmp(entry->d_name, "fathom-", 7) == 0
                         ? fth_run_path_in_spill(parent, entry->d_name)
                         : NULL;
        if (path)
            visit_folder(path, visit, context);
        free(path);
    }
    closedir(folder);
}

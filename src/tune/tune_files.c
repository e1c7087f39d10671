/* Files that a program writes, and the folder that has them all: see the header. */
#include "tune/tune_files.h"

#include "analysis/select/noise.h"
#include "base/memory.h"
#include "base/saturating.h"
#include "trace/record/builtin.h"

#include <string.h>

/* ---- calls ---- */

static bool is_of_system(const struct fth_frame *frame)
{
    return fth_layer_is(frame->function->layer, FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS);
}

/* They hand the kernel structures in memory. */
static bool goes_past_libc(const struct fth_frame *frame)
{
    const char *layer = frame->function->layer;
    return !strcmp(layer, "uring") || !strcmp(layer, "libaio") || !strcmp(layer, "cufile");
}

static void take_other(struct fth_indexed *files, const struct fth_frame *frame)
{
    struct fth_tune_file *other = fth_indexed_get(files, frame->file.other, 0);
    if (frame->copies) {
        other->written |= !frame->writes;
    } else { /* a name that it gives to a file */
        other->opened = true;
        other->written = true;
        other->named = true;
    }
}

void fth_tune_files_take(struct fth_indexed *files, const struct fth_frame *frame)
{
    bool past = goes_past_libc(frame);
    if (frame->file.number == FTH_NO_FILE || frame->file.to_others || frame->failed ||
        (!past && !is_of_system(frame)))
        return;
    struct fth_tune_file *file = fth_indexed_get(files, frame->file.number, 0);
    const struct fth_frame *around = fth_frame_around(frame);
    if (!around || !is_of_system(around))
        FTH_ADD_SATURATING(file->time, frame->times.all);
    file->opened |= frame->function->opens;
    file->written |= frame->writes;
    file->named |= frame->class->kind == FTH_CALLS_NAME || frame->class->kind == FTH_CALLS_DELETE;
    file->past |= past;
    if (frame->file.other != FTH_NO_FILE)
        take_other(files, frame);
}

void fth_tune_files_merge(struct fth_indexed *run, struct fth_indexed *process,
                          const uint32_t *numbers)
{
    for (uint32_t i = 0; i < process->count; i++) {
        const struct fth_tune_file *from = fth_indexed_item(process, i);
        struct fth_tune_file *to =
            fth_indexed_get(run, numbers[fth_indexed_at(process, i)->number], 0);
        FTH_ADD_SATURATING(to->time, from->time);
        to->opened |= from->opened;
        to->written |= from->written;
        to->named |= from->named;
        to->past |= from->past;
    }
    fth_indexed_free(process);
}

/* ---- the program's own files ---- */

static const char *path_of(const struct fth_indexed *run, const struct fth_survey_file *files,
                           uint32_t place)
{
    return files[fth_indexed_at(run, place)->number].path;
}

static bool is_its_own(const struct fth_indexed *run, const struct fth_survey_file *files,
                       uint32_t place)
{
    const struct fth_tune_file *file = fth_indexed_item(run, place);
    const struct fth_survey_file *known = &files[fth_indexed_at(run, place)->number];
    return file->opened && !known->noise && !fth_analysis_is_of_session(known->path);
}

int64_t fth_tune_files_time(const struct fth_indexed *run, const struct fth_survey_file *files)
{
    int64_t time = 0;
    for (uint32_t i = 0; i < run->count; i++)
        if (is_its_own(run, files, i))
            FTH_ADD_SATURATING(time, ((struct fth_tune_file *)fth_indexed_item(run, i))->time);
    return time;
}

/* How long the beginning is that both have, in whole folders, without the slash behind it. */
static size_t common(const char *folder, size_t length, const char *path)
{
    size_t same = 0;
    for (size_t i = 0; i < length && folder[i] == path[i]; i++)
        if (path[i + 1] == '/' && (i + 1 == length || folder[i + 1] == '/'))
            same = i + 1;
    return same;
}

static bool is_below(const char *path, const char *folder, size_t length)
{
    return !strncmp(path, folder, length) && path[length] == '/';
}

/* A folder that the run makes or removes itself is not there all the time: one above it is. */
static size_t above_named(const struct fth_indexed *run, const struct fth_survey_file *files,
                          const char *folder, size_t length)
{
    size_t shortest = length;
    for (uint32_t i = 0; i < run->count; i++) {
        const char *path = path_of(run, files, i);
        size_t size = strlen(path);
        if (!((struct fth_tune_file *)fth_indexed_item(run, i))->named || *path != '/' ||
            size > shortest || strncmp(folder, path, size) != 0 ||
            (size < length && folder[size] != '/'))
            continue;
        shortest = (size_t)(strrchr(path, '/') - path);
    }
    return shortest;
}

/* What lies there that must not be in another file system; NULL: nothing. */
static const char *hinders(const struct fth_indexed *run, const struct fth_survey_file *files,
                           const char *folder, size_t length)
{
    for (uint32_t i = 0; i < run->count; i++) {
        const struct fth_tune_file *file = fth_indexed_item(run, i);
        const char *path = path_of(run, files, i);
        if (!is_below(path, folder, length))
            continue;
        if (file->past)
            return "it uses io_uring, libaio or cuFile on them";
        if (fth_analysis_is_of_session(path) && !fth_analysis_is_lock_test(path))
            return "the launcher and the MPI library have files in the same folder";
    }
    return NULL;
}

char *fth_tune_files_folder(const struct fth_indexed *run, const struct fth_survey_file *files,
                            const char **why)
{
    const char *folder = NULL;
    size_t length = 0;
    for (uint32_t i = 0; i < run->count; i++) {
        const char *path = path_of(run, files, i);
        if (!is_its_own(run, files, i) || *path != '/' ||
            !((struct fth_tune_file *)fth_indexed_item(run, i))->written)
            continue;
        length = folder ? common(folder, length, path) : (size_t)(strrchr(path, '/') - path);
        folder = path;
    }
    length = folder ? above_named(run, files, folder, length) : 0;
    *why = !folder   ? "the program writes no files that it opens itself"
           : !length ? "the files that the program writes do not lie below one folder"
                     : hinders(run, files, folder, length);
    return *why ? NULL : fth_text_part(folder, length);
}

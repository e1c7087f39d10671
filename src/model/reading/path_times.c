/* Going through the calls of a process for the times of its files: each call adds its duration to
 * the file that it is about, unless it is inside one that did (trace/merge/walk_sums.c). */
#include "model/reading/path_times.h"

#include "base/memory.h"
#include "model/reading/thread.h"
#include "trace/state/call_path.h"
#include "trace/record/spill.h"

#include <inttypes.h>

struct adding {
    const struct fth_trace *trace;
    struct fth_part_process *sums;
    uint32_t *place_of; /* by text of the sums: place of the path's sum, + 1 */
    struct fth_share share;
    struct fth_process_names names;
    struct fth_bytes path;
};

static void find_places(struct adding *adding)
{
    const struct fth_part_process *sums = adding->sums;
    adding->place_of = fth_new(sums->texts.count, sizeof *adding->place_of);
    for (size_t i = 0; i < sums->path_count; i++)
        adding->place_of[sums->paths[i].path] = (uint32_t)i + 1;
}

static int add_call(struct adding *adding, const struct fth_thread_reader *reader,
                    const struct fth_raw_call *call, struct fth_error **error)
{
    struct fth_path_parts parts;
    uint32_t text;
    if (!fth_call_path(&reader->state, call->meaning, call->values, adding->sums->facts.directory,
                       &parts))
        return 0;
    fth_path_join(&parts, &adding->path);
    if (!fth_intern_find(&adding->sums->texts, adding->path.data, adding->path.length, &text) ||
        !adding->place_of[text])
        return fth_fail(error, "it has calls about a file without a sum");
    if (!(call->flags & FTH_INSIDE_FILE_CALL))
        adding->sums->paths[adding->place_of[text] - 1].time +=
            (call->exit - call->entry) / reader->quantum;
    return 0;
}

static int add_track(struct adding *adding, const struct fth_stretch *stretch,
                     struct fth_error **error)
{
    struct fth_thread_reader reader;
    struct fth_raw_call call;
    int status;
    fth_thread_reader_open(&reader, adding->trace, &adding->names, stretch, 1);
    while ((status = fth_thread_reader_next(&reader, &call, error)) > 0)
        if (add_call(adding, &reader, &call, error)) {
            status = -1;
            break;
        }
    fth_thread_reader_close(&reader);
    return status;
}

int fth_model_add_path_times(const struct fth_trace *trace, const struct fth_stored_part *part,
                             uint32_t index, struct fth_part_process *sums,
                             struct fth_error **error)
{
    struct adding adding = {.trace = trace, .sums = sums, .share.part = part};
    const struct fth_part_process *calls = &adding.share.stored;
    if (fth_stored_part_process(part, index, &adding.share.stored, error))
        return -1;
    adding.share.templates = fth_new(part->strings.count, sizeof *adding.share.templates);
    fth_process_names_init(&adding.names);
    find_places(&adding);
    struct fth_stretch stretch = {.share = &adding.share,
                                  .frames = part->processes[index].frames};
    int status = 0;
    for (size_t i = 0; i < calls->track_count && status == 0; i++) {
        stretch.track = &calls->tracks[i];
        status = add_track(&adding, &stretch, error);
        stretch.frames += fth_track_bytes(stretch.track);
    }
    fth_process_names_free(&adding.names);
    free(adding.share.templates);
    free(adding.place_of);
    fth_bytes_free(&adding.path);
    fth_part_process_free(&adding.share.stored);
    return status < 0 ? fth_fail_in(error, "process %" PRIu32, index) : 0;
}

/* A trace file is open only while a piece of it is written: a process may have many threads. */
#include "export/hdtrace/trace_file.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };

static bool write_all(int file, const char *bytes, size_t length)
{
    while (length) {
        ssize_t written = write(file, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

static void flush(struct fth_hdtrace_file *to, struct fth_error **error)
{
    int file = open(to->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    bool good = file >= 0 && write_all(file, to->text.bytes, to->text.used);
    if (file >= 0)
        good = close(file) == 0 && good;
    if (!good && error && !*error)
        fth_fail_errno(error, "cannot write '%s'", to->path);
    to->text.used = 0;
}

void fth_hdtrace_file_begin(struct fth_hdtrace_file *file, char *path)
{
    file->path = path;
    file->known.size = sizeof(uint64_t);
    fth_sink_open_memory(&file->text);
}

static void leave(struct fth_hdtrace_file *file)
{
    struct fth_hdtrace_frame *frame = &file->frames[--file->frame_count];
    if (frame->has_nested)
        fth_sink_text(&file->text, "</Nested>\n");
    fth_sink_bytes(&file->text, frame->state.bytes, frame->state.used);
}

/* Calls that are over when this one begins; NULL: all. */
static void leave_before(struct fth_hdtrace_file *file, const struct fth_call *call)
{
    while (file->frame_count) {
        const struct fth_hdtrace_frame *top = &file->frames[file->frame_count - 1];
        bool is_parent = call && call->parent == top->number && call->parent_thread == call->thread;
        if (is_parent || (call && top->depth < call->depth && top->end > call->start))
            break;
        leave(file);
    }
}

struct fth_sink *fth_hdtrace_file_enter(struct fth_hdtrace_file *file, const struct fth_call *call,
                                        struct fth_error **error)
{
    leave_before(file, call);
    if (file->frame_count && !file->frames[file->frame_count - 1].has_nested) {
        fth_sink_text(&file->text, "<Nested>\n");
        file->frames[file->frame_count - 1].has_nested = true;
    }
    if (file->text.used >= PIECE)
        flush(file, error);
    file->frames =
        fth_reach(file->frames, &file->frame_limit, file->frame_count, sizeof *file->frames);
    struct fth_hdtrace_frame *frame = &file->frames[file->frame_count++];
    if (!frame->state.drain)
        fth_sink_open_memory(&frame->state);
    frame->state.used = 0;
    frame->number = call->number;
    frame->end = call->end;
    frame->depth = call->depth;
    frame->has_nested = false;
    return &frame->state;
}

void fth_hdtrace_file_end(struct fth_hdtrace_file *file, struct fth_error **error)
{
    if (!file->path)
        return;
    leave_before(file, NULL);
    fth_sink_text(&file->text, "</Program>\n");
    flush(file, error);
    fth_sink_close_memory(&file->text);
    for (uint32_t i = 0; i < file->frame_limit; i++)
        if (file->frames[i].state.drain)
            fth_sink_close_memory(&file->frames[i].state);
    free(file->frames);
    fth_keyed_free(&file->known);
    free(file->directory);
    free(file->path);
}

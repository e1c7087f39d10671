/* What stdio does to the descriptors underneath its streams: the buffers that it fills and empties
 * inside fread, fwrite, fflush, fseek, fclose, exit and all the others. libc calls the functions
 * below in place of its own (interpose/reach/stdio_tables.h), so every byte is seen where it moves,
 * also when nobody calls a function for it, as at the end of the program. */
#include "capture/wrap/stdio.h"

#include "calls.h"
#include "capture/life/begin.h"
#include "capture/life/life.h"
#include "capture/wrap/contents.h"
#include "interpose/own/below.h"
#include "interpose/own/own_memory.h"
#include "interpose/reach/stdio_tables.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef ssize_t transfer_function(FILE *stream, void *bytes, ssize_t count);
typedef off64_t seek_function(FILE *stream, off64_t distance, int whence);
typedef int close_function(FILE *stream);

static transfer_function *real_read, *real_write; /* what the tables held */
static seek_function *real_seek;
static close_function *real_close, *real_close_pipe;
static int (*real_stat)(FILE *, void *);
/* what is called in place of it: that, or what stands below (interpose/own/below.h) */
static transfer_function *next_read, *next_write;
static seek_function *next_seek;
static close_function *next_close, *next_close_pipe;
static int (*next_stat)(FILE *, void *);

bool fth_stdio_is_seen;

/* ---- where a descriptor's position is ---- */

enum {
    DESCRIPTORS = 65536,
    APPENDS = 0x1000, /* in _flags of a stream: each write goes to the end of the file (libio.h) */
    NOT_KNOWN = -1,
    NOWHERE = -2, /* a pipe, a socket, a terminal */
};

/* What is known of a stream's descriptor. `position` follows from the reads, writes and seeks here
 * as long as nobody but the stream can move it; otherwise the system is asked after each of
 * them. */
struct place {
    const FILE *stream;
    uint32_t generation; /* of the descriptor's binding */
    uint32_t copies;     /* of this process when it was opened */
    int64_t position;
    bool is_own; /* no other stream, process or part of the program has the descriptor */
};

static struct fth_memory_table places = {.most = DESCRIPTORS, .size = sizeof(struct place)};
static uint32_t copies;

static struct place *place_of(const FILE *stream)
{
    int descriptor = stream->_fileno;
    if (descriptor < 0 || !fth_table_reach(&places, (size_t)descriptor))
        return NULL;
    struct place *place = (struct place *)places.start + descriptor;
    uint32_t generation = fth_descriptor_generation(FTH_CLASS_fd, descriptor);
    if (place->stream != stream || place->generation != generation)
        *place = (struct place){stream, generation, copies, NOT_KNOWN, false};
    return place;
}

void fth_stdio_opened(const void *stream, bool is_own)
{
    struct place *place = place_of(stream);
    if (place)
        *place = (struct place){stream, place->generation, copies, NOT_KNOWN, is_own};
}

void fth_stdio_shared(int descriptor)
{
    if (descriptor >= 0 && (size_t)descriptor < places.count)
        ((struct place *)places.start)[descriptor].is_own = false;
    fth_descriptor_is_taken_out(descriptor);
}

bool fth_stream_has_failed(FILE *stream)
{
    return ferror_unlocked(stream);
}

void fth_stdio_copied(void)
{
    copies++;
}

static int64_t ask_position(int descriptor)
{
    int before = errno;
    int64_t position = syscall(SYS_lseek, descriptor, 0, SEEK_CUR);
    if (position < 0)
        position = errno == ESPIPE ? NOWHERE : NOT_KNOWN;
    errno = before;
    return position;
}

/* The position of the first of `moved` bytes that have just been read or written; -1: there is
 * none. `to_end`: wherever that was. */
static int64_t start_of(const FILE *stream, int64_t moved, bool to_end)
{
    struct place *place = place_of(stream);
    struct place unknown = {.position = NOT_KNOWN};
    if (!place)
        place = &unknown;
    if (place->position == NOWHERE)
        return -1;
    bool is_known = place->is_own && place->copies == copies && place->position >= 0 && !to_end;
    place->position = is_known ? place->position + moved : ask_position(stream->_fileno);
    return place->position < moved ? -1 : place->position - moved;
}

/* ---- the wrappers ---- */

/* Looks the stream's descriptor up. False: the filters leave it out, and nothing has been kept. */
static bool begin(struct fth_draft *call, int descriptor)
{
    int32_t slot = fth_find_descriptor(FTH_CLASS_fd, descriptor);
    if (slot == FTH_EXCLUDED) {
        fth_pass(call);
        return false;
    }
    fth_note_binding(call, FTH_CLASS_fd, slot);
    fth_about(call, fth_class_ordinals[FTH_CLASS_fd], slot);
    return true;
}

static void end_transfer(struct fth_draft *call, const FILE *stream, ssize_t asked, ssize_t moved,
                         bool to_end)
{
    int64_t offset = start_of(stream, moved > 0 ? moved : 0, to_end);
    call->asked = asked;
    fth_keep(call, call->site);
    fth_keep(call, asked);
    fth_keep_offset(call, offset, asked);
    fth_keep_moved(call, moved, false);
    fth_commit_data(call, moved);
    fth_process_goes_on();
}

/* The same for a transfer that the filters leave out. */
static ssize_t end_excluded(void (*passed)(struct fth_draft *, int64_t), struct fth_draft *call,
                            ssize_t moved)
{
    passed(call, moved);
    fth_process_goes_on();
    return moved;
}

static ssize_t read_below(FILE *stream, void *bytes, ssize_t count)
{
    struct fth_draft call;
    if (!fth_begin(&call, FTH_CALL_stdio_read, FTH_CONTEXT_stdio_read))
        return next_read(stream, bytes, count);
    if (!begin(&call, stream->_fileno))
        return end_excluded(fth_passed_read, &call, next_read(stream, bytes, count));
    fth_start(&call);
    ssize_t result = next_read(stream, bytes, count);
    fth_end(&call);
    end_transfer(&call, stream, count, result, false);
    return result;
}

/* libc's function writes until all is written or a write fails, and returns how much was; never
 * less than 0. */
static ssize_t write_below(FILE *stream, void *bytes, ssize_t count)
{
    struct fth_draft call;
    if (!fth_begin(&call, FTH_CALL_stdio_write, FTH_CONTEXT_stdio_write))
        return next_write(stream, bytes, count);
    if (!begin(&call, stream->_fileno))
        return end_excluded(fth_passed_write, &call, next_write(stream, bytes, count));
    struct fth_contents contents = {0, 0};
    if (FTH_UNLIKELY(fth_contents_are_kept) && count > 0)
        contents = fth_contents_of(call.recorder, &(struct iovec){bytes, (size_t)count}, 1);
    fth_start(&call);
    ssize_t result = next_write(stream, bytes, count);
    fth_end(&call);
    fth_contents_note(call.recorder, (uint32_t)(call.head >> 16) & 0xff, &contents, result);
    end_transfer(&call, stream, count, result == 0 && count > 0 ? -1 : result,
                 (stream->_flags & APPENDS) != 0);
    return result;
}

static off64_t seek_below(FILE *stream, off64_t distance, int whence)
{
    struct fth_draft call;
    if (!fth_begin(&call, FTH_CALL_stdio_seek, FTH_CONTEXT_stdio_seek) ||
        !begin(&call, stream->_fileno))
        return next_seek(stream, distance, whence);
    fth_start(&call);
    off64_t result = next_seek(stream, distance, whence);
    fth_end(&call);
    struct place *place = place_of(stream);
    if (place && result >= 0)
        place->position = result;
    fth_keep(&call, call.site);
    fth_keep_distance(&call, distance, whence);
    fth_keep(&call, whence);
    fth_keep_position(&call, result);
    fth_commit(&call);
    return result;
}

static int close_below(FILE *stream)
{
    struct fth_draft call;
    int descriptor = stream->_fileno;
    if (!fth_begin(&call, FTH_CALL_stdio_close, FTH_CONTEXT_stdio_close))
        return next_close(stream);
    bool wanted = begin(&call, descriptor);
    fth_close_descriptor(FTH_CLASS_fd, descriptor);
    if (!wanted)
        return next_close(stream);
    fth_start(&call);
    int result = next_close(stream);
    fth_end(&call);
    fth_keep(&call, call.site);
    fth_keep(&call, result < 0 ? fth_failure(&call) : result);
    fth_commit(&call);
    return result;
}

/* pclose also waits for the command: it is no close of a file, but the descriptor is given up. */
static int close_pipe_below(FILE *stream)
{
    if (!fth_vforked && fth_process)
        fth_close_descriptor(FTH_CLASS_fd, stream->_fileno);
    return next_close_pipe(stream);
}

/* Where a stream ends, for fseek. */
static int stat_below(FILE *stream, void *facts)
{
    return next_stat(stream, facts);
}

/* ---- libc's tables ---- */

static const struct fth_stdio_entry entries[] = {
    {"_IO_file_read", (void *)read_below, (void **)&real_read},
    {"_IO_file_write", (void *)write_below, (void **)&real_write},
    {"_IO_file_seek", (void *)seek_below, (void **)&real_seek},
    {"_IO_file_close", (void *)close_below, (void **)&real_close},
    {"_IO_proc_close", (void *)close_pipe_below, (void **)&real_close_pipe},
    {"_IO_file_stat", (void *)stat_below, (void **)&real_stat},
};
static void **const next[] = {(void **)&next_read,  (void **)&next_write,      (void **)&next_seek,
                              (void **)&next_close, (void **)&next_close_pipe, (void **)&next_stat};
enum { ENTRIES = sizeof entries / sizeof *entries };

/* The tables lead to us as soon as one of them has been replaced. */
static void find_next(unsigned i, void *real)
{
    *next[i] = fth_below_instead(entries[i].name, real);
}

bool fth_stdio_see(void)
{
    fth_stdio_is_seen = fth_stdio_replace(entries, ENTRIES, find_next);
    return fth_stdio_is_seen;
}

void fth_stdio_unsee(void)
{
    if (fth_stdio_is_seen)
        fth_stdio_restore(entries, ENTRIES);
}

/* The calls of one thread of an imported trace, as a stream of a spill folder: what the recorder
 * would have written. So the merge makes a trace of it like of any recording, and memory is bounded
 * by what is packed at a time. Values are given as the program passed them; predictions, symbols
 * and literal columns are made here. */
#ifndef FTH_IMPORT_SHARED_IMPORTED_STREAM_H
#define FTH_IMPORT_SHARED_IMPORTED_STREAM_H

#include "base/intern.h"
#include "catalog/values.h"
#include "import/shared/imported_folder.h"

struct fth_imported_stream;

/* `base`: ticks before which no call of it begins. */
struct fth_imported_stream *fth_imported_stream_new(struct fth_imported_folder *folder,
                                                    uint64_t image, unsigned number, int64_t tid,
                                                    uint64_t base);
/* Writes what is left, and frees it. */
void fth_imported_stream_close(struct fth_imported_stream *stream);

/* Before the texts of each call. */
void fth_imported_stream_begin(struct fth_imported_stream *stream);
/* A text or list of the call, as a value of it. */
int64_t fth_imported_stream_text(struct fth_imported_stream *stream, const void *bytes,
                                 size_t length);
struct fth_imported_call {
    uint32_t function;
    uint32_t depth, flags; /* flags: FTH_INSIDE_... of trace/record/spill.h */
    bool holds;            /* the call of this thread before it was made inside it */
    uint64_t entry, exit;  /* ticks; what begins before the last call ended begins there */
};
/* Flags of a call of `row` inside one of `outer`; NULL: a region of the application. */
uint32_t fth_imported_flags_inside(const struct fth_row *row, const struct fth_row *outer);
/* `values` are those of the function's row (fth_plan_values), and are changed. */
void fth_imported_stream_call(struct fth_imported_stream *stream,
                              const struct fth_imported_call *call, int64_t *values);
/* From here on this slot of class `class_name` is bound to this path; its cursor begins at 0. */
void fth_imported_stream_bind(struct fth_imported_stream *stream, const char *class_name,
                              int64_t slot, int64_t number, const char *path, size_t length);
/* Other notes of the tracer: which function, and their values. */
void fth_imported_stream_note(struct fth_imported_stream *stream, uint32_t function,
                              int64_t *values);
/* The number of its thread, where it was not known at first. */
void fth_imported_stream_is_of(struct fth_imported_stream *stream, int64_t tid);

/* The function of the built-in catalogue with this name; UINT32_MAX: there is none. */
uint32_t fth_imported_function(const char *name, size_t length);

#endif

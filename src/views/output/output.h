/* Where a view writes: a file or the standard output, through a buffer, with or without
 * colours. Writing never fails in the middle of a view: a failure is kept and returned by
 * fth_views_close. If the reader has gone (`| head`), that is not a failure, but `stopped` says
 * that no more output is needed. */
#ifndef FTH_VIEWS_OUTPUT_H
#define FTH_VIEWS_OUTPUT_H

#include "base/error.h"
#include "base/sink.h"

struct fth_style {
    bool colour;
    bool unicode;
    size_t width; /* columns of the terminal; 0: no terminal, lines may be of any length */
};

struct fth_output {
    struct fth_sink sink; /* what views write to */
    struct fth_style style;
    const char *path; /* borrowed; NULL: the standard output */
    int descriptor, error_number;
    bool reader_left;
    char buffer[1 << 16];
};

/* -1: `path` is one of `inputs` (paths, ended by NULL), which would be destroyed. */
int fth_views_check_output(const char *path, const char *const *inputs, struct fth_error **error);

/* Opens `path` for writing, or the standard output for NULL and "-". It must not be one of `inputs`
 * (paths, ended by NULL), which would be destroyed while they are read. Returns 0, or -1 with
 * *error set. SIGPIPE must be ignored. */
int fth_views_open(struct fth_output *output, const char *path, const char *const *inputs,
                   struct fth_error **error);
/* Writes to a file that is open already. */
void fth_views_open_file(struct fth_output *output, int descriptor, const char *path);
/* Writes what is left. Returns 0, or -1 with *error set when anything could not be written. */
int fth_views_finish(struct fth_output *output, struct fth_error **error);
/* Writes what is left and closes. Returns 0, or -1 with *error set when anything could not be
 * written. */
int fth_views_close(struct fth_output *output, struct fth_error **error);

/* Nothing more can be written: time to stop. */
static inline bool fth_views_stopped(const struct fth_output *output)
{
    return output->sink.failed;
}

void fth_views_print(struct fth_output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Colours: a name for what the text is, nothing where colours are off. */
enum fth_paint {
    FTH_PAINT_PLAIN,
    FTH_PAINT_TITLE,
    FTH_PAINT_QUIET,
    FTH_PAINT_GOOD,
    FTH_PAINT_WARNING,
    FTH_PAINT_BAD,
    FTH_PAINT_NAME,
    FTH_PAINT_BAR,
};
/* Switches to this paint; PLAIN ends it. */
void fth_views_paint(struct fth_output *output, enum fth_paint paint);

#endif

/* One column of shapes as bytes, and back: numbers of things, as a line, as lines or stairs that
 * repeat, or packed. */
#ifndef FTH_TRACE_FILE_SHAPE_COLUMNS_H
#define FTH_TRACE_FILE_SHAPE_COLUMNS_H

#include "base/error.h"
#include "base/intern.h"
#include "trace/columns/columns.h"
#include "trace/columns/progressions.h"

struct fth_grammar;
struct fth_rules;

/* The numbers of one column, and whose they are. */
struct fth_listed {
    const uint32_t *things;
    const int64_t *numbers;
    uint32_t count;
};

/* What writing needs again and again. */
struct fth_column_writer {
    void *memory; /* of the grammar */
    struct fth_grammar *grammar;
    struct fth_intern lines; /* each as it stands in the section */
    struct fth_bytes best, one, order;
};
void fth_column_writer_open(struct fth_column_writer *writer);
void fth_column_writer_close(struct fth_column_writer *writer);
/* `lines`: the same numbers. */
void fth_shape_column_put(struct fth_column_writer *writer, const struct fth_listed *listed,
                          const struct fth_lines *lines, struct fth_bytes *to);

struct fth_read_column {
    int64_t slope, intercept;
    struct fth_line *lines; /* folded: count, step, and first at thing 0; of stairs nothing */
    struct fth_rules *rules;
    struct fth_packed_column packed;
    uint8_t method;
};
/* A column of `members` numbers, at `view`. */
int fth_shape_column_read(struct fth_read_column *column, struct fth_view *view, uint32_t members,
                          struct fth_error **error);
/* The number of a thing, which is the member of this number. */
int64_t fth_shape_column_at(const struct fth_read_column *column, uint32_t thing, uint32_t member);
void fth_shape_column_free(struct fth_read_column *column);

#endif

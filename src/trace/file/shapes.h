/* Things that are alike: processes that did the same but for some numbers. What they have in common
 * is their *shape* (bytes); the numbers in which they differ are rows of a table, and each column
 * of it is, for programs that give each rank its part, a line or a few: a * rank + b. So a thousand
 * alike cost what one costs.
 *
 * In memory a column is a list of lines, which grows as things are added and as tables are
 * absorbed, in order of things. In a trace it is one line, or lines that repeat (a stencil's
 * borders), folded by a grammar, or, where there is no rule in it, bytes (docs/format.md, SHAP). */
#ifndef FTH_TRACE_FILE_SHAPES_H
#define FTH_TRACE_FILE_SHAPES_H

#include "base/error.h"
#include "base/intern.h"
#include "trace/file/column_keys.h"
#include "trace/file/shape_columns.h"

struct fth_process_shape {
    uint32_t member_count, column_count;
    struct fth_lines members; /* thing by number of the member */
    struct fth_lines *columns;
    struct fth_line *first_lines; /* of each column: most have no other one */
};
struct fth_shapes {
    struct fth_intern names; /* shapes as bytes */
    struct fth_process_shape *shapes;
    uint32_t shape_limit;
    uint32_t count; /* things, numbered from 0 */
};
/* The number of this shape, which may be new. */
uint32_t fth_shapes_name(struct fth_shapes *shapes, const void *shape, size_t length);
void fth_shapes_add(struct fth_shapes *shapes, const void *shape, size_t length,
                    const int64_t *numbers, uint32_t number_count);
/* Adds all of `from` behind what is there; shape i of it is shape map[i]. */
void fth_shapes_absorb(struct fth_shapes *into, const struct fth_shapes *from, const uint32_t *map);
void fth_shapes_free(struct fth_shapes *shapes);
/* The things of a shape, in order of its members; to be freed. And their numbers in a column. */
uint32_t *fth_shape_things(const struct fth_process_shape *shape);
void fth_lines_list(const struct fth_lines *lines, const uint32_t *things, int64_t *numbers);
/* For a message from rank to rank, and back. */
void fth_shapes_send(const struct fth_shapes *shapes, struct fth_bytes *to);
bool fth_shapes_receive(struct fth_shapes *shapes, struct fth_view *from);

/* As section SHAP. With terms, shapes of few members that are kin share columns. */
void fth_shapes_write(const struct fth_shapes *shapes, const struct fth_shape_terms *terms,
                      struct fth_bytes *to);

/* Reading one: any thing's numbers without touching those of others. */
struct fth_read_shape {
    const uint8_t *bytes;
    size_t length;
    uint8_t *made; /* the bytes, where they were described by those of another shape; else NULL */
    uint32_t member_count, column_count;
    uint32_t group; /* of shapes that share columns; 0: none */
    enum fth_sharing sharing;
    struct fth_read_column *columns; /* its own */
};
struct fth_shape_reader {
    struct fth_read_shape *shapes;
    uint32_t shape_count, count;    /* things */
    uint32_t *shape_of, *member_of; /* by thing */
    uint64_t made_bytes;            /* of shapes */
    int64_t **rows;                 /* by thing: numbers from shared columns; NULL: none are */
};
/* The bytes must outlive the reader. `most` things at most. Without terms, no columns are shared:
 * so it was before version 7. */
int fth_shapes_read(struct fth_shape_reader *reader, const struct fth_shape_terms *terms,
                    const void *bytes, size_t length, uint32_t most, struct fth_error **error);
void fth_shape_reader_free(struct fth_shape_reader *reader);
/* column_count of its shape of them. */
void fth_shape_numbers(const struct fth_shape_reader *reader, uint32_t thing, int64_t *numbers);
/* The same numbers where the reader has put them together; or NULL. */
const int64_t *fth_shape_row(const struct fth_shape_reader *reader, uint32_t thing);

#endif

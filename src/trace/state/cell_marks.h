/* Marks: what literals brought into the cells of a thread (effect.h), kept with the block that has
 * the literals. A reader that starts in the middle finds by composing which call a cell's value
 * comes from; the value itself is the mark of that cell in that call's block.
 *
 * A block has the mark of each cell that one of its calls brought a literal into: what the cell
 * held after the last such call. Of bindings it has those that a name with a literal number was
 * bound to, or a name with a number whose place was marked before in the same block. */
#ifndef FTH_TRACE_STATE_CELL_MARKS_H
#define FTH_TRACE_STATE_CELL_MARKS_H

#include "trace/state/effect.h"

/* More bytes are not kept; then a reader goes through the calls from the thread's beginning. */
enum { FTH_MARKS_MOST_BYTES = 1 << 20 };

struct fth_mark {
    /* END, VIEW, PLACE or BINDING; of a place that has been read: without `which` */
    struct fth_state_cell cell;
    int64_t value; /* of a binding: the descriptor minus the slot */
    /* A place is that of a number of a name of a terminal: numbers of strings change when parts
     * become one. */
    uint32_t terminal, name, number;
    /* Of a binding: of its name. */
    unsigned count;
    int64_t numbers[FTH_NAME_NUMBERS];
};

/* Of a thread that is being walked through. */
struct fth_marks {
    struct fth_cells cells;
    struct fth_mark *marks; /* by cell */
    uint64_t *blocks;       /* in which block the cell was marked last, from 1 */
    uint32_t room;
    uint32_t *marked; /* cells, in this block */
    uint32_t marked_count;
    uint64_t block; /* - 1: those that have been put out */
};
/* `cell`: a place has its number in the process; the mark that is returned is to be filled in, but
 * for its cell. */
struct fth_mark *fth_marks_add(struct fth_marks *marks, struct fth_state_cell cell);
bool fth_marks_has(struct fth_marks *marks, struct fth_state_cell cell);
/* Appends the marks of the block that ends here. */
void fth_marks_put(struct fth_marks *marks, struct fth_bytes *to);
void fth_marks_free(struct fth_marks *marks);

/* The next one of a block. False: damaged. */
bool fth_mark_read(struct fth_view *view, struct fth_mark *mark);

#endif

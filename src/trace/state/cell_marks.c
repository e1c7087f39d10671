/* Marks of blocks: gathered, written, read. */
#include "trace/state/cell_marks.h"

#include "base/memory.h"

struct fth_mark *fth_marks_add(struct fth_marks *marks, struct fth_state_cell cell)
{
    uint32_t number = fth_cell_number(&marks->cells, cell), room = marks->room;
    if (number >= room) {
        uint32_t more = room;
        marks->marks = fth_reach(marks->marks, &more, number, sizeof *marks->marks);
        more = room;
        marks->blocks = fth_reach(marks->blocks, &more, number, sizeof *marks->blocks);
        marks->room = more;
    }
    if (marks->blocks[number] != marks->block + 1) {
        FTH_GROW(marks->marked, marks->marked_count);
        marks->marked[marks->marked_count++] = number;
        marks->blocks[number] = marks->block + 1;
        marks->marks[number].cell = cell;
    }
    return &marks->marks[number];
}

bool fth_marks_has(struct fth_marks *marks, struct fth_state_cell cell)
{
    uint32_t number = fth_cell_number(&marks->cells, cell);
    return number < marks->room && marks->blocks[number] == marks->block + 1;
}

/* Kind, class (of the working directory's binding 0, else + 1), which; then what the kind needs. */
static void put_mark(const struct fth_mark *mark, struct fth_bytes *to)
{
    fth_bytes_varint(to, mark->cell.kind);
    if (mark->cell.kind == FTH_CELL_PLACE) {
        fth_bytes_varint(to, mark->terminal);
        fth_bytes_varint(to, mark->name);
        fth_bytes_varint(to, mark->number);
        fth_bytes_signed(to, mark->value);
        return;
    }
    fth_bytes_varint(to, (uint32_t)(mark->cell.class_index + 1));
    fth_bytes_varint(to, mark->cell.which);
    fth_bytes_signed(to, mark->value);
    if (mark->cell.kind != FTH_CELL_BINDING)
        return;
    fth_bytes_varint(to, mark->count);
    for (unsigned i = 0; i < mark->count; i++)
        fth_bytes_signed(to, mark->numbers[i]);
}

void fth_marks_put(struct fth_marks *marks, struct fth_bytes *to)
{
    size_t before = to->length;
    for (uint32_t i = 0; i < marks->marked_count; i++)
        put_mark(&marks->marks[marks->marked[i]], to);
    if (to->length - before > FTH_MARKS_MOST_BYTES)
        to->length = before;
    marks->marked_count = 0;
    marks->block++;
}

void fth_marks_free(struct fth_marks *marks)
{
    fth_cells_free(&marks->cells);
    free(marks->marks);
    free(marks->blocks);
    free(marks->marked);
    *marks = (struct fth_marks){0};
}

static uint32_t narrow(struct fth_view *view)
{
    uint64_t value = fth_view_varint(view);
    view->failed |= value > UINT32_MAX;
    return (uint32_t)value;
}

bool fth_mark_read(struct fth_view *view, struct fth_mark *mark)
{
    *mark = (struct fth_mark){.cell = {.kind = narrow(view)}};
    if (mark->cell.kind == FTH_CELL_PLACE) {
        mark->terminal = narrow(view);
        mark->name = narrow(view);
        mark->number = narrow(view);
        mark->value = fth_view_signed(view);
        return !view->failed;
    }
    mark->cell.class_index = narrow(view) - 1;
    mark->cell.which = narrow(view);
    mark->value = fth_view_signed(view);
    if (mark->cell.kind > FTH_CELL_BINDING || mark->cell.kind == FTH_CELL_PLACE)
        view->failed = true;
    if (mark->cell.kind != FTH_CELL_BINDING)
        return !view->failed;
    mark->count = narrow(view);
    if (mark->count > FTH_NAME_NUMBERS)
        view->failed = true;
    for (unsigned i = 0; i < mark->count && !view->failed; i++)
        mark->numbers[i] = fth_view_signed(view);
    return !view->failed;
}

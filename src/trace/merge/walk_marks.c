/* Marks of a call that is being walked through: what its literals brought into the state, for
 * readers that start behind it (cell_marks.h). */
#include "trace/merge/walk_marks.h"

static void mark_cursor(struct fth_walk *walk, const struct fth_meaning *meaning, unsigned which,
                        const int64_t *values)
{
    int64_t slot = values[meaning->about.handle];
    struct fth_state_cell cell = {FTH_CELL_END, (uint32_t)meaning->about.handle_class,
                                  (uint32_t)slot, 0};
    const struct fth_cursor_state *cursor =
        fth_state_cursor(&walk->state, meaning->about.handle_class, slot);
    if (cursor && which & FTH_MARKS_END)
        fth_marks_add(&walk->marks, cell)->value = cursor->end;
    cell.kind = FTH_CELL_VIEW;
    if (cursor && which & FTH_MARKS_VIEW)
        fth_marks_add(&walk->marks, cell)->value = cursor->view;
}

static void mark_places(struct fth_walk *walk, uint32_t terminal, int which, uint32_t string)
{
    const struct fth_template *template = fth_walk_template(walk, string);
    for (unsigned i = 0; template->bytes[0] == FTH_TEMPLATE_NUMBERS && i < template->count; i++) {
        uint32_t place = template->places[i];
        struct fth_mark *mark =
            fth_marks_add(&walk->marks, (struct fth_state_cell){FTH_CELL_PLACE, 0, place, 0});
        mark->terminal = terminal;
        mark->name = (uint32_t)which;
        mark->number = i;
        mark->value = walk->state.last.numbers[place];
    }
}

/* Does a number of the name come from a literal of this block? */
static bool is_marked(struct fth_walk *walk, uint32_t string)
{
    const struct fth_template *template = fth_walk_template(walk, string);
    for (unsigned i = 0; template->bytes[0] == FTH_TEMPLATE_NUMBERS && i < template->count; i++)
        if (fth_marks_has(&walk->marks,
                          (struct fth_state_cell){FTH_CELL_PLACE, 0, template->places[i], 0}))
            return true;
    return false;
}

/* The numbers of a name that is the last one of its call, as they are. */
static unsigned numbers_of(struct fth_walk *walk, const struct fth_kept_name *kept,
                           int64_t *numbers)
{
    const struct fth_template *template = fth_walk_template(walk, kept->template);
    if (template->bytes[0] != FTH_TEMPLATE_NUMBERS)
        return 0;
    for (unsigned i = 0; i < template->count; i++) {
        numbers[i] =
            kept->literal ? kept->name.numbers[i] : walk->state.last.numbers[template->places[i]];
        /* What others with the same place added behind it. */
        for (unsigned k = i + 1; k < template->count && !kept->literal; k++)
            if (template->places[k] == template->places[i])
                numbers[i] -= kept->name.numbers[k];
    }
    return template->count;
}

/* The class that this text names; -1: there is no such text, or class. */
static int class_in(const struct fth_walk *walk, int64_t text)
{
    size_t length;
    if (text < 0 || text >= walk->names.texts.count)
        return -1;
    const uint8_t *name = fth_interned(&walk->names.texts, (uint32_t)text, &length);
    return fth_class_of_name(walk->part->catalog, name, length);
}

/* What fathom_bind or fathom_cwd bound to a name. */
static void mark_binding(struct fth_walk *walk, const struct fth_meaning *meaning,
                         const struct fth_kept_name *path, const int64_t *values)
{
    struct fth_state_cell cell = {FTH_CELL_BINDING, FTH_CLASS_OF_CWD, 0, 0};
    if (meaning->note.binds) {
        int class_index = class_in(walk, values[0]);
        if (class_index < 0)
            return;
        cell.class_index = (uint32_t)class_index;
        cell.which = (uint32_t)values[1];
    }
    struct fth_mark *mark = fth_marks_add(&walk->marks, cell);
    mark->value = meaning->note.binds ? values[2] : 0;
    mark->count = numbers_of(walk, path, mark->numbers);
}

void fth_walk_mark(struct fth_walk *walk, const struct fth_signature *signature, uint32_t terminal,
                   const struct fth_kept_name *names, const int64_t *values)
{
    const struct fth_meaning *meaning = &walk->meanings[signature->function];
    unsigned cursor = fth_call_marks(meaning, signature);
    if (cursor)
        mark_cursor(walk, meaning, cursor, values);
    for (int i = 0; i < meaning->name_count; i++)
        if (names[i].literal)
            mark_places(walk, terminal, i, names[i].template);
    if (!meaning->note.binds && !meaning->note.cwd)
        return;
    const struct fth_kept_name *path = &names[meaning->note.binds ? 1 : 0];
    if (signature->mask || path->literal || is_marked(walk, path->template))
        mark_binding(walk, meaning, path, values);
}

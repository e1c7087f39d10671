/* What calls on names and lengths of files mean for what is known of their bytes: whether a file is
 * still the same under another name, or another one under the same name, and what is gone. */
#include "analysis/passes/pattern_names.h"

#include "analysis/passes/named_folders.h"

#include <string.h>

struct fth_pattern_names fth_pattern_names_none(void)
{
    return (struct fth_pattern_names){.sequences.size = sizeof(struct fth_pattern_sequence),
                                      .elsewhere.size = sizeof(unsigned),
                                      .followed.size = sizeof(bool),
                                      .names = fth_followed_none()};
}

void fth_pattern_names_free(struct fth_pattern_names *of)
{
    fth_indexed_free(&of->sequences);
    fth_indexed_free(&of->elsewhere);
    fth_indexed_free(&of->followed);
    fth_indexed_free(&of->names.names);
}

/* ---- calls ---- */

static void empty_file(struct fth_pattern_names *of, uint32_t file, const struct fth_frame *frame)
{
    const struct fth_indexed *sequences = &of->sequences;
    uint32_t first = fth_followed_first(&of->names, file);
    for (uint32_t i = fth_indexed_first(sequences, first); i != UINT32_MAX;
         i = fth_indexed_next(sequences, i))
        fth_reuse_empty(&((struct fth_pattern_sequence *)fth_indexed_item(sequences, i))->reuse,
                        frame->times.start, frame->times.end);
}

/* To which length is not known here. */
static void truncate_file(struct fth_pattern_names *of, const struct fth_frame *frame)
{
    const struct fth_indexed *sequences = &of->sequences;
    uint32_t first = fth_followed_first(&of->names, frame->file.number);
    for (uint32_t i = fth_indexed_first(sequences, first); i != UINT32_MAX;
         i = fth_indexed_next(sequences, i)) {
        struct fth_reuse *reuse =
            &((struct fth_pattern_sequence *)fth_indexed_item(sequences, i))->reuse;
        reuse->may_be_cut |= reuse->first_write && frame->times.last >= reuse->first_write;
    }
}

/* Does it set aside room for bytes, and leave those that are there? */
static bool makes_room(const struct fth_function *function)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (strcmp(function->parameters[i].role, "bytes") == 0)
            return true;
    return false;
}

static void mark(struct fth_pattern_names *of, uint32_t file, enum fth_pattern_elsewhere how)
{
    *(unsigned *)fth_indexed_get(&of->elsewhere, file, 0) |= (unsigned)how;
}

/* Was the file accessed, and nothing by the other name? Then that is one more name of it. */
static bool may_follow(const struct fth_pattern_names *of, uint32_t file, uint32_t other)
{
    const struct fth_indexed *sequences = &of->sequences;
    return fth_indexed_first(sequences, fth_followed_first(&of->names, file)) != UINT32_MAX &&
           fth_indexed_first(sequences, other) == UINT32_MAX &&
           fth_followed_first(&of->names, other) == other &&
           !fth_followed_is_left(&of->names, other);
}

/* A file gets another name, or one more. Where it is not followed, it is read under that as another
 * one. */
static void name_file(struct fth_pattern_names *of, const struct fth_frame *frame)
{
    const uint32_t names[] = {frame->file.number, frame->file.other};
    bool moves = !frame->function->links_name;
    if (may_follow(of, names[0], names[1])) {
        fth_followed_add(&of->names, names[0], names[1], moves);
        fth_indexed_get(&of->followed, names[0], names[1]);
        return;
    }
    for (int i = 0; i < 2; i++) {
        mark(of, names[i], FTH_PATTERN_UNDER_OTHER_NAME);
        if (moves)
            empty_file(of, names[i], frame);
        if (moves)
            fth_followed_forget(&of->names, names[i]);
    }
}

/* A file with a name that another one had. */
static void begin_anew(struct fth_pattern_names *of, const struct fth_frame *frame)
{
    uint32_t file = frame->file.number;
    bool several;
    mark(of, file, FTH_PATTERN_UNDER_OTHER_NAME);
    mark(of, fth_followed_last(&of->names, file, &several), FTH_PATTERN_UNDER_OTHER_NAME);
    empty_file(of, file, frame);
    fth_followed_forget(&of->names, file);
}

static void delete_file(struct fth_pattern_names *of, const struct fth_frame *frame)
{
    uint32_t file = frame->file.number;
    bool several;
    fth_followed_last(&of->names, fth_followed_first(&of->names, file), &several);
    if (several)
        fth_followed_leave(&of->names, file);
    else
        empty_file(of, file, frame);
}

bool fth_pattern_names_change(const struct fth_pattern_names *of, const struct fth_frame *frame)
{
    static const unsigned changing = FTH_CALLS_BIT(FTH_CALLS_MAP) | FTH_CALLS_BIT(FTH_CALLS_NAME) |
                                     FTH_CALLS_BIT(FTH_CALLS_DELETE) |
                                     FTH_CALLS_BIT(FTH_CALLS_TRUNCATE);
    bool empties = frame->class->kind == FTH_CALLS_OPEN && frame->file.number != FTH_NO_FILE &&
                   (frame->file.creation & FTH_TRUNCATE ||
                    fth_followed_is_left(&of->names, frame->file.number));
    return empties || changing >> frame->class->kind & 1;
}

/* What maps memory may read without a call. */
void fth_pattern_names_see(struct fth_pattern_names *of, const struct fth_frame *frame)
{
    enum fth_call_class_kind kind = frame->class->kind;
    uint32_t file = frame->file.number;
    if (frame->failed || file == FTH_NO_FILE || frame->file.object)
        return;
    if (kind == FTH_CALLS_MAP)
        mark(of, fth_followed_first(&of->names, file), FTH_PATTERN_MAPPED);
    if (kind == FTH_CALLS_NAME && frame->file.other != FTH_NO_FILE)
        name_file(of, frame);
    if (kind == FTH_CALLS_DELETE)
        delete_file(of, frame);
    if (kind == FTH_CALLS_OPEN && fth_followed_is_left(&of->names, file))
        begin_anew(of, frame);
    else if (kind == FTH_CALLS_OPEN && frame->file.creation & FTH_TRUNCATE)
        empty_file(of, file, frame);
    if (kind == FTH_CALLS_TRUNCATE && !makes_room(frame->function))
        truncate_file(of, frame);
}

/* ---- all processes ---- */

void fth_pattern_names_merge(struct fth_patterns_run *run, const struct fth_pattern_names *of,
                             const uint32_t *files)
{
    bool several;
    for (uint32_t i = 0; i < of->elsewhere.count; i++) {
        uint32_t file = fth_indexed_at(&of->elsewhere, i)->number;
        unsigned how = *(const unsigned *)fth_indexed_item(&of->elsewhere, i);
        uint32_t last = fth_followed_last(&of->names, file, &several);
        *(unsigned *)fth_indexed_get(&run->elsewhere, files[last], 0) |= how;
        *(unsigned *)fth_indexed_get(&run->elsewhere, files[file], 0) |= how;
    }
    for (uint32_t i = 0; i < of->followed.count; i++) {
        const struct fth_indexed_entry *pair = fth_indexed_at(&of->followed, i);
        fth_indexed_get(&run->followed, files[pair->number], files[pair->sort]);
    }
}

/* Where a folder is renamed, its files have other names from then on: none of them is followed. */
static void mark_below_folders(struct fth_patterns_run *run)
{
    const struct fth_survey_file *files = run->survey->files;
    struct fth_named_folders folders = {0};
    for (uint32_t i = 0; i < run->elsewhere.count; i++)
        if (*(const unsigned *)fth_indexed_item(&run->elsewhere, i) & FTH_PATTERN_UNDER_OTHER_NAME)
            fth_named_folders_add(&folders, &files[fth_indexed_at(&run->elsewhere, i)->number]);
    for (uint32_t i = 0; i < run->shared.count; i++) {
        uint32_t file = fth_indexed_at(&run->shared, i)->number;
        if (fth_named_folders_hold(&folders, &files[file]))
            *(unsigned *)fth_indexed_get(&run->elsewhere, file, 0) |= FTH_PATTERN_UNDER_OTHER_NAME;
    }
    fth_named_folders_free(&folders);
}

void fth_pattern_names_tell_apart(struct fth_patterns_run *run)
{
    mark_below_folders(run);
    for (uint32_t i = 0; i < run->followed.count; i++) {
        const struct fth_indexed_entry *pair = fth_indexed_at(&run->followed, i);
        const uint32_t names[] = {pair->number, (uint32_t)pair->sort};
        for (int k = 0; k < 2; k++)
            if (fth_indexed_first(&run->shared, names[!k]) != UINT32_MAX)
                *(unsigned *)fth_indexed_get(&run->elsewhere, names[k], 0) |=
                    FTH_PATTERN_UNDER_OTHER_NAME;
    }
}

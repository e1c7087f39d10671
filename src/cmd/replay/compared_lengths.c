/* Are the files of the replay as long as those of the run? See the header. */
#include "cmd/replay/compared_lengths.h"

#include "base/memory.h"
#include "base/phrase.h"

#include <string.h>
#include <sys/stat.h>

static const struct fth_column columns[] = {
    {"path", "file of the run", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"length", "length at its end", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_NULL},
    {"replayed_length", "replayed", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_NULL},
    {"left_out", "not repeated", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"why", "not known, because", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
};
static const struct fth_shape shape = {"lengths", "Files of other or of unknown length", columns,
                                       sizeof columns / sizeof *columns, 0};

enum { ABSENT = -1, NO_FILE = -2 };

/* Bytes of the file of the replay; ABSENT; or NO_FILE: a folder, a link ... */
static int64_t length_now(const struct fth_repeat_place *place, const char *into)
{
    char *path = into ? fth_text_format("%s/%s", into, place->below) : fth_text_copy(place->path);
    struct stat now;
    bool is_there = !lstat(path, &now);
    free(path);
    return !is_there ? ABSENT : S_ISREG(now.st_mode) ? (int64_t)now.st_size : NO_FILE;
}

/* The first call that would have changed it, and is not repeated. */
static void set_left_out(struct fth_table *table, size_t row,
                         const struct fth_repeat_missing *missing)
{
    if (!missing->function)
        return;
    char *text = fth_text_format("%s: %s", missing->function->name, missing->why);
    fth_table_set(table, row, 3, fth_cell_text(text));
    free(text);
}

static void add_row(struct fth_table *table, const struct fth_repeat_place *place, int64_t now,
                    const struct fth_repeat_missing *missing)
{
    size_t row = fth_table_add_row(table);
    fth_table_set(table, row, 0, fth_cell_text(place->path));
    if (place->final.is_known)
        fth_table_set(table, row, 1, fth_cell_integer((int64_t)place->final.length));
    if (now >= 0)
        fth_table_set(table, row, 2, fth_cell_integer(now));
    set_left_out(table, row, missing);
    fth_table_set(table, row, 4, fth_cell_text(place->final.why));
}

struct fth_compared_lengths fth_replay_compare_lengths(const struct fth_repeat_places *places,
                                                       const struct fth_repeat_summary *summary,
                                                       const char *into)
{
    struct fth_compared_lengths lengths = {.table = fth_table_new(&shape)};
    for (size_t i = 0; lengths.table && i < fth_repeat_place_count(places); i++) {
        const struct fth_repeat_place *place = fth_repeat_place_at(places, i);
        if (!place->below || place->folder || !place->is_written || !place->final.is_there)
            continue;
        int64_t now = length_now(place, into);
        /* another file may have had this name, or this one another name */
        if (now == NO_FILE || (now == ABSENT && place->final.was_deleted))
            continue;
        bool is_alike = place->final.is_known && now == (int64_t)place->final.length;
        lengths.alike += is_alike;
        lengths.different += place->final.is_known && !is_alike;
        lengths.unknown += !place->final.is_known;
        if (!is_alike)
            add_row(lengths.table, place, now, &summary->missing[i]);
    }
    return lengths;
}

char *fth_compared_lengths_text(const struct fth_compared_lengths *lengths)
{
    size_t all = lengths->alike + lengths->different + lengths->unknown;
    if (!all)
        return NULL;
    char *unknown = lengths->unknown
                        ? fth_text_format("; of %zu the length is not known", lengths->unknown)
                        : fth_text_copy("");
    char *text =
        lengths->different
            ? fth_text_format("%zu of %s that the run wrote %s another length in the replay%s.",
                              lengths->different, fth_phrase_several(all, "file", "files").text,
                              lengths->different == 1 ? "has" : "have", unknown)
            : fth_text_format("%zu of %s that the run wrote %s as long in the replay%s.",
                              lengths->alike, fth_phrase_several(all, "file", "files").text,
                              lengths->alike == 1 ? "is" : "are", unknown);
    free(unknown);
    return text;
}

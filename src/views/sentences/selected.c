/* The selection of a report in words: its options, as they can be given again. */
#include "views/sentences/selected.h"

#include "base/memory.h"
#include "base/sink.h"

static void put_option(struct fth_sink *to, const char *option)
{
    fth_sink_text(to, to->used ? " --" : "--");
    fth_sink_text(to, option);
}

static void put_integers(struct fth_sink *to, const char *option, const struct fth_integers *list)
{
    if (list->count)
        put_option(to, option);
    for (size_t i = 0; i < list->count; i++) {
        fth_sink_char(to, i ? ',' : ' ');
        fth_sink_unsigned(to, (uint64_t)list->items[i].first);
        if (list->items[i].last == list->items[i].first)
            continue;
        fth_sink_char(to, '-');
        fth_sink_unsigned(to, (uint64_t)list->items[i].last);
    }
}

char *fth_views_selected(const struct fth_selection *selection)
{
    struct fth_sink words;
    fth_sink_open_memory(&words);
    put_integers(&words, "proc", &selection->procs);
    put_integers(&words, "rank", &selection->ranks);
    if (selection->launchers)
        put_option(&words, "launchers");
    if (selection->where) {
        put_option(&words, "where ");
        fth_sink_text(&words, selection->where_text);
    }
    char *made = words.used ? fth_text_part(words.bytes, words.used) : NULL;
    fth_sink_close_memory(&words);
    return made;
}

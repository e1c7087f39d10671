/* Lists of formats. */
#include "cmd/shared/format_list.h"

#include "base/memory.h"
#include "base/sink.h"
#include "cmd/shared/command.h"

#include <stdlib.h>

char *fth_cmd_help_on_formats(const char *text, const struct fth_cmd_formats *formats, int width)
{
    struct fth_sink lines;
    fth_sink_open_memory(&lines);
    for (size_t i = 0; i < formats->count; i++) {
        struct fth_cmd_format format = formats->at(i);
        char *line = fth_text_format("  %-*s %s\n", width, format.name, format.help);
        fth_sink_text(&lines, line);
        free(line);
    }
    fth_sink_char(&lines, 0);
    char *whole = fth_text_format(text, lines.bytes);
    fth_sink_close_memory(&lines);
    return whole;
}

void fth_cmd_no_such_format(struct argp_state *state, const char *name,
                            const struct fth_cmd_formats *formats)
{
    struct fth_sink names;
    fth_sink_open_memory(&names);
    for (size_t i = 0; i < formats->count; i++) {
        fth_sink_text(&names, i ? ", " : "");
        fth_sink_text(&names, formats->at(i).name);
    }
    fth_sink_char(&names, 0);
    fth_cmd_wrong(state, "there is no format '%s'; there are: %s", name, names.bytes);
}

/* The options of all outputs, made from the rows of the formats. */
#include "cmd/shared/page_options.h"

#include "cmd/shared/command.h"

#include <stdio.h>

enum { OPTION_FORMAT = 0x280, MOST_OPTIONS = 16 };

static unsigned shown; /* of the one command that this process is: FTH_CMD_HAS_... */

static bool has_place(const struct fth_format *format, unsigned has)
{
    return (has & FTH_CMD_HAS_TABLES && format->table) || (has & FTH_CMD_HAS_CALLS && format->call);
}

/* "--csv and --json" */
static const char *formats_of(unsigned has)
{
    static char text[128];
    size_t count = 0, named = 0, length = 0;
    for (size_t i = 0; i < fth_format_count; i++)
        count += has_place(fth_formats[i], has);
    for (size_t i = 0; i < fth_format_count; i++)
        if (has_place(fth_formats[i], has) && length < sizeof text)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s--%s",
                                       !named++         ? ""
                                       : named == count ? " and "
                                                        : ", ",
                                       fth_formats[i]->name);
    return text;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct fth_cmd_page *page = state->input;
    if (key == 'o') {
        page->path = argument;
        return 0;
    }
    if (key < OPTION_FORMAT || (size_t)(key - OPTION_FORMAT) >= fth_format_count)
        return ARGP_ERR_UNKNOWN;
    const struct fth_format *format = fth_formats[key - OPTION_FORMAT];
    if (!has_place(format, shown))
        fth_cmd_wrong(state, "--%s: what this command shows has the formats %s", format->name,
                      formats_of(shown));
    if (page->chosen && page->chosen != format)
        fth_cmd_wrong(state, "--%s and --%s: choose one format", page->chosen->name, format->name);
    page->chosen = format;
    page->table = argument;
    return 0;
}

const struct argp_child *fth_cmd_page_options(unsigned has, int group)
{
    static struct argp_option options[MOST_OPTIONS];
    static const struct argp argp = {options, parse, NULL, NULL, NULL, NULL, NULL};
    static const struct argp_child children[] = {{&argp, 0, NULL, 0}, {0}};
    size_t count = 0;
    shown = has;
    for (size_t i = 0; i < fth_format_count && count + 2 < MOST_OPTIONS; i++)
        if (has_place(fth_formats[i], has) || fth_formats[i]->table)
            options[count++] = (struct argp_option){
                .name = fth_formats[i]->name,
                .key = OPTION_FORMAT + (int)i,
                .arg = fth_formats[i]->argument,
                .flags = (fth_formats[i]->argument ? OPTION_ARG_OPTIONAL : 0) |
                         (has_place(fth_formats[i], has) ? 0 : OPTION_HIDDEN),
                .doc = fth_formats[i]->help,
                .group = group,
            };
    if (!(has & FTH_CMD_HAS_NO_FILE))
        options[count++] = (struct argp_option){"output", 'o', "FILE", 0, "Write to FILE", group};
    options[count] = (struct argp_option){0};
    return children;
}

error_t fth_cmd_page_option(int key, struct argp_state *state, struct fth_cmd_page *page)
{
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = page;
    return 0;
}

int fth_cmd_open_page(struct fth_writer *writer, const struct fth_cmd_page *page, const char *title,
                      unsigned line_depth, const char *const *inputs, struct fth_error **error)
{
    static struct fth_output output;
    if (fth_views_open(&output, page->path, inputs, error))
        return -1;
    fth_views_begin(writer, fth_cmd_format(page), &output,
                    &(struct fth_page){title, line_depth, page->table});
    return 0;
}

int fth_cmd_close_page(struct fth_writer *writer, int result, struct fth_error **error)
{
    if (!result)
        result = fth_views_end(writer, error);
    else
        fth_views_give_up(writer);
    int closed = fth_views_close(writer->output, result ? NULL : error);
    return result ? result : closed;
}

void fth_cmd_report_unsaid(const struct fth_writer *writer, const char *command,
                           const struct fth_trace *trace, const struct fth_selection *selection)
{
    if (!writer->format->missing)
        fth_cmd_report_incomplete(command, trace, selection, NULL);
}

/* How the output of a command is asked for, the same in all commands that have one: --json, --csv
 * and their like, -o FILE; and how a page is opened and closed. The options are those of the rows
 * in `fth_formats` (views/formats/writer.h): a format more needs no line here. */
#ifndef FTH_CMD_SHARED_PAGE_OPTIONS_H
#define FTH_CMD_SHARED_PAGE_OPTIONS_H

#include "views/formats/writer.h"

#include <argp.h>

/* What is asked for. `= {0}` is text on the standard output. */
struct fth_cmd_page {
    const struct fth_format *chosen; /* NULL: text */
    const char *table;               /* of a format with one table; NULL: the only one there is */
    const char *path;                /* NULL: the standard output */
};

/* What a command has to show: formats without a place for it are hidden options, which name those
 * that there are. */
enum {
    FTH_CMD_HAS_TABLES = 1,
    FTH_CMD_HAS_CALLS = 2,
    FTH_CMD_HAS_NO_FILE = 4, /* -o means something else here */
};

/* The children of the command's argp, whose parser hands on ARGP_KEY_INIT with fth_cmd_page_option.
 * group: the one of the command's options that they stand in; 0: it has none. */
const struct argp_child *fth_cmd_page_options(unsigned has, int group);
/* For ARGP_KEY_INIT: what is asked for goes to *page. Else ARGP_ERR_UNKNOWN. */
error_t fth_cmd_page_option(int key, struct argp_state *state, struct fth_cmd_page *page);

static inline const struct fth_format *fth_cmd_format(const struct fth_cmd_page *page)
{
    return page->chosen ? page->chosen : &fth_format_terminal;
}

/* Opens what is asked for. `inputs`: paths that must not be written over, ended by NULL; or NULL.
 * One page at a time. -1: *error is set. */
int fth_cmd_open_page(struct fth_writer *writer, const struct fth_cmd_page *page, const char *title,
                      unsigned line_depth, const char *const *inputs, struct fth_error **error);
/* Ends the page, if `result` says that it is whole (0), and closes its output. Returns `result`, or
 * -1 with *error set. */
int fth_cmd_close_page(struct fth_writer *writer, int result, struct fth_error **error);

/* Says on the standard error stream what is missing in the trace, where a page shows it itself but
 * its format has no place for it. */
void fth_cmd_report_unsaid(const struct fth_writer *writer, const char *command,
                           const struct fth_trace *trace, const struct fth_selection *selection);

#endif

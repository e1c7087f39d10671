/* Formats that a command can choose from: in its help, and where there is none of a name. */
#ifndef FTH_CMD_SHARED_FORMAT_LIST_H
#define FTH_CMD_SHARED_FORMAT_LIST_H

#include <argp.h>
#include <stddef.h>

struct fth_cmd_format {
    const char *name, *help;
};
struct fth_cmd_formats {
    size_t count;
    struct fth_cmd_format (*at)(size_t number);
};

/* `text`, a format of printf, with a line for each of them, names `width` wide; to be freed. */
char *fth_cmd_help_on_formats(const char *text, const struct fth_cmd_formats *formats, int width);
/* The argument is wrong, as fth_cmd_wrong says it: with the names that there are. */
void fth_cmd_no_such_format(struct argp_state *state, const char *name,
                            const struct fth_cmd_formats *formats);

#endif

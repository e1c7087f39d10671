/* The page of `fathom generate --html`. */
#ifndef FTH_CMD_GENERATE_PAGE_H
#define FTH_CMD_GENERATE_PAGE_H

#include "base/sink.h"
#include "gen/gen.h"

/* The template beside the program that it became, and a form that writes hints: one file that needs
 * nothing else. `path` names the template. */
void fth_cmd_generate_page(struct fth_sink *sink, const char *path, const char *template,
                           size_t length, const struct fth_gen_program *program);

#endif

/* The lists that options of `fathom record` give: layers, functions, names of secrets, prefixes of
 * paths. What is wrong with one ends the program. */
#ifndef FTH_CMD_RECORD_OPTION_LISTS_H
#define FTH_CMD_RECORD_OPTION_LISTS_H

#include "cmd/record/record.h"
#include "cmd/shared/command.h"

void fth_record_check_layers(struct argp_state *state, const char *list);
const char *fth_record_check_functions(struct argp_state *state, const char *list);
/* `names`: beside those that are known, or NULL. There is something where it is asked for. */
const char *fth_record_check_masked(struct argp_state *state, const char *names);
void fth_record_add_prefix(struct argp_state *state, struct fth_prefixes *prefixes,
                           const char *prefix);
/* What belongs to the system and not to the program's own I/O. */
void fth_record_add_default_excludes(struct argp_state *state, struct fth_prefixes *excluded);

#endif

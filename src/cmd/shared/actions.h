/* Commands whose first word says what they do: `fathom fs start`, `fathom workflow show`. */
#ifndef FTH_CMD_SHARED_ACTIONS_H
#define FTH_CMD_SHARED_ACTIONS_H

#include <argp.h>
#include <stddef.h>

/* The number of the action that `word` names. `names`: ended by NULL. Another word is wrong, as
 * fth_cmd_wrong says it, with the nearest name, or with `choice`: which there are. */
size_t fth_cmd_action(struct argp_state *state, const char *word, const char *const *names,
                      const char *choice);

#endif

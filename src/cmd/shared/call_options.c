/* What options of commands say of the calls that they are about. */
#include "cmd/shared/call_options.h"

#include <errno.h>

void fth_cmd_add_word(struct argp_state *state, struct fth_words *list, const char *word)
{
    if (!fth_analysis_add_word(list, word))
        argp_failure(state, 1, ENOMEM, "%s", word);
}

error_t fth_cmd_call_option(int key, char *argument, struct argp_state *state,
                            struct fth_selection *selection)
{
    switch (key) {
    case FTH_OPTION_LAYER:
        fth_cmd_add_word(state, &selection->layers, argument);
        return 0;
    case FTH_OPTION_FUNCTION:
        fth_cmd_add_word(state, &selection->functions, argument);
        return 0;
    case FTH_OPTION_FILE:
        fth_cmd_add_word(state, &selection->files, argument);
        return 0;
    case FTH_OPTION_FROM:
        selection->from = fth_cmd_duration(state, "from", argument);
        return 0;
    case FTH_OPTION_TO:
        selection->to = fth_cmd_duration(state, "to", argument);
        return 0;
    case FTH_OPTION_MIN_DURATION:
        selection->min_duration = fth_cmd_duration(state, "min-duration", argument);
        return 0;
    case FTH_OPTION_MIN_BYTES:
        selection->min_bytes = fth_cmd_bytes(state, "min-bytes", argument);
        return 0;
    }
    error_t result = fth_cmd_where_option(key, argument, state, selection);
    return result == ARGP_ERR_UNKNOWN ? fth_cmd_process_option(key, argument, state, selection)
                                      : result;
}

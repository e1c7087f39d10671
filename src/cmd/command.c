/* What the subcommands share: errors, option values, the trace argument. */
#include "cmd/command.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fth_cmd_failed(const char *command, struct fth_error *error)
{
    fprintf(stderr, "fathom %s: %s\n", command, fth_error_text(error));
    fth_error_free(error);
    return 1;
}

struct fth_trace *fth_cmd_open_trace(const char *path, struct fth_error **error)
{
    /* What is read is going to be printed, perhaps to `head`: a reader that leaves is told by
     * write(2), not by a signal. */
    signal(SIGPIPE, SIG_IGN);
    return fth_trace_open(path, error);
}

int64_t fth_cmd_integer(struct argp_state *state, const char *option, const char *text)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno || end == text || *end || value < 0)
        argp_error(state, "--%s wants a whole number, 0 or more, not '%s'", option, text);
    return value;
}

/* The number at the start of `text`, times the scale of the unit behind it; negative: not
 * understood. */
static double read_number(const char *text, const char *const units[], const double scales[])
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (errno || end == text || !(value >= 0) || value > 1e18)
        return -1;
    while (*end == ' ')
        end++;
    for (size_t i = 0; units[i]; i++)
        if (!strcasecmp(end, units[i]))
            return value * scales[i];
    return -1;
}

int64_t fth_cmd_duration(struct argp_state *state, const char *option, const char *text)
{
    static const char *const units[] = {"", "s", "ms", "us", "ns", "min", NULL};
    static const double scales[] = {1e9, 1e9, 1e6, 1e3, 1, 60e9};
    double value = read_number(text, units, scales);
    if (value < 0 || value > 9e18)
        argp_error(state,
                   "--%s wants seconds ('0.5') or a number with ns, us, ms, s or min, not '%s'",
                   option, text);
    return (int64_t)(value + 0.5);
}

uint64_t fth_cmd_bytes(struct argp_state *state, const char *option, const char *text)
{
    static const char *const units[] = {"",  "B",   "K", "KiB", "M", "MiB",
                                        "G", "GiB", "T", "TiB", NULL};
    static const double scales[] = {1,      1,      0x1p10, 0x1p10, 0x1p20,
                                    0x1p20, 0x1p30, 0x1p30, 0x1p40, 0x1p40};
    double value = read_number(text, units, scales);
    if (value < 0 || value > 9e18)
        argp_error(state, "--%s wants bytes, or a number with K, M, G or T (times 1024), not '%s'",
                   option, text);
    return (uint64_t)(value + 0.5);
}

void fth_cmd_times(struct argp_state *state, const char *text, struct fth_time_mode *mode)
{
    if (!*text || !fth_time_mode_parse(text, mode))
        argp_error(state,
                   "--time wants a resolution (1ns, 10ns, 100ns, 1us, 10us, 100us, 1ms), mean, a "
                   "percentage from 1%% to 50%%, or a resolution and one of these ('1us,mean'), "
                   "not '%s'",
                   text);
}

error_t fth_cmd_trace_argument(int key, char *argument, struct argp_state *state,
                               const char **trace_path)
{
    if (key == ARGP_KEY_ARG && *trace_path)
        argp_error(state, "one trace at a time: '%s' is the second", argument);
    else if (key == ARGP_KEY_ARG)
        *trace_path = argument;
    else if (key == ARGP_KEY_END && !*trace_path)
        argp_error(state, "which trace? Give the file that `fathom record` wrote");
    else if (key != ARGP_KEY_END)
        return ARGP_ERR_UNKNOWN;
    return 0;
}

error_t fth_cmd_process_option(int key, char *argument, struct argp_state *state,
                               struct fth_selection *selection)
{
    bool kept = true;
    if (key == FTH_OPTION_LAUNCHERS)
        selection->launchers = true;
    else if (key == FTH_OPTION_PROC)
        kept =
            fth_analysis_add_integer(&selection->procs, fth_cmd_integer(state, "proc", argument));
    else if (key == FTH_OPTION_RANK)
        kept =
            fth_analysis_add_integer(&selection->ranks, fth_cmd_integer(state, "rank", argument));
    else
        return ARGP_ERR_UNKNOWN;
    if (!kept)
        argp_failure(state, 1, ENOMEM, "--%s", key == FTH_OPTION_PROC ? "proc" : "rank");
    return 0;
}

int fth_cmd_check_where(const struct fth_expression *where, const struct fth_trace *trace,
                        struct fth_error **error)
{
    if (!where)
        return 0;
    if (fth_expression_needs(where) & FTH_NEEDS_ACCESSES)
        return fth_fail(error, "--where asks which bytes calls access, which this command does not "
                               "follow; `fathom dump` and `fathom stats` do");
    return fth_expression_check(where, trace, error);
}

error_t fth_cmd_where_option(int key, const char *argument, struct argp_state *state,
                             struct fth_selection *selection)
{
    struct fth_error *error = NULL;
    if (key != FTH_OPTION_WHERE)
        return ARGP_ERR_UNKNOWN;
    if (selection->where)
        argp_error(state, "one --where, please: join '%s' with the other by 'and'", argument);
    selection->where = fth_expression_parse(argument, &error);
    if (!selection->where)
        argp_error(state, "--where: %s", fth_error_text(error));
    fth_error_free(error);
    return 0;
}

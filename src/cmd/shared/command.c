/* What the subcommands share: errors, option values, the trace argument. */
#include "cmd/shared/command.h"

#include "base/memory.h"
#include "base/progress.h"
#include "base/visible.h"
#include "order/communicator_numbers.h"
#include "views/formats/writer.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fth_cmd_failed(const char *command, struct fth_error *error)
{
    fth_say(stderr, "fathom %s: %s\n", command, fth_error_text(error));
    fth_error_free(error);
    return 1;
}

/* ---- arguments ---- */

void fth_cmd_wrong(const struct argp_state *state, const char *format, ...)
{
    va_list arguments;
    char *text = NULL, *shown = NULL;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) >= 0) {
        shown = fth_visible(text);
        free(text);
    }
    va_end(arguments);
    argp_error(state, "%s", shown ? shown : "out of memory");
    free(shown);
}

/* Where messages of the library go, and the name that they begin with. */
struct messages {
    FILE *to;
    const char *name;
};

static void put_visible(FILE *to, const char *text, size_t length, const char *behind)
{
    char *line = fth_text_part(text, length), *shown = line ? fth_visible(line) : NULL;
    if (shown)
        fprintf(to, "%s%s", shown, behind);
    free(shown);
    free(line);
}

/* An unbuffered stream hands over what one call of printf prints: a message that begins with the
 * name is one line, whatever was typed that stands in it. */
static ssize_t write_visible(void *context, const char *text, size_t length)
{
    const struct messages *messages = context;
    size_t name = strlen(messages->name);
    bool ends = length && text[length - 1] == '\n';
    if (ends && length > name && strncmp(text, messages->name, name) == 0) {
        put_visible(messages->to, text, length - 1, "\n");
        return (ssize_t)length;
    }
    for (size_t i = 0, end; i < length; i = end + 1) {
        const char *newline = memchr(text + i, '\n', length - i);
        end = newline ? (size_t)(newline - text) : length;
        put_visible(messages->to, text + i, end - i, newline ? "\n" : "");
    }
    return (ssize_t)length;
}

error_t fth_cmd_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *request)
{
    static struct messages messages; /* what ends the program may print yet */
    messages = (struct messages){stderr, argv[0]};
    FILE *visible = fopencookie(&messages, "w", (cookie_io_functions_t){.write = write_visible});
    if (visible) {
        setvbuf(visible, NULL, _IONBF, 0);
        stderr = visible; /* getopt writes there, and argp */
    }
    error_t result = argp_parse(argp, argc, argv, flags, NULL, request);
    stderr = messages.to;
    if (visible)
        fclose(visible);
    return result;
}

struct fth_trace *fth_cmd_open_trace(const char *path, struct fth_error **error)
{
    /* What is read is going to be printed, perhaps to `head`: a reader that leaves is reported by
     * write(2), not by a signal. */
    signal(SIGPIPE, SIG_IGN);
    return fth_trace_open(path, error);
}

void fth_cmd_report_incomplete(const char *command, const struct fth_trace *trace,
                               const struct fth_selection *selection, struct fth_writer *page)
{
    const struct fth_selection all = {.launchers = true};
    struct fth_incomplete incomplete = fth_analysis_incomplete(selection ? selection : &all, trace);
    if (page && fth_views_for_people(page))
        fth_views_write_missing(page, &incomplete);
    else if (fth_analysis_is_stopped(&incomplete))
        fprintf(stderr, "fathom %s: incomplete: %s\n", command,
                fth_views_missing(&incomplete).text);
}

void fth_cmd_match_communicators(struct fth_trace *trace)
{
    struct fth_progress progress;
    struct fth_error *error = NULL;
    fth_progress_begin(&progress, "matching communicators", fth_trace_info(trace)->calls);
    if (!fth_order_find_communicators(trace, &progress, &error))
        fth_error_free(error);
    fth_progress_end(&progress);
}

int64_t fth_cmd_integer(struct argp_state *state, const char *option, const char *text)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno || end == text || *end || value < 0)
        fth_cmd_wrong(state, "--%s takes a whole number, 0 or more, not '%s'", option, text);
    return value;
}

unsigned fth_cmd_jobs(struct argp_state *state, const char *text)
{
    int64_t jobs = fth_cmd_integer(state, "jobs", text);
    if (jobs < 0 || jobs > 1024)
        fth_cmd_wrong(state, "--jobs takes 0 to 1024, not '%s'", text);
    return (unsigned)jobs;
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
        fth_cmd_wrong(state,
                      "--%s takes seconds ('0.5') or a number with ns, us, ms, s or min, not '%s'",
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
        fth_cmd_wrong(state,
                      "--%s takes bytes, or a number with K, M, G or T (times 1024), not '%s'",
                      option, text);
    return (uint64_t)(value + 0.5);
}

void fth_cmd_times(struct argp_state *state, const char *text, struct fth_time_mode *mode)
{
    if (!*text || !fth_time_mode_parse(text, mode))
        fth_cmd_wrong(
            state,
            "--time takes a resolution (1ns, 10ns, 100ns, 1us, 10us, 100us, 1ms), mean, a "
            "percentage from 1%% to 50%%, or a resolution and one of these ('1us,mean'), not '%s'",
            text);
}

error_t fth_cmd_trace_argument(int key, char *argument, struct argp_state *state,
                               const char **trace_path)
{
    if (key == ARGP_KEY_ARG && *trace_path)
        fth_cmd_wrong(state, "one trace at a time: '%s' is the second", argument);
    else if (key == ARGP_KEY_ARG)
        *trace_path = argument;
    else if (key == ARGP_KEY_END && !*trace_path)
        fth_cmd_wrong(state, "give a trace: the file that `fathom record` wrote");
    else if (key != ARGP_KEY_END)
        return ARGP_ERR_UNKNOWN;
    return 0;
}

/* "3", "0-3", "0,2,5-7". What is wrong is reported by argp. */
static void add_integers(struct argp_state *state, const char *option, const char *text,
                         struct fth_integers *list)
{
    const char *at = text;
    do {
        char *end;
        errno = 0;
        long long first = isdigit((unsigned char)*at) ? strtoll(at, &end, 10) : -1, last = first;
        if (first >= 0 && *end == '-' && isdigit((unsigned char)end[1]))
            last = strtoll(end + 1, &end, 10);
        if (errno || first < 0 || last < first || (*end && *end != ','))
            fth_cmd_wrong(state,
                          "--%s takes numbers and ranges, such as 3, 0-3 or 0,2,5-7, not '%s'",
                          option, text);
        if (!fth_analysis_add_integers(list, first, last))
            argp_failure(state, 1, ENOMEM, "--%s", option);
        at = *end ? end + 1 : NULL;
    } while (at);
}

error_t fth_cmd_process_option(int key, char *argument, struct argp_state *state,
                               struct fth_selection *selection)
{
    if (key == FTH_OPTION_LAUNCHERS)
        selection->launchers = true;
    else if (key == FTH_OPTION_PROC)
        add_integers(state, "proc", argument, &selection->procs);
    else if (key == FTH_OPTION_RANK)
        add_integers(state, "rank", argument, &selection->ranks);
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

int fth_cmd_check_where(const struct fth_expression *where, const struct fth_trace *trace,
                        struct fth_error **error)
{
    if (!where)
        return 0;
    if (fth_expression_needs(where) & FTH_NEEDS_ACCESSES)
        return fth_fail(error, "--where uses the byte ranges of calls, which this command does not "
                               "compute; `fathom dump` and `fathom stats` do");
    return fth_expression_check(where, trace, error);
}

error_t fth_cmd_where_option(int key, const char *argument, struct argp_state *state,
                             struct fth_selection *selection)
{
    struct fth_error *error = NULL;
    if (key != FTH_OPTION_WHERE)
        return ARGP_ERR_UNKNOWN;
    if (selection->where)
        fth_cmd_wrong(state, "give one --where only: join '%s' to the other with 'and'", argument);
    selection->where = fth_expression_parse(argument, &error);
    selection->where_text = argument;
    if (!selection->where)
        fth_cmd_wrong(state, "--where: %s", fth_error_text(error));
    fth_error_free(error);
    return 0;
}

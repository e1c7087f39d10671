/* The subcommands, one per file, and what they share. Each takes its own arguments (argv[0] is
 * "fathom NAME") and returns the exit status. */
#ifndef FTH_CMD_SHARED_COMMAND_H
#define FTH_CMD_SHARED_COMMAND_H

#include "analysis/select/select.h"
#include "base/error.h"
#include "trace/record/time_mode.h"

#include <argp.h>

int fth_cmd_record(int argc, char **argv);
int fth_cmd_wrap(int argc, char **argv);
int fth_cmd_merge(int argc, char **argv);
int fth_cmd_import(int argc, char **argv);
int fth_cmd_attach(int argc, char **argv);
int fth_cmd_detach(int argc, char **argv);
int fth_cmd_info(int argc, char **argv);
int fth_cmd_report(int argc, char **argv);
int fth_cmd_view(int argc, char **argv);
int fth_cmd_path(int argc, char **argv);
int fth_cmd_stats(int argc, char **argv);
int fth_cmd_samples(int argc, char **argv);
int fth_cmd_diff(int argc, char **argv);
int fth_cmd_dump(int argc, char **argv);
int fth_cmd_export(int argc, char **argv);
int fth_cmd_query(int argc, char **argv);
int fth_cmd_handles(int argc, char **argv);
int fth_cmd_verify(int argc, char **argv);
int fth_cmd_proxy(int argc, char **argv);
int fth_cmd_generate(int argc, char **argv);
int fth_cmd_instrument(int argc, char **argv);
int fth_cmd_simulate(int argc, char **argv);
int fth_cmd_measure(int argc, char **argv);
int fth_cmd_fs(int argc, char **argv);
int fth_cmd_tune(int argc, char **argv);
int fth_cmd_replay(int argc, char **argv);
int fth_cmd_workflow(int argc, char **argv);

/* Prints "fathom NAME: TEXT" to the standard error stream, frees the error and returns 1, for
 * `return fth_cmd_failed(...)`. */
int fth_cmd_failed(const char *command, struct fth_error *error);

/* As argp_error and argp_parse; what was typed is shown so that it cannot send commands to a
 * terminal, also in what the library says of it. */
void fth_cmd_wrong(const struct argp_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
error_t fth_cmd_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
                      void *request);

/* Opens a trace; the error says what to do about it. */
struct fth_trace *fth_cmd_open_trace(const char *path, struct fth_error **error);

/* Says what is missing in the trace, where recording stopped: as the first line of a page for
 * people, or, where a program reads the page or there is none (NULL), on the standard error stream.
 * `selection` NULL: all processes. */
struct fth_writer;
void fth_cmd_report_incomplete(const char *command, const struct fth_trace *trace,
                               const struct fth_selection *selection, struct fth_writer *page);

/* Finds out which communicators of different processes are one, so that handles say so. Where calls
 * cannot be read it stays unknown: who shows them says so. */
void fth_cmd_match_communicators(struct fth_trace *trace);

/* Values of options; what is wrong is reported by argp, which ends the program. */
int64_t fth_cmd_integer(struct argp_state *state, const char *option, const char *text);
/* Takes the number of threads of --jobs; 0: one per processor. */
unsigned fth_cmd_jobs(struct argp_state *state, const char *text);
int64_t fth_cmd_duration(struct argp_state *state, const char *option,
                         const char *text); /* "1.5", "20ms": ns */
uint64_t fth_cmd_bytes(struct argp_state *state, const char *option,
                       const char *text); /* "4096", "4K", "1MiB" */
/* Of --time. */
void fth_cmd_times(struct argp_state *state, const char *text, struct fth_time_mode *mode);

/* The one argument TRACE, for ARGP_KEY_ARG and ARGP_KEY_END. Returns an argp parser's result. */
error_t fth_cmd_trace_argument(int key, char *argument, struct argp_state *state,
                               const char **trace_path);

/* --where: which calls, as an expression. */
enum { FTH_OPTION_WHERE = 0x240 };
#define FTH_CMD_WHERE_OPTION                                                                       \
    {                                                                                              \
        "where", FTH_OPTION_WHERE, "EXPRESSION", 0,                                                \
            "Only calls for which EXPRESSION is true: 'layer == mpiio and bytes < 4K' (see "       \
            "EXPRESSIONS in fathom-dump(1))",                                                      \
            0                                                                                      \
    }
error_t fth_cmd_where_option(int key, const char *argument, struct argp_state *state,
                             struct fth_selection *selection);

/* For commands that do not follow accesses: an expression that asks for them is an error. NULL is
 * allowed. */
int fth_cmd_check_where(const struct fth_expression *where, const struct fth_trace *trace,
                        struct fth_error **error);

/* Options that choose processes, the same in every command that has them. */
enum { FTH_OPTION_LAUNCHERS = 0x200, FTH_OPTION_PROC, FTH_OPTION_RANK };
#define FTH_CMD_PROCESS_OPTIONS                                                                    \
    {"proc",                                                                                       \
     FTH_OPTION_PROC,                                                                              \
     "LIST",                                                                                       \
     0,                                                                                            \
     "Only these processes, as numbered by `fathom info`: 3, 0-3, 0,2,5-7",                        \
     0},                                                                                           \
        {"rank", FTH_OPTION_RANK, "LIST", 0, "Only these ranks of MPI_COMM_WORLD: 0-3", 0},        \
    {                                                                                              \
        "launchers", FTH_OPTION_LAUNCHERS, NULL, 0, "Include mpirun, srun and their helpers", 0    \
    }
error_t fth_cmd_process_option(int key, char *argument, struct argp_state *state,
                               struct fth_selection *selection);

#endif

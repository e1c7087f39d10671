/* Options that choose calls, the same in all commands that go through calls one by one. */
#ifndef FTH_CMD_SHARED_CALL_OPTIONS_H
#define FTH_CMD_SHARED_CALL_OPTIONS_H

#include "cmd/shared/command.h"

enum {
    FTH_OPTION_LAYER = 0x260,
    FTH_OPTION_FUNCTION,
    FTH_OPTION_FILE,
    FTH_OPTION_FROM,
    FTH_OPTION_TO,
    FTH_OPTION_MIN_DURATION,
    FTH_OPTION_MIN_BYTES,
};
#define FTH_CMD_CALL_OPTIONS                                                                       \
    FTH_CMD_PROCESS_OPTIONS, {"layer",                                                             \
                              FTH_OPTION_LAYER,                                                    \
                              "NAME",                                                              \
                              0,                                                                   \
                              "Only this layer: posix, stdio, mpiio ...; repeatable",              \
                              0},                                                                  \
        {"func",                                                                                   \
         FTH_OPTION_FUNCTION,                                                                      \
         "PATTERN",                                                                                \
         0,                                                                                        \
         "Only functions of this name: pwrite, 'MPI_*'; repeatable",                               \
         0},                                                                                       \
        {"file",                                                                                   \
         FTH_OPTION_FILE,                                                                          \
         "PATTERN",                                                                                \
         0,                                                                                        \
         "Only calls on files that match: '*.h5', '/scratch/*'; repeatable. A pattern without a "  \
         "slash matches the last part of the path",                                                \
         0},                                                                                       \
        {"from",                                                                                   \
         FTH_OPTION_FROM,                                                                          \
         "TIME",                                                                                   \
         0,                                                                                        \
         "Only calls that run after TIME: seconds since the start, or 20ms",                       \
         0},                                                                                       \
        {"min-duration",                                                                           \
         FTH_OPTION_MIN_DURATION,                                                                  \
         "TIME",                                                                                   \
         0,                                                                                        \
         "Only calls that take at least TIME: 0.5, 20ms",                                          \
         0},                                                                                       \
        {"min-bytes",                                                                              \
         FTH_OPTION_MIN_BYTES,                                                                     \
         "BYTES",                                                                                  \
         0,                                                                                        \
         "Only data calls of at least BYTES: 4096, 1M",                                            \
         0},                                                                                       \
        FTH_CMD_WHERE_OPTION

/* `fathom export` has a --to of its own, which takes times, too. */
#define FTH_CMD_TO_OPTION                                                                          \
    {                                                                                              \
        "to", FTH_OPTION_TO, "TIME", 0, "Only calls that run before TIME", 0                       \
    }

/* Of a parser: 0, or ARGP_ERR_UNKNOWN. */
error_t fth_cmd_call_option(int key, char *argument, struct argp_state *state,
                            struct fth_selection *selection);
/* A value of an option that may be repeated. */
void fth_cmd_add_word(struct argp_state *state, struct fth_words *list, const char *word);

#endif

/* The setup of `fathom instrument`, a file of YAML: which sources make up the stack, which probes
 * go into them, how they are built, and which runs are made with them. */
#ifndef FTH_INSTRUMENT_INSTRUMENT_SETUP_H
#define FTH_INSTRUMENT_INSTRUMENT_SETUP_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FTH_INSTRUMENT_MOST = 64 }; /* layers, runs, words of a list */

struct fth_instrument_words {
    const char *list[FTH_INSTRUMENT_MOST];
    size_t count;
};

struct fth_instrument_layer {
    const char *word;    /* in probe files: MPI */
    const char *name;    /* in the trace */
    const char *sources; /* folder, absolute */
    const char *build;   /* a command for the shell, run there; NULL: another layer of these sources
                            has it */
    struct fth_instrument_words libraries; /* folders in the sources, for the loader */
    struct fth_instrument_words files;     /* where probes go that name no file */
    uint32_t line;                         /* of the setup */
};

struct fth_instrument_run {
    const char *name;
    const char *server, *ready; /* commands, or NULL */
    struct fth_instrument_words programs;
    uint32_t processes[FTH_INSTRUMENT_MOST], servers[FTH_INSTRUMENT_MOST];
    size_t process_count, server_count;
};

struct fth_instrument_setup {
    const char *path, *folder; /* of the setup; absolute folder */
    const char *name;
    struct fth_instrument_words probes; /* files, absolute */
    const char *library;                /* folder of templates, absolute */
    const char *log;                    /* for templates that write one */
    bool writes, reads;                 /* which probes of these classes are put in */
    uint32_t first, last;               /* lines of the application */
    struct fth_instrument_layer layers[FTH_INSTRUMENT_MOST];
    size_t layer_count;
    struct fth_instrument_run runs[FTH_INSTRUMENT_MOST];
    size_t run_count;
    struct fth_arena arena;
};

/* -1: *error has the file and the place of the first mistake. fth_instrument_setup_free either way;
 * `path` must live as long as the setup. */
int fth_instrument_setup_read(struct fth_instrument_setup *setup, const char *path,
                              struct fth_error **error);
void fth_instrument_setup_free(struct fth_instrument_setup *setup);

/* NULL: there is none. */
const struct fth_instrument_layer *
fth_instrument_setup_layer(const struct fth_instrument_setup *setup, const char *word);

#endif

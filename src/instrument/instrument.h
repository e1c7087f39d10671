/* `fathom instrument`: probes in the sources of an I/O stack. The sources are a copy, which has
 * been built once, so that it is known how each file is compiled. */
#ifndef FTH_INSTRUMENT_INSTRUMENT_H
#define FTH_INSTRUMENT_INSTRUMENT_H

#include "base/sink.h"
#include "instrument/instrument_setup.h"

/* Sources of one or more layers. */
struct fth_instrument_tree {
    const char *original, *build;
    char *copy;
    struct fth_compile_commands *commands;
};
struct fth_instrument_trees {
    struct fth_instrument_tree list[FTH_INSTRUMENT_MOST];
    size_t count;
};

/* The trees of a setup, whose copies are in `folder`. */
void fth_instrument_trees_plan(struct fth_instrument_trees *trees,
                               const struct fth_instrument_setup *setup, const char *folder);
/* How a tree was compiled, from the trace of its build. -1: *error. */
int fth_instrument_tree_built(struct fth_instrument_tree *tree, const char *trace,
                              struct fth_error **error);
/* The tree of a layer. */
const struct fth_instrument_tree *fth_instrument_tree_of(const struct fth_instrument_trees *trees,
                                                         const struct fth_instrument_layer *layer);
void fth_instrument_trees_free(struct fth_instrument_trees *trees);

struct fth_instrument_result {
    size_t probes, places, files;
    struct fth_sink rows;    /* a file for `fathom wrap` */
    struct fth_sink remarks; /* lines: what was not found, and need not be; what was begun only */
};
/* Can sources be read? Not in a Fathom that was built without libclang. */
extern const bool fth_syntax_is_built_in;
/* <fathom/probe.h>, as it goes with the sources. */
extern const char fth_probe_header_text[];

/* Reads the probe files of the setup. -1: *error. */
int fth_instrument_check_probes(const struct fth_instrument_setup *setup, struct fth_error **error);
/* Makes the files of a copied tree that get probes newer than what was built of them, so that a
 * build compiles them: the original may have been built. -1: *error. */
int fth_instrument_tree_renew(const struct fth_instrument_setup *setup,
                              const struct fth_instrument_tree *tree, struct fth_error **error);
/* Writes the probes into the copies; `header` is the path of <fathom/probe.h> there. -1: *error;
 * some files may have been written. fth_instrument_result_free either way. */
int fth_instrument_apply(const struct fth_instrument_setup *setup,
                         const struct fth_instrument_trees *trees, const char *header,
                         struct fth_instrument_result *result, struct fth_error **error);
void fth_instrument_result_free(struct fth_instrument_result *result);

#endif

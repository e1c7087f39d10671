/* A plug-in: the wrappers of a library that the catalogue does not know, which `fathom wrap` has
 * made of the user's own rows (docs/catalog.md). It is loaded when a process starts whose recording
 * asks for it, and brings its rows with it. Their functions, classes and layers are numbered behind
 * those of the catalogue and of the plug-ins before it, in the order of FATHOM_WITH: so all
 * processes of a run agree on them. */
#ifndef FTH_CAPTURE_RECORD_PLUGIN_H
#define FTH_CAPTURE_RECORD_PLUGIN_H

#include "interpose/reach/libraries.h"
#include "interpose/interpose.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the tables of calls.c say of the functions of the catalogue. */
struct fth_plugin_call {
    const char *name, *layer;
    uint32_t flags; /* FTH_CALL_... */
    bool binds;
    uint32_t literal_values, step_values;
};

struct fth_plugin_class {
    const char *name;
    uint8_t form; /* enum fth_class_form */
};

struct fth_plugin {
    /* FTH_BUILD of the Fathom that made it: the layout of all that follows, and of what wrappers
     * share with the runtime */
    uint64_t build;
    struct fth_known_library library;
    const char *text; /* its rows */
    size_t text_length;
    const struct fth_plugin_call *calls;
    const struct fth_plugin_class *classes;
    const char *const *layers; /* those that the catalogue does not have */
    uint32_t call_count, class_count, layer_count;
    /* set when it is loaded */
    uint32_t *layer_bits;
    uint32_t first_call, first_class, first_file;
    void *handle; /* of dlopen */
};

/* The name under which it is found. */
#define FTH_PLUGIN_SYMBOL "fth_plugin"

/* ---- libfathom.so ---- */

enum { FTH_MOST_PLUGINS = 16 };
/* Loads those of FATHOM_WITH; called once, at the start, before the filters are read. */
void fth_plugins_load(void);
unsigned fth_plugin_count(void) FTH_PUBLIC;
struct fth_plugin *fth_plugin_at(unsigned i) FTH_PUBLIC;
/* The facts about a function that is none of the catalogue; NULL: of no plug-in either. */
const struct fth_plugin_call *fth_plugin_call(uint32_t function);

#endif

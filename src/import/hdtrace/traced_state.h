/* A state of a trace file: its attributes and body, as long as its element is open; and what is
 * known while a file is read. */
#ifndef FTH_IMPORT_HDTRACE_TRACED_STATE_H
#define FTH_IMPORT_HDTRACE_TRACED_STATE_H

#ifdef FATHOM_EXPAT
#include "import/hdtrace/traced_project.h"
#include "import/shared/importer.h"

enum { FTH_STATE_DEPTH = 250 }; /* states inside one another; the stream has 8 bits for it */

struct fth_traced_state {
    char *name;
    struct fth_bytes texts;
    struct fth_traced_pair { /* where they are in the texts */
        uint32_t name, value;
    } * pairs; /* the attributes, and behind them the elements of the body */
    uint32_t attribute_count, body_count, pair_limit;
    int64_t begin, end; /* ns since 1970 */
    uint32_t function;  /* of the catalogue; UINT32_MAX: none */
};

/* What is known of a handle in its process. */
struct fth_traced_handle {
    uint32_t text;       /* what it is bound to, in texts; plus 1; 0: nothing is known */
    int64_t flags;       /* as F_GETFL gives them; -1: not known */
    uint32_t generation; /* of what it is bound to; 0: it was not used yet */
};

struct fth_traced_process {
    struct fth_imported_process facts;
    uint32_t node;
    struct fth_keyed slots;   /* by class and id: slot, plus 1 */
    uint32_t *class_slots;    /* by class: how many were given */
    struct fth_keyed handles; /* by class and slot: struct fth_traced_handle */
    struct fth_intern texts;
};

struct fth_traced_reading {
    struct fth_imported_run *run;
    struct fth_imported *imported;
    struct fth_traced_project project;
    /* the file at hand */
    struct fth_traced_process *process;
    struct fth_imported_stream *stream;
    uint32_t node;
    struct fth_keyed bound;              /* by class and slot: generation that the stream knows */
    uint32_t outer[FTH_STATE_DEPTH + 1]; /* functions of the states around, from outside */
    uint32_t depth;
    bool holds; /* the next state of this depth has nested ones before it */
    uint64_t without_value, without_status;
    char ***names; /* by function, or NULL: of its attributes */
};

/* The function of a state; UINT32_MAX: none. */
uint32_t fth_traced_function(const char *state);
void fth_traced_state_clear(struct fth_traced_state *state);
void fth_traced_state_free(struct fth_traced_state *state);
/* Attributes come before the body. */
void fth_traced_state_add(struct fth_traced_state *state, bool is_body, const char *name,
                          const char *value, size_t length);
/* NULL: there is none. */
const char *fth_traced_attribute(const struct fth_traced_state *state, const char *name);
/* The attribute whose name consists of these two. */
const char *fth_traced_described(const struct fth_traced_state *state, const char *name,
                                 const char *what);
/* The next text of the body under this name, from *at on; NULL: no more. */
const char *fth_traced_body(const struct fth_traced_state *state, const char *name, uint32_t *at);
/* Names of the attributes of the parameters of a function. */
const char *const *fth_traced_names(struct fth_traced_reading *reading, uint32_t function);
void fth_traced_process_free(struct fth_traced_process *process);
void fth_traced_names_free(struct fth_traced_reading *reading);

#endif
#endif

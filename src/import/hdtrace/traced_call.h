/* The calls that states become. */
#ifndef FTH_IMPORT_HDTRACE_TRACED_CALL_H
#define FTH_IMPORT_HDTRACE_TRACED_CALL_H

#ifdef FATHOM_EXPAT
#include "import/hdtrace/traced_state.h"

/* Hands the state on to the stream. A value that is none refuses the file. */
void fth_traced_call_put(struct fth_traced_reading *reading, struct fth_project_xml *xml,
                         const struct fth_traced_state *state);

#endif
#endif

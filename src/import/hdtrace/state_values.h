/* Values of a state, by the row of its function. */
#ifndef FTH_IMPORT_HDTRACE_STATE_VALUES_H
#define FTH_IMPORT_HDTRACE_STATE_VALUES_H

#ifdef FATHOM_EXPAT
#include "import/hdtrace/traced_state.h"

/* Binds handles in the stream. A value that is none refuses the file. */
void fth_state_values(struct fth_traced_reading *reading, struct fth_project_xml *xml,
                      const struct fth_traced_state *state, const struct fth_row *row,
                      int64_t *values);
/* Has it all numbers that say how much it moves? */
bool fth_state_is_known(struct fth_traced_reading *reading, const struct fth_traced_state *state,
                        const struct fth_row *row);

#endif
#endif

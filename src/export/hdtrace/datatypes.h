/* The datatypes of a process, as a project lists them: predefined ones by their names, others by
 * their constructors. */
#ifndef FTH_EXPORT_HDTRACE_DATATYPES_H
#define FTH_EXPORT_HDTRACE_DATATYPES_H

#include "base/error.h"
#include "base/keyed.h"
#include "base/sink.h"
#include "export/shared/pseudonyms.h"

#include <fathom/trace.h>

struct fth_hdtrace_datatypes {
    char *path;
    const struct fth_pseudonyms *names; /* NULL: names stay */
    struct fth_keyed known;
    struct fth_sink text;
};

/* They are written to the file `path`, if there are any, which becomes its own. */
void fth_hdtrace_datatypes_begin(struct fth_hdtrace_datatypes *datatypes, char *path,
                                 const struct fth_pseudonyms *names);
/* What the call uses and makes. */
void fth_hdtrace_datatypes_of(struct fth_hdtrace_datatypes *datatypes, const struct fth_call *call,
                              struct fth_error **error);
void fth_hdtrace_datatypes_end(struct fth_hdtrace_datatypes *datatypes, struct fth_error **error);

#endif

/* Was Fathom built with the Expat library, which reads projects of HDTrace? */
#ifndef FTH_IMPORT_HDTRACE_PROJECT_H
#define FTH_IMPORT_HDTRACE_PROJECT_H

#include <stdbool.h>

extern const bool fth_project_is_built_in;

#endif

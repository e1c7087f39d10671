/* How a project of HDTrace names what the catalogue knows: functions as states, parameters as
 * attributes of these. The exporter and the importer agree on it. */
#ifndef FTH_CATALOG_HDTRACE_NAMES_H
#define FTH_CATALOG_HDTRACE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

enum { FTH_HDTRACE_LONGEST = 128 };

/* Functions of MPI are states without the prefix: "File_open". */
bool fth_hdtrace_is_mpi(const char *function);
const char *fth_hdtrace_state(const char *function);
/* The attribute of a parameter. `is_mpi`: of a function of MPI; `sends`: one that has a `dest`.
 * `room` may become the name. */
const char *fth_hdtrace_attribute(bool is_mpi, bool sends, const char *parameter,
                                  char room[FTH_HDTRACE_LONGEST]);

#endif

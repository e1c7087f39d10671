/* Files that are there in any run of a launcher or an interpreter, and that nobody asked for. Inner header of the views room. */
#ifndef FTH_VIEWS_NOISE_H
#define FTH_VIEWS_NOISE_H

#include "table/table.h"

#include <stdbool.h>

/* Of the system, of libraries and Python's modules, of the launcher and of MPI itself, or no file at all. Pipes and shared memory through which something went
 * are the program's. */
bool fth_views_is_noise(const char *path, bool has_moved_bytes);
/* A copy of the table with the rows that are kept; to be freed. NULL: out of memory. */
struct fth_table *fth_views_kept_rows(const struct fth_table *table, const bool *kept);

#endif

/* Which part of a run a view is of, in the words of the options that chose it. */
#ifndef FTH_VIEWS_SELECTED_H
#define FTH_VIEWS_SELECTED_H

#include "analysis/select/select.h"

/* "--rank 0-3 --where layer == posix"; NULL: nothing was selected. To be freed. */
char *fth_views_selected(const struct fth_selection *selection);

#endif

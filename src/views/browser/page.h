/* The page of a run for a browser: one file that needs no other one and no network. */
#ifndef FTH_VIEWS_PAGE_H
#define FTH_VIEWS_PAGE_H

#include "views/formats/writer.h"

/* Writes a report on one run, with `view->overview`. */
extern const struct fth_format fth_format_browser;

/* The page without data, which asks the server that it comes from for them. */
void fth_views_put_empty_page(struct fth_sink *to);

#endif

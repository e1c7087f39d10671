/* The page of a run for a browser: one file that needs no other one and no network. */
#ifndef FTH_VIEWS_BROWSER_PAGE_H
#define FTH_VIEWS_BROWSER_PAGE_H

#include "views/formats/writer.h"

/* Writes a report on one run, with `view->overview`. */
extern const struct fth_format fth_format_browser;

/* Several runs on one page: the data of run `number`, the first of which is 0; and the page with
 * the data of all of them, one behind the other. */
void fth_views_put_run(struct fth_sink *to, size_t number, const struct fth_trace *trace,
                       const struct fth_results *results, const struct fth_report_view *view);
void fth_views_put_page(struct fth_sink *to, const struct fth_sink *runs);

/* The page without data, which asks the server that it comes from for them. */
void fth_views_put_empty_page(struct fth_sink *to);

#endif

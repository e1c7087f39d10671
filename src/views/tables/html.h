/* Pages of HTML that stand alone: no network, no scripts, light or dark as the reader has it. Inner
 * header of the views room. */
#ifndef FTH_VIEWS_HTML_H
#define FTH_VIEWS_HTML_H

#include "table/table.h"
#include "views/output/output.h"

/* Everything before the first element of a page, and what follows the last one. */
void fth_views_html_begin(struct fth_output *output, const char *title);
void fth_views_html_end(struct fth_output *output);

/* A text, whatever is in it: markup is escaped, control characters are made visible. */
void fth_views_html_text(struct fth_output *output, const char *text);
/* An element with a text in it: fth_views_html_put(output, "h2", "Files"). `tag` may have
 * attributes: "p class=quiet". */
void fth_views_html_put(struct fth_output *output, const char *tag, const char *text);
/* The same of a name that somebody chose: its direction of writing stays inside. */
void fth_views_html_name(struct fth_output *output, const char *name);
/* With its title as the caption. Texts stand left, numbers right, as people read them. At most
 * `top` rows, 0: all. */
void fth_views_html_table(struct fth_output *output, const struct fth_table *table, size_t top);

/* Where a column leads to: an address by row, whose characters need no escape; NULL: nowhere. */
struct fth_html_links {
    size_t column;
    const char *(*of)(const void *context, const struct fth_cell *cells);
    const void *context;
};
/* The same; `links` may be NULL. */
void fth_views_html_linked_table(struct fth_output *output, const struct fth_table *table,
                                 size_t top, const struct fth_html_links *links);

#endif

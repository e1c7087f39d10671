/* Tables and texts as Markdown (GitHub's tables). Inner header of the views room. */
#ifndef FTH_VIEWS_MARKDOWN_H
#define FTH_VIEWS_MARKDOWN_H

#include "table/table.h"
#include "views/output/output.h"

/* Characters that would be markup are escaped; control characters are made visible. */
void fth_views_markdown_text(struct fth_output *output, const char *text);
/* Texts stand left, numbers right; as people read them. At most `top` rows, 0: all. */
void fth_views_markdown_table(struct fth_output *output, const struct fth_table *table, size_t top);

#endif

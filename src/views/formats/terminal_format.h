/* What the files of the terminal have in common. Inner header of the views room. */
#ifndef FTH_VIEWS_TERMINAL_FORMAT_H
#define FTH_VIEWS_TERMINAL_FORMAT_H

#include "views/formats/writer.h"

enum { FTH_TERMINAL_MARGIN = 3 };

/* A text in lines of whole words, each behind a margin. The first line has `used` columns taken. */
void fth_views_put_wrapped(struct fth_output *output, const char *text, size_t used);

void fth_views_terminal_findings(struct fth_writer *writer, const struct fth_trace *trace,
                                 const struct fth_results *results,
                                 const struct fth_report_view *view);

#endif

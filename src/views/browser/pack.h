/* What the page of a run is made of, as bytes: see docs/page.md. */
#ifndef FTH_VIEWS_PACK_H
#define FTH_VIEWS_PACK_H

#include "base/sink.h"
#include "overview/overview.h"

/* Names, rows, layers, functions and files of the overview as JSON. */
void fth_views_pack_names(struct fth_sink *to, const struct fth_overview *overview);
/* Its bins and calls, in columns of varints. */
void fth_views_pack_numbers(struct fth_sink *to, const struct fth_overview *overview);

/* As gzip does, for the browser to inflate. */
void fth_views_deflate(struct fth_sink *to, const char *bytes, size_t count);
void fth_views_base64(struct fth_sink *to, const char *bytes, size_t count);

#endif

/* The main pictures of a run as SVG, for papers and where there is no browser: of the same overview
 * and results as the page of a run. */
#ifndef FTH_VIEWS_PICTURES_H
#define FTH_VIEWS_PICTURES_H

#include "analysis/extents/file_map.h"
#include "overview/overview.h"
#include "views/formats/writer.h"

/* What they are of. */
struct fth_pictured {
    const struct fth_trace *trace;
    const struct fth_results *results;  /* with maps of files */
    const struct fth_report_view *view; /* with an overview */
};

struct fth_picture_kind;
extern const struct fth_picture_kind *const fth_picture_kinds[];
extern const size_t fth_picture_count;

/* "timeline": what its file is called, without ".svg". */
const char *fth_views_picture_name(const struct fth_picture_kind *kind);
/* Appends the document. A picture without anything to draw says so. */
void fth_views_draw(const struct fth_picture_kind *kind, const struct fth_pictured *pictured,
                    struct fth_sink *to);

#endif
